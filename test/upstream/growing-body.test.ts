/** Bodies that are put together as they arrive: the same bytes, however they are cut and whatever was announced. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GrowingBody } from '../../src/upstream/growing-body.ts'

const MB = 1024 * 1024

function grown(parts: readonly Uint8Array[], announced: number, most: number): Buffer | undefined {
  const body = new GrowingBody(announced, most)
  return parts.every((part) => body.add(part)) ? body.whole() : undefined
}

describe('a body as it arrives', () => {
  it('is its parts in their order, whether its length was announced or not', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (parts) => {
        const whole = Buffer.concat(parts)
        for (const announced of [whole.length, Number.NaN])
          expect(grown(parts, announced, 4000)?.equals(whole)).toBe(true)
      }),
    )
  })

  it('is the same bytes where it is long, and was cut anywhere', () => {
    const whole = Buffer.alloc(9 * MB)
    for (let at = 0; at < whole.length; at += 1) whole[at] = (at * 7919) % 251
    for (const size of [65_536, 3 * MB + 1, 9 * MB]) {
      const parts = Array.from({ length: Math.ceil(whole.length / size) }, (_, at) =>
        whole.subarray(at * size, (at + 1) * size),
      )
      for (const announced of [whole.length, Number.NaN])
        expect(grown(parts, announced, 16 * MB)?.equals(whole)).toBe(true)
    }
  })

  it('ends where more comes than is accepted, and holds what came where less does', () => {
    expect(grown([Buffer.alloc(6), Buffer.alloc(5)], Number.NaN, 10)).toBeUndefined()
    expect(grown([Buffer.alloc(9 * MB), Buffer.alloc(MB + 1)], Number.NaN, 10 * MB)).toBeUndefined()
    expect(grown([Buffer.alloc(5)], 100, 100)?.length).toBe(5)
    expect(grown([Buffer.alloc(5)], 100_000, 10)?.length).toBe(5)
  })
})
