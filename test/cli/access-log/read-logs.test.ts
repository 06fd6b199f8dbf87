/** Lines out of files: in any chunks, packed or not, whole or damaged. */
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { logLines } from '../../../src/cli/access-log/read-logs.ts'
import { rounds } from '../../helpers/scale.ts'

async function linesOf(bytes: Uint8Array, chunk = 1000): Promise<readonly string[]> {
  const chunks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += chunk)
    chunks.push(Buffer.from(bytes.subarray(at, at + chunk)))
  const lines: string[] = []
  for await (const some of logLines(Readable.from(chunks), 'access.log'))
    lines.push(...some)
  return lines
}

describe('logLines', () => {
  it('gives the same lines whatever the chunks, packed or not', async () => {
    const text = fc.array(
      fc.string({ unit: fc.constantFrom('a', '"', 'ы', '\0', ' ', '\r') }),
      {
        minLength: 1
      }
    )
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 2, max: 50 }), async (lines, chunk) => {
        const bytes = Buffer.from(`${lines.join('\n')}\n`)
        const expected = lines.map((line) => Buffer.from(line).toString('latin1'))
        expect(await linesOf(bytes, chunk)).toEqual(expected)
        expect(await linesOf(gzipSync(bytes), chunk)).toEqual(expected)
      }),
      { numRuns: rounds(60) }
    )
  })

  it('reads a last line without an end, nothing of an empty file, and packed files put together', async () => {
    expect(await linesOf(Buffer.from('a\nb'))).toEqual(['a', 'b'])
    expect(await linesOf(Buffer.from(''))).toEqual([])
    expect(await linesOf(Buffer.concat([gzipSync('a\n'), gzipSync('b\n')]))).toEqual([
      'a',
      'b'
    ])
  })

  it('gives an empty line for one that is too long, wherever chunks end', async () => {
    const long = 'x'.repeat(200_000)
    for (const chunk of [999, 65_536, 10_000_000])
      expect(
        (await linesOf(Buffer.from(`a\n${long}\nb\n${long}`), chunk)).map(
          (one) => one.length % 200_000
        )
      ).toEqual([1, 0, 1, 0])
  })

  it('says that a packed file is cut or damaged', async () => {
    const packed = gzipSync('a line\n'.repeat(1000))
    await expect(linesOf(packed.subarray(0, packed.length - 9))).rejects.toThrow(
      'cannot read access.log: its gzip data is cut or damaged'
    )
    packed.fill(7, 20, 30)
    await expect(linesOf(packed)).rejects.toThrow('its gzip data is cut or damaged')
  })
})
