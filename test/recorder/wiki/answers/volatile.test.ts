import { describe, expect, it } from 'vitest'
import {
  equalIgnoringVolatile,
  equalTextsIgnoringVolatile,
  withoutParserReports
} from '../../../../src/recorder/wiki/answers/volatile.ts'
import { goldenSeeds } from '../../../helpers/golden-calls.ts'
import { treeOf } from '../../../helpers/recorded.ts'

const same = (a: string, b: string): boolean =>
  equalIgnoringVolatile(treeOf(a), treeOf(b))

describe('what varies by itself', () => {
  it('is the inside of the parser reports', () => {
    const html = (seconds: string): string =>
      `<p>x</p>\n<!-- \nNewPP limit report\nCPU time usage: ${seconds} seconds\n-->\n<!--\nTransclusion expansion time report (%,ms,calls,template)\n100.00% ${seconds}\n-->\n<!-- Saved in parser cache with key ${seconds} -->`
    expect(withoutParserReports(html('0.1'))).toBe(withoutParserReports(html('0.25')))
    expect(
      same(
        JSON.stringify({ parse: { text: { '*': html('1') } } }),
        JSON.stringify({ parse: { text: { '*': html('2') } } })
      )
    ).toBe(true)
  })

  it('is not the rest of the page, other comments included', () => {
    expect(withoutParserReports('<!-- a --><p>NewPP limit report</p>')).toBe(
      '<!-- a --><p>NewPP limit report</p>'
    )
    expect(withoutParserReports('<!-- x NewPP limit report 1 -->')).toBe(
      '<!-- x NewPP limit report 1 -->'
    )
    expect(withoutParserReports('a<!--NewPP limit report 1')).toBe(
      'a<!--NewPP limit report 1'
    )
    expect(withoutParserReports('<!--NewPP limit report 1-->b')).not.toBe(
      withoutParserReports('<!--NewPP limit report 1-->c')
    )
    expect(withoutParserReports('a<!--NewPP limit report-->')).not.toBe(
      withoutParserReports('a')
    )
  })

  it('is the clock, the server and the limit report as data', () => {
    expect(
      same(
        '{"curtimestamp":"a","servedby":"b","query":{}}',
        '{"curtimestamp":"c","servedby":"d","query":{}}'
      )
    ).toBe(true)
    expect(
      same(
        '{"general":{"time":"1","timeoffset":0}}',
        '{"general":{"time":"2","timeoffset":0}}'
      )
    ).toBe(true)
    expect(same('{"phpversion":"8.2.35"}', '{"phpversion":"8.2.36"}')).toBe(true)
    expect(same('{"event":{"time":"1"}}', '{"event":{"time":"2"}}')).toBe(false)
    expect(
      same('{"parse":{"limitreportdata":[1]}}', '{"parse":{"limitreportdata":[2]}}')
    ).toBe(true)
    expect(same('{"curtimestamp":"a"}', '{}')).toBe(false)
    expect(same('{"a":1}', '{"a":1.0}')).toBe(false)
  })

  it("is a head's own number and duration", () => {
    const head = (id: string, ms: number): string =>
      JSON.stringify({
        headhtml: `RLCONF={"wgRequestId":"${id}","wgBackendResponseTime":${ms},"wgTitle":"А"}`
      })
    expect(same(head('aa', 1), head('bb', 22))).toBe(true)
    expect(same(head('aa', 1), head('aa', 1).replace('А', 'Б'))).toBe(false)
  })

  it.each([
    ['RSS', '<rss version="2.0">\n<channel>', 'lastBuildDate', 'item', 'pubDate'],
    ['Atom', '<feed xml:lang="ru">\n<title>A</title>', 'updated', 'entry', 'updated']
  ])(
    'is the time of a feed in %s, and not those of its items',
    (_, start, time, item, itemTime) => {
      const feed = (made: string, changed: string): string =>
        `<?xml version="1.0"?>\n${start}<${time}>${made}</${time}><${item}><${itemTime}>${changed}</${itemTime}></${item}>`
      expect(withoutParserReports(feed('1', '0'))).toBe(
        withoutParserReports(feed('2', '0'))
      )
      expect(withoutParserReports(feed('1', '0'))).not.toBe(
        withoutParserReports(feed('1', '1'))
      )
      const undated = (changed: string): string =>
        feed('', changed).replace(new RegExp(`<${time}></${time}>`), '')
      expect(withoutParserReports(undated('0'))).not.toBe(
        withoutParserReports(undated('1'))
      )
      const page = (made: string): string => feed(made, '0').replace(/rss|feed/, 'api')
      expect(withoutParserReports(page('1'))).not.toBe(withoutParserReports(page('2')))
    }
  )

  it('is the query that an Atom feed repeats, and not its path', () => {
    const feed = (address: string): string =>
      `<?xml version="1.0"?><feed><id>${address}</id><link rel="self" href="${address}"/></feed>`
    expect(withoutParserReports(feed('/w?a'))).toBe(withoutParserReports(feed('/w?b')))
    expect(withoutParserReports(feed('/w?a'))).not.toBe(
      withoutParserReports(feed('/v?a'))
    )
  })

  it('is all that differs between two parses of a real 1.25.4', () => {
    const parse = goldenSeeds.find(
      ({ q, body }) => q.includes('action=parse') && body.includes('NewPP')
    )
    const later = parse?.body.replace(/CPU time usage: [\d.]+/, 'CPU time usage: 9.999')
    expect(later).not.toBe(parse?.body)
    expect(same(parse?.body ?? '', later ?? '')).toBe(true)
  })
})

/** As MediaWiki 1.39 and 1.43 write it. */
const xml = (time: string, content: string): string =>
  `<?xml version="1.0"?><api curtimestamp="${time}" servedby="${time}"><query><general phpversion="${time}" timeoffset="0" server="s" time="${time}" /><event time="${content}" /></query><parse><text xml:space="preserve">&lt;p&gt;servedby="${content}"&lt;/p&gt;&lt;!-- ${content} --&gt;\n&lt;!-- \nNewPP limit report\nCPU time usage: ${time} seconds\n--&gt;${content}</text><limitreportdata><lr name="a"><param _idx="0">${time}</param></lr></limitreportdata><limitreporthtml xml:space="preserve">&lt;td&gt;${time}</limitreporthtml></parse></api>`

const phpText = (text: string): string => `s:${Buffer.byteLength(text)}:"${text}";`

const php = (time: string, content: string): string => {
  const ofTime = phpText(time)
  const report = phpText(`Ё<!-- \nNewPP limit report\n${time}\n-->${content}`)
  return `a:4:{s:12:"curtimestamp";${ofTime}s:8:"servedby";${ofTime}s:5:"query";a:2:{s:7:"general";a:4:{s:10:"phpversion";${ofTime}s:10:"timeoffset";i:0;s:6:"server";s:1:"s";s:4:"time";${ofTime}}s:5:"event";a:1:{s:4:"time";${phpText(content)}}}s:5:"parse";a:3:{s:4:"text";a:1:{s:1:"*";${report}}s:15:"limitreportdata";a:1:{i:0;a:2:{s:4:"name";s:1:"a";i:0;${ofTime}}}s:15:"limitreporthtml";a:1:{s:1:"*";${ofTime}}}}`
}

describe.each([
  ['XML', xml],
  ['PHP', php]
] as const)('in %s', (_, written) => {
  it('the same values vary by themselves, and nothing else does', () => {
    const text = written('1', 'Z')
    expect(equalTextsIgnoringVolatile(text, written('2.25', 'Z'))).toBe(true)
    const others = [...text.matchAll(/Z/g)].map(
      ({ index }) => text.slice(0, index) + text.slice(index + 1)
    )
    expect(others.length).toBeGreaterThan(1)
    for (const other of others)
      expect(equalTextsIgnoringVolatile(text, other)).toBe(false)
  })
})
