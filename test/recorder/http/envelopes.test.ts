/** One recorded answer in every envelope; what a real MediaWiki 1.25.4 answered, recorded and replayed. */
import { describe, expect, it } from 'vitest'
import { withoutDebuginfo } from '../../helpers/debug-cut.ts'
import { type FakeWiki, fakeWiki } from '../../helpers/fake-wiki.ts'
import { goldenSeeds } from '../../helpers/golden-calls.ts'
import { ask, post } from '../../helpers/http-client.ts'
import { type RunningProxy, startProxy } from '../../helpers/proxies.ts'

const ascii =
  '{"query":{"pages":{"3":{"title":"\\u0412\\u043e\\u043b\\u0433\\u0430 <&>"},"1":{"n":1.50}}}}'
const utf8 = '{"query":{"pages":{"3":{"title":"Волга <&>"},"1":{"n":1.50}}}}'
const call = '?action=query&prop=info&titles=Волга'.replace(
  'Волга',
  encodeURIComponent('Волга')
)

/** Spells as MediaWiki does, and repeats a requestid in front. */
const spellingWiki = (): Promise<FakeWiki> =>
  fakeWiki((params) => {
    const text = params.has('utf8') ? utf8 : ascii
    const id = params.get('requestid')
    const whole =
      id === undefined ? text : text.replace('{', `{"requestid":${JSON.stringify(id)},`)
    const callback = params.get('callback')
    if (callback === undefined) return whole
    return {
      body: `/**/${callback}(${whole})`,
      headers: { 'content-type': 'text/javascript; charset=utf-8' }
    }
  })

const envelopes: readonly (readonly [string, string, string])[] = [
  ['bare', '&format=json', ascii],
  ['utf8', '&format=json&utf8=', utf8],
  ['ascii by name', '&format=json&ascii=1', ascii],
  [
    'with a requestid',
    '&format=json&requestid=ab%201',
    ascii.replace('{', '{"requestid":"ab 1",')
  ],
  ['JSONP', '&format=json&callback=fn.x', `/**/fn.x(${ascii})`],
  [
    'JSONP in utf8 with a requestid',
    '&format=json&callback=f&utf8=1&requestid=7',
    `/**/f(${utf8.replace('{', '{"requestid":"7",')})`
  ]
]

describe('one recording', () => {
  it.each(envelopes)('made %s is replayed in every envelope', async (_, spelled) => {
    const wiki = await spellingWiki()
    const recording = await startProxy(wiki.api)
    await ask(recording.api + call + spelled)
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    for (const [name, other, text] of envelopes) {
      const reply = await ask(replay.api + call + other)
      expect([name, reply.headers['x-cassette-status'], reply.text]).toEqual([
        name,
        'replayed',
        text
      ])
    }
    expect(wiki.asked().length).toBe(1)
  })

  it.each(envelopes)(
    '%s is the same while recording as in replay',
    async (_, spelled, text) => {
      const wiki = await spellingWiki()
      const recording = await startProxy(wiki.api)
      const recorded = await ask(recording.api + call + spelled)
      await recording.close()
      const replay = await startProxy(undefined, { cassette: recording.cassette })
      const replayed = await ask(replay.api + call + spelled)
      expect(recorded.text).toBe(text)
      expect(replayed.text).toBe(text)
      expect(replayed.headers['content-type']).toBe(recorded.headers['content-type'])
    }
  )
})

describe('the file name that browsers are told', () => {
  it('follows the envelope, so that JSON and JSONP leave one file as it stands', async () => {
    const wiki = await fakeWiki((params) => {
      const callback = params.get('callback')
      return callback === undefined
        ? {
            body: ascii,
            headers: { 'content-disposition': 'inline; filename=api-result.json' }
          }
        : {
            body: `/**/${callback}(${ascii})`,
            headers: {
              'content-type': 'text/javascript; charset=utf-8',
              'content-disposition': 'inline; filename=api-result.js'
            }
          }
    })
    const proxy = await startProxy(wiki.api, { mode: 'all' })
    const names: unknown[] = []
    for (const spelled of ['&format=json', '&format=json&callback=f', ''])
      names.push((await ask(proxy.api + call + spelled)).headers['content-disposition'])
    expect(names).toEqual(
      ['json', 'js', 'html'].map((ending) => `inline; filename=api-result.${ending}`)
    )
    expect(proxy.rack.counts()).toMatchObject({ recorded: 1, unchanged: 2 })
  })
})

it('a caller whom the wiki does not log in is told so', async () => {
  const wiki = await fakeWiki(() => ascii)
  const proxy = await startProxy(wiki.api)
  const told: unknown[] = []
  for (const more of [
    '',
    '&callback=f',
    '&callback=',
    '&origin=*',
    '&callback=f&origin=*'
  ])
    told.push(
      (await ask(`${proxy.api + call}&format=json${more}`)).headers[
        'mediawiki-login-suppressed'
      ]
    )
  expect(told).toEqual([undefined, 'true', 'true', 'true', 'true'])
})

describe('JSON in a spelling of its own', () => {
  const odd = '{ "query": {"title":"\\u0412olga\\/","n":1e2} }'

  it.each([
    ['bare', '', odd, 'application/json; charset=utf-8'],
    ['JSONP', '&callback=f', `/**/f(${odd})`, 'text/javascript; charset=utf-8']
  ])('comes exactly as the wiki sent it, %s', async (_, spelled, text, type) => {
    const wiki = await fakeWiki((params) =>
      params.has('callback')
        ? { body: `/**/f(${odd})`, headers: { 'content-type': type } }
        : odd
    )
    const recording = await startProxy(wiki.api)
    const recorded = await ask(`${recording.api + call}&format=json${spelled}`)
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    const replayed = await ask(`${replay.api + call}&format=json${spelled}`)
    for (const reply of [recorded, replayed])
      expect([reply.text, reply.headers['content-type']]).toEqual([text, type])
    expect((await ask(replay.api + call)).text).toContain('<pre')
    const other = await ask(`${replay.api + call}&format=json&utf8=1`)
    expect(other.headers['x-cassette-status']).toBe('miss')
    expect(other.text).toContain('can only be served as it was recorded')
  })
})

describe('the debugging page', () => {
  it.each([
    ['no format', ''],
    ['format=jsonfm', '&format=jsonfm']
  ])(
    'with %s is HTML: the four banner lines, then the JSON in a <pre>',
    async (_, format) => {
      const wiki = await spellingWiki()
      const proxy = await startProxy(wiki.api)
      const page = await ask(proxy.api + call + format)
      expect(page.headers['content-type']).toBe('text/html; charset=UTF-8')
      const text = page.text
        .slice(page.text.indexOf('<body>'))
        .replace(/<[^>]*>/g, '')
        .trim()
      const lines = text.split('\n').map((line) => line.trim())
      expect(lines.slice(0, 4)).toEqual([
        'MediaWiki API result',
        'This is the HTML representation of the JSON format. HTML is good for debugging, but is unsuitable for application use.',
        'Specify the format parameter to change the output format. To see the non-HTML representation of the JSON format, set format=json.',
        'See the complete documentation, or the API help for more information.'
      ])
      const pre = /<pre[^>]*>([\s\S]*?)<\/pre>/.exec(page.text)?.[1] ?? ''
      const json = pre
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&amp;', '&')
      expect(JSON.parse(json)).toEqual(JSON.parse(utf8))
      expect(json.indexOf('"3"')).toBeLessThan(json.indexOf('"1"'))
      expect(
        wiki.asked().map((query) => new URLSearchParams(query).get('format'))
      ).toEqual(['json'])
    }
  )

  it('is one interaction with the bare JSON, whether asked by GET or POST', async () => {
    const wiki = await spellingWiki()
    const proxy = await startProxy(wiki.api)
    await post(proxy.api, `${call.slice(1)}&format=jsonfm`)
    expect((await ask(`${proxy.api + call}&format=json`)).text).toBe(ascii)
    expect(wiki.asked()).toEqual([`POST ${call.slice(1)}&format=json`])
  })
})

describe('other formats', () => {
  it.each(['xml', 'php', 'none', 'rawfm'])(
    '%s is kept as text, apart from JSON',
    async (format) => {
      const wiki = await fakeWiki((params) =>
        params.get('format') === 'json'
          ? '{"query":{}}'
          : {
              body: `<${params.get('format')}>Волга`,
              headers: { 'content-type': 'text/xml; charset=utf-8' }
            }
      )
      const proxy = await startProxy(wiki.api)
      const target = `${proxy.api + call}&format=${format}`
      const first = await ask(target)
      const again = await ask(target)
      expect([first.text, again.text]).toEqual([`<${format}>Волга`, `<${format}>Волга`])
      expect(again.headers['x-cassette-status']).toBe('replayed')
      expect((await ask(`${proxy.api + call}&format=json`)).text).toBe('{"query":{}}')
    }
  )
})

describe('what MediaWiki 1.25.4 answered', () => {
  /** The answers by query string; it describes nothing, as 1.25 does in another shape. */
  const goldenWiki = (): Promise<FakeWiki> => {
    const answers = new Map(goldenSeeds.map((seed) => [seed.q, seed]))
    return fakeWiki((_, { target }) => {
      const seed = answers.get(target.slice(target.indexOf('?') + 1))
      if (seed === undefined) return { status: 404, body: '' }
      return {
        status: seed.status,
        body: seed.body,
        headers: { ...seed.headers, 'set-cookie': seed.cookies }
      }
    })
  }
  const askAll = async (proxy: RunningProxy): Promise<readonly string[]> => {
    const texts: string[] = []
    for (const { q } of goldenSeeds) texts.push((await ask(`${proxy.api}?${q}`)).text)
    return texts
  }
  it('comes less debuginfo, byte for byte, while recording and in replay', async () => {
    const wiki = await goldenWiki()
    const recording = await startProxy(wiki.api)
    const recorded = await askAll(recording)
    await recording.close()
    await wiki.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    const replayed = await askAll(replay)
    expect(recorded).toEqual(goldenSeeds.map(({ body }) => withoutDebuginfo(body)))
    expect(replayed).toEqual(recorded)
    expect(replay.rack.counts()).toMatchObject({
      replayed: goldenSeeds.length,
      missed: 0,
      liveRequests: 0
    })
  })
})
