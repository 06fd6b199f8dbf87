import { describe, expect, it } from 'vitest'
import { compareCassettes } from '../../../src/drift/compare.ts'
import { compareHtml } from '../../../src/drift/trees/compare-html.ts'
import { jsonString } from '../../../src/recorder/json/json-tree.ts'
import { side } from '../sides.ts'

describe('HTML inside values', () => {
  it('tells markup from text', () => {
    const change = compareHtml('<p>река <b>Волга</b></p>', '<p>река <i>Кама</i></p>')
    expect(change.structure).toEqual(['-<b>', '-</b>', '+<i>', '+</i>'])
    expect(change.text).toEqual(['-Волга', '+Кама'])
  })

  it('takes a sign that opens no tag for text', () => {
    expect(compareHtml('<p>1 < 2</p>', '<p>1 2</p>').structure).toEqual([])
    expect(compareHtml('<p>1 < 2</p>', '<p>1 2</p>').text).not.toEqual([])
  })

  it.each([
    ['<br>', '<br />'],
    [`<td class='diff-marker'>`, '<td class="diff-marker">'],
    ['<p>a</p>\n<p>b</p>', '<p>a</p><p>b</p>'],
    ['<sup id="cite&#95;ref-1">', '<sup id="cite_ref-1">']
  ])('%s is %s', (a, b) => {
    expect(compareHtml(a, b)).toEqual({ structure: [], text: [], exact: true })
  })

  it('is shown as it stands up to 300 characters, and beyond that by what differs', () => {
    const shown = (sign: string, length: number): string =>
      `<p>${sign.repeat(length - 7)}</p>`
    const shownBefore = (a: number, b: number): unknown => {
      const [one, other] = [shown('x', a), shown('y', b)].map((text) => ({
        parse: { text }
      }))
      const query = 'action=parse&page=A'
      const [found] = compareCassettes(
        side('a', { [query]: one }),
        side('b', { [query]: other })
      ).findings
      return found?.samples[0]?.before
    }
    expect(shownBefore(300, 300)).toEqual(jsonString(shown('x', 300)))
    expect(shownBefore(301, 300)).not.toEqual(jsonString(shown('x', 301)))
    expect(shownBefore(300, 301)).not.toEqual(jsonString(shown('x', 300)))
  })

  it('finds the tags of one text alone where two texts are too different to be aligned', () => {
    const page = (name: string): string =>
      Array.from(
        { length: 3_000 },
        (_, at) => `<p class="${name}">${name} ${at}</p>`
      ).join('')
    const change = compareHtml(page('old'), page('new'))
    expect(change).toEqual({
      structure: ['-<p class="old">', '+<p class="new">'],
      text: [],
      exact: false
    })
  })

  it('shows a title as it reads, and of a page only the tags that differ', () => {
    const query = 'action=parse&page=Волга'
    const parsed = (displaytitle: string, text: string): unknown => ({
      parse: { displaytitle, text }
    })
    const long = 'река '.repeat(100)
    const wrapped = '<span class="mw-page-title-main">Волга</span>'
    const { findings } = compareCassettes(
      side('a', { [query]: parsed('Волга', `<p>${long}</p>`) }),
      side('b', { [query]: parsed(wrapped, `<div>${long}</div>`) })
    )
    const shown = findings.map(({ place, samples: [first] }) => [
      place,
      first?.before,
      first?.after
    ])
    expect(shown).toEqual([
      ['parse.displaytitle', jsonString('Волга'), jsonString(wrapped)],
      ['parse.text', jsonString('<p>\n</p>'), jsonString('<div>\n</div>')]
    ])
  })

  const textOf = (wrapper: string, image: string): string =>
    `<div ${wrapper}><p>Река</p>${image}${'<p>Волга</p>'.repeat(40)}<span class="new">x</span></div>`
  const legacy = textOf(
    'class="mw-parser-output"',
    '<div class="thumb"><a class="image"><img class="thumbimage"></a></div>'
  )
  const now = textOf(
    'class="mw-content-ltr mw-parser-output" lang="ru"',
    '<figure typeof="mw:File/Thumb"><a class="mw-file-description"><img class="mw-file-element"></a></figure>'
  ).replace('class="new"', 'class="other"')

  const released = (
    before: string,
    after: string,
    engines: readonly string[]
  ): readonly unknown[] => {
    const [a, b] = [before, after].map((text, at) =>
      side(
        'x',
        { 'action=parse&page=A': { parse: { text } } },
        { manifest: { engine: engines[at] ?? '' } }
      )
    )
    if (a === undefined || b === undefined) throw new Error('two sides')
    return compareCassettes(a, b)
      .findings.filter(({ kind }) => kind === 'html.structure')
      .map(({ knownChange, samples }) => [knownChange?.what, samples[0]?.note])
  }

  it('tells each change of a page apart that a release made, and what is of none', () => {
    expect(released(legacy, now, ['1.35.13', '1.43.9'])).toEqual(
      expect.arrayContaining([
        ['parsed text says its language and direction', '2 tags'],
        ['media are figure[typeof^="mw:File"]', '8 tags'],
        [undefined, '2 tags']
      ])
    )
  })

  it('puts nothing down to a release that is not between the two, or that turns a change back', () => {
    const none = [[undefined], [undefined], [undefined]]
    expect(
      released(legacy, now, ['1.43.8', '1.43.9']).map((one) => [(one as unknown[])[0]])
    ).toEqual(none)
    expect(released(now, legacy, ['', '']).map((one) => [(one as unknown[])[0]])).toEqual(
      none
    )
  })

  it('knows media of pages that are too different to be aligned', () => {
    const [before, after] = [legacy, now].map((text, side) =>
      text.replace('<p>Река</p>', `<p class="${side}">Река</p>`.repeat(2000))
    )
    expect(
      released(before ?? '', after ?? '', ['1.35.13', '1.43.9']).map(
        (one) => (one as unknown[])[0]
      )
    ).toEqual(expect.arrayContaining(['media are figure[typeof^="mw:File"]']))
  })
})
