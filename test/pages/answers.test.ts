/** What of an answer is shown as a page, and what as a text. */
import { describe, expect, it } from 'vitest'
import { harmlessHtml } from '../../ui/answer/harmless-html.ts'
import { findTexts } from '../../ui/json/find-parts.ts'
import { treeOf } from '../helpers/recorded.ts'

describe('markup as a page', () => {
  it('has no code of scripts and styles, closed or not', () => {
    const html =
      '<p>a</p><script>var x = "<b>"; /* <!-- */</script><STYLE>.c{}</STYLE\n><p>b</p><script>y'
    expect(harmlessHtml(html)).toBe('<p>a</p><p>b</p>')
  })

  it('has no script that removing another would make', () => {
    expect(harmlessHtml('<scr<script></script>ipt src="/a">')).toBe(
      '<x-script data-src="/a">'
    )
  })

  it('is a table where it is rows of one', () => {
    expect(harmlessHtml('<!-- diff -->\n<tr><td>a</td></tr>')).toMatch(
      /^<table>.*<\/table>$/s
    )
    expect(harmlessHtml('<p><tr></p>')).not.toContain('table')
  })
})

const textsOf = (json: string) =>
  findTexts(treeOf(json)).map(({ path, isHtml }) => [path, isHtml])

describe('texts of an answer', () => {
  it('are those of slots, too', () => {
    const page = { revisions: [{ slots: { main: { '*': '== A ==\nb' } } }] }
    expect(textsOf(JSON.stringify({ query: { pages: { 1: page } } }))).toEqual([
      ['query.pages.1.revisions.0.slots.main.*', false]
    ])
  })

  it.each(['*', 'body'])(
    'are a page where they compare revisions: compare.%s',
    (name) => {
      const rows = `<tr><td class="diff-deletedline">a</td></tr>\n`
      expect(textsOf(JSON.stringify({ compare: { [name]: rows } }))).toEqual([
        [`compare.${name}`, true]
      ])
    }
  )
})
