/** The words in which a miss says how the nearest recording differs. */
import { describe, expect, it } from 'vitest'
import { differenceText } from '../../../../src/recorder/engine/miss/miss-reply.ts'

const titles = Array.from({ length: 50 }, (_, at) => `Страница ${at}`)

describe('a difference', () => {
  it.each<[string, string, string, string]>([
    ['limits', '10', '5', 'p recorded "10", got "5"'],
    ['few values', 'A|B', 'B|A', 'p recorded "A|B", got "B|A"'],
    [
      'one title more',
      titles.join('|'),
      [...titles, 'Ещё одна'].join('|'),
      'p: 50 values the same, got "Ещё одна"'
    ],
    [
      'titles that are gone',
      titles.join('|'),
      titles.slice(0, 43).join('|'),
      'p: 43 values the same, recorded with "Страница 43", "Страница 44", "Страница 45", "Страница 46", "Страница 47" and 2 more'
    ],
    [
      'another order',
      titles.join('|'),
      titles.toReversed().join('|'),
      'p: 50 values in another order'
    ],
    [
      'long texts that differ late',
      `${'слово '.repeat(100)}конец`,
      `${'слово '.repeat(100)}край`,
      'p recorded "… слово слово слово конец", got "… слово слово слово край"'
    ],
    [
      'wikitext, whose bars are no lists',
      `{{a|b|c|d|e}}\nx`,
      `{{a|b|c|d|e}}\ny`,
      'p recorded "{{a|b|c|d|e}}\\nx", got "{{a|b|c|d|e}}\\ny"'
    ]
  ])('of %s', (_, recorded, got, text) => {
    expect(differenceText({ param: 'p', recorded, got })).toBe(text)
  })

  it.each([200, 5000])('is never two equal texts, of %i characters', (length) => {
    const same = 'а'.repeat(length)
    const text = differenceText({
      param: 'text',
      recorded: `${same}1${same}`,
      got: `${same}2${same}`
    })
    const [, recorded, got] = /recorded "(.*)", got "(.*)"/.exec(text) ?? []
    expect(recorded).not.toBe(got)
    expect(text.length).toBeLessThan(400)
  })
})
