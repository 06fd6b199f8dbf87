/** Two texts, line by line, in Compare. */
import { diffArrays } from 'diff'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { diffLines } from '../../ui/compare/diff-lines.ts'

const linesOf = (text: string): readonly string[] => [...text]
const shown = (a: string, b: string): string | undefined =>
  diffLines(linesOf(a), linesOf(b))
    ?.map(({ sign, text, folded }) => (sign === '…' ? `…${folded}` : `${sign}${text}`))
    .join(' ')

describe('differences of two lists of lines', () => {
  it.each([
    ['', '', ''],
    ['ab', 'ab', '…2'],
    ['ab', '', '-a -b'],
    ['', 'ab', '+a +b'],
    ['axc', 'ayc', ' a -x +y  c'],
    ['axyc', 'azwc', ' a -x -y +z +w  c'],
    ['abcdefghij', 'abcdefghiX', '…6  g  h  i -j +X'],
    ['Xbcdefghijklm', 'Ybcdefghijklm', '-X +Y  b  c  d …9'],
    ['XbcdefghY', 'ZbcdefghW', '-X +Z  b  c  d  e  f  g  h -Y +W'],
    ['XbcdefghiY', 'ZbcdefghiW', '-X +Z  b  c  d …2  g  h  i -Y +W']
  ])('of "%s" and "%s" are "%s"', (a, b, differences) => {
    expect(shown(a, b)).toBe(differences)
  })

  it('lead from one to the other, by as few edits as those of jsdiff', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 })
    fc.assert(
      fc.property(text, text, (a, b) => {
        const lines = diffLines(a, b) ?? []
        const without = (sign: string): readonly string[] =>
          lines.flatMap((one) => (one.sign === sign ? [] : one.text))
        const isFolded = lines.some(({ sign }) => sign === '…')
        if (!isFolded) expect([without('+'), without('-')]).toEqual([a, b])
        const fewest = diffArrays(a, b).reduce(
          (sum, { added, removed, value }) => sum + (added || removed ? value.length : 0),
          0
        )
        expect(lines.filter(({ sign }) => /[+-]/.test(sign)).length).toBe(fewest)
      }),
      { numRuns: 500 }
    )
  })

  it('are not sought for longer than three seconds', () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0)
    onTestFinished(() => now.mockRestore())
    expect(shown('ab', 'ba')).toBe('-a  b +a')
    now.mockReturnValueOnce(0).mockReturnValueOnce(1).mockReturnValue(3001)
    expect(shown('ab', 'ba')).toBeUndefined()
  })
})
