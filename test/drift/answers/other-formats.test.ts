/** Answers in XML and in PHP's serialized form are compared as what they say. */
import { describe, expect, it } from 'vitest'
import { compareCassettes } from '../../../src/drift/compare.ts'
import { side } from '../sides.ts'

type Format = 'xml' | 'php'
const types = {
  xml: 'text/xml; charset=utf-8',
  php: 'application/vnd.php.serialized; charset=utf-8'
}

function summaries(format: Format, a: string, b: string): readonly string[] {
  const query = `action=query&prop=info&titles=Волга&format=${format}`
  const answer = (body: string): Readonly<Record<string, unknown>> => ({
    [query]: { body, headers: { 'content-type': types[format] } }
  })
  const { findings } = compareCassettes(side('a', answer(a)), side('b', answer(b)))
  return findings.map(
    ({ axis, severity, kind, place }) => `${axis} ${severity} ${kind} ${place}`
  )
}

const xml = (page: string): string =>
  `<?xml version="1.0"?><api batchcomplete=""><query><pages>${page}</pages></query></api>`
const php = (...pages: readonly string[]): string =>
  `a:1:{s:5:"query";a:1:{s:5:"pages";a:${pages.length}:{${pages.join('')}}}}`

describe('XML', () => {
  it('is compared page by page, in any order of attributes', () => {
    const one = '<page _idx="2" pageid="2" ns="0" title="Волга" length="10"/>'
    expect(
      summaries(
        'xml',
        xml(one),
        xml('<page _idx="2" length="10" title="Волга" pageid="2" ns="0"/>')
      )
    ).toEqual([])
    expect(summaries('xml', xml(one), xml(one.replace(' ns="0"', '')))).toEqual([
      'behaviour breaking field.removed query.pages[*].ns'
    ])
    expect(summaries('xml', xml(one), xml(one.replace('"10"', '"12"')))).toEqual([
      'data cosmetic value.changed query.pages[*].length'
    ])
  })

  it('knows a list of one by the same list of several', () => {
    const categories = (...titles: readonly string[]): string =>
      xml(
        `<page _idx="2" title="А"><categories>${titles.map((one) => `<cl ns="14" title="${one}"/>`).join('')}</categories></page>`
      )
    expect(summaries('xml', categories('Б'), categories('Б', 'В'))).toEqual([
      'data cosmetic items.more query.pages[*].categories[*]'
    ])
  })

  it.each([
    ['cut', xml('<page title="А"/>').slice(0, -9)],
    [
      'with an entity that grows',
      `<!DOCTYPE x [<!ENTITY a "b">]>${xml('<page title="&a;"/>')}`
    ],
    ['too deep', '<a>'.repeat(500) + '</a>'.repeat(500)]
  ])('%s is a body that changed, never HTML', (_, body) => {
    expect(summaries('xml', xml('<page title="А"/>'), body)).toEqual([
      'behaviour risky body.changed text'
    ])
  })
})

describe("PHP's serialized form", () => {
  const page = (title: string, length: number): string =>
    `i:2;a:3:{s:6:"pageid";i:2;s:5:"title";s:${Buffer.byteLength(title)}:"${title}";s:6:"length";i:${length};}`

  it('is compared as the same answer in JSON', () => {
    expect(summaries('php', php(page('Волга', 10)), php(page('Волга', 10)))).toEqual([])
    expect(summaries('php', php(page('Волга', 10)), php(page('Волга', 12)))).toEqual([
      'data cosmetic value.changed query.pages[*].length'
    ])
    const short = 'i:2;a:2:{s:6:"pageid";i:2;s:5:"title";s:10:"Волга";}'
    expect(summaries('php', php(page('Волга', 10)), php(short))).toEqual([
      'behaviour breaking field.removed query.pages[*].length'
    ])
  })

  it('hides the clock', () => {
    const at = (time: string): string => `a:1:{s:12:"curtimestamp";s:20:"${time}";}`
    expect(
      summaries('php', at('2026-01-01T00:00:00Z'), at('2026-02-02T02:02:02Z'))
    ).toEqual([])
  })

  it.each([
    ['cut', php(page('Волга', 10)).slice(0, -3)],
    ['with a wrong length', php(page('Волга', 10)).replace('s:10', 's:11')]
  ])('%s is a body that changed', (_, body) => {
    expect(summaries('php', php(page('Волга', 10)), body)).toEqual([
      'behaviour risky body.changed text'
    ])
  })
})
