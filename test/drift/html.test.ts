import { describe, expect, it } from 'vitest'
import { compareHtml } from '../../src/drift/answer/html.ts'

describe('HTML inside values', () => {
  it('tells markup from text', () => {
    const change = compareHtml('<p>река <b>Волга</b></p>', '<p>река <i>Кама</i></p>')
    expect(change.structure).toEqual(['-<b>', '-</b>', '+<i>', '+</i>'])
    expect(change.text).toEqual(['-Волга', '+Кама'])
  })

  it.each([
    ['<br>', '<br />'],
    [`<td class='diff-marker'>`, '<td class="diff-marker">'],
    ['<p>a</p>\n<p>b</p>', '<p>a</p><p>b</p>'],
    ['<sup id="cite&#95;ref-1">', '<sup id="cite_ref-1">'],
  ])('%s is %s', (a, b) => {
    expect(compareHtml(a, b)).toEqual({ structure: [], text: [], comments: false, exact: true })
  })

  it('counts tags by class where two texts are too different to be aligned', () => {
    const page = (name: string): string =>
      Array.from({ length: 3_000 }, (_, at) => `<p class="${name}">${name} ${at}</p>`).join('')
    const change = compareHtml(page('old'), page('new'))
    expect(change).toEqual({
      structure: ['p.old ×3000 → ×0', 'p.new ×0 → ×3000'],
      text: [],
      comments: false,
      exact: false,
    })
  })
})
