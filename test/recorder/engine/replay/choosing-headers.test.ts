/** Request headers that choose the answer are a part of what a recording answers. */
import { describe, expect, it } from 'vitest'
import { fakeWiki } from '../../../helpers/fake-wiki.ts'
import { interactionFiles } from '../../../helpers/folders.ts'
import { ask, type HttpReply } from '../../../helpers/http-client.ts'
import { type RunningProxy, startProxy } from '../../../helpers/proxies.ts'

type Headers = Readonly<Record<string, string>>
const status = (reply: HttpReply): string => String(reply.headers['x-cassette-status'])
const get = (
  proxy: { readonly origin: string },
  target: string,
  headers: Headers = {}
): Promise<HttpReply> => ask(`${proxy.origin}${target}`, { headers })

/** Its page is HTML, or JSON where that is accepted. */
const negotiating = (): ReturnType<typeof fakeWiki> =>
  fakeWiki((_, { headers }) => {
    const isJson = headers.accept === 'application/json'
    const type = isJson ? 'application/json' : 'text/html'
    return {
      headers: { 'content-type': type, vary: 'Accept-Encoding, Accept, Cookie' },
      body: isJson ? '{"title":"A"}' : '<p>A</p>'
    }
  })

const page = '/wiki/A'
const json = { accept: 'application/json' }
const html = { accept: 'text/html' }

describe('a header that the answer’s Vary names', () => {
  it.each([[undefined], ['strict']] as const)(
    'is a part of what a recording answers, match: %s',
    async (match) => {
      const wiki = await negotiating()
      const recording = await startProxy(wiki.api)
      if (match !== undefined) {
        const { store } = recording.rack.first
        store.setManifest({ ...store.manifest, match })
      }
      for (const headers of [html, json, html, json]) {
        const reply = await get(recording, page, headers)
        expect(reply.text).toBe(headers === json ? '{"title":"A"}' : '<p>A</p>')
      }
      await recording.close()
      expect(interactionFiles(recording.cassette)).toHaveLength(2)
      const replay = await startProxy(undefined, { cassette: recording.cassette })
      for (const headers of [json, html, json])
        expect((await get(replay, page, headers)).text).toBe(
          headers === json ? '{"title":"A"}' : '<p>A</p>'
        )
      const other = await get(replay, page, { accept: 'application/xml' })
      expect(other.text).toContain('recorded \\"text/html\\", got \\"application/xml\\"')
      expect(status(await get(replay, page))).toBe('miss')
    }
  )

  it('may lack in REST’s HTML where no language was sent', async () => {
    const wiki = await fakeWiki(languageOf, true)
    const recording = await startProxy(wiki.api)
    const target = '/w/rest.php/v1/page/A/with_html'
    await get(recording, target)
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    expect(status(await get(replay, target))).toBe('replayed')
    const inEnglish = await get(replay, target, { 'accept-language': 'en' })
    expect(status(inEnglish)).toBe('miss')
  })

  it('answers who sends none like the first, if that sent none or accepted anything', async () => {
    const wiki = await negotiating()
    const recording = await startProxy(wiki.api)
    await get(recording, page, { accept: '*/*' })
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    expect(status(await get(replay, page))).toBe('replayed')
    expect(status(await get(replay, page, json))).toBe('miss')
    // The response cache has the one answer by now.
    expect(status(await get(replay, page))).toBe('replayed')
    expect(status(await get(replay, page, json))).toBe('miss')
  })

  it.each([page, '/w/api.php?action=query&format=json'])(
    'is any, if it says *: %s answers the same request alone',
    async (target) => {
      const wiki = await fakeWiki(() => ({
        headers: { vary: 'Accept-Encoding, *' },
        body: '{}'
      }))
      const recording = await startProxy(wiki.api)
      const lab = { 'x-lab': 'one' }
      const sent = [{}, lab, { 'x-lab': 'two' }]
      for (const headers of sent)
        expect(status(await get(recording, target, headers))).toBe('recorded')
      expect(status(await get(recording, target, lab))).toBe('replayed')
      await recording.close()
      const replay = await startProxy(undefined, { cassette: recording.cassette })
      for (const headers of sent)
        expect(status(await get(replay, target, headers))).toBe('replayed')
      const other = await get(replay, target, { 'x-lab': 'three' })
      expect(status(other)).toBe('miss')
      expect(other.text).toContain('Its answer varies by a request header: any (recorded')
    }
  )

  it('that matters to nobody changes nothing', async () => {
    const wiki = await fakeWiki(() => ({
      headers: { vary: 'Accept-Encoding, Cookie, X-Forwarded-Proto' },
      body: '{}'
    }))
    const recording = await startProxy(wiki.api)
    await get(recording, page, html)
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    expect(status(await get(replay, page, json))).toBe('replayed')
  })
})

const languageOf: Parameters<typeof fakeWiki>[0] = (_, { headers }) =>
  JSON.stringify({ got: headers['accept-language'] ?? 'none' })

describe('Accept-Language', () => {
  const latin = { 'accept-language': 'sr-Latn;q=0.5, sr-el, en' }
  const cyrillic = { 'accept-language': 'sr-ec' }
  const parse = '/w/api.php?action=parse&text=Beograd&format=json'

  async function recorded(
    target: string,
    sent: readonly Headers[]
  ): Promise<RunningProxy> {
    const wiki = await fakeWiki(languageOf, false, 'sr')
    const recording = await startProxy(wiki.api)
    for (const headers of sent) {
      const { text } = await get(recording, target, headers)
      expect(text).toBe(JSON.stringify({ got: headers['accept-language'] ?? 'none' }))
    }
    await recording.close()
    return startProxy(undefined, { cassette: recording.cassette })
  }

  it('chooses the script on a wiki with variants, while recording and on replay', async () => {
    const replay = await recorded(parse, [latin, cyrillic, {}])
    for (const headers of [cyrillic, {}, latin])
      expect((await get(replay, parse, headers)).text).toBe(
        JSON.stringify({ got: (headers as Headers)['accept-language'] ?? 'none' })
      )
  })

  it('of languages that the wiki has no variant of is none', async () => {
    const replay = await recorded(parse, [{}])
    expect(
      status(await get(replay, parse, { 'accept-language': 'en-US,en;q=0.9,*;q=0.1' }))
    ).toBe('replayed')
    const miss = await get(replay, parse, latin)
    expect(status(miss)).toBe('miss')
    expect(miss.text).toContain('accept language')
  })

  it.each([
    ['action=parse&page=MediaWiki:Mainpage/zh', 'miss'],
    ['action=query&prop=revisions&rvparse=&titles=A', 'miss'],
    ['action=query&prop=revisions&titles=A', 'replayed']
  ])(
    'chooses a parsed text on any wiki, since pages have languages: %s',
    async (query, told) => {
      const wiki = await fakeWiki(languageOf, true)
      const recording = await startProxy(wiki.api)
      const target = `/w/api.php?${query}&format=json`
      await get(recording, target, { 'accept-language': 'zh-tw, en' })
      await recording.close()
      const replay = await startProxy(undefined, { cassette: recording.cassette })
      const asked = ['zh-tw', 'zh-cn'].map((language) => ({
        'accept-language': language
      }))
      const replies = await Promise.all(asked.map((one) => get(replay, target, one)))
      expect(replies.map(status)).toEqual(['replayed', told])
    }
  )

  it.each(['acceptlang', '*'])('is told by uiprop=%s on every wiki', async (prop) => {
    const wiki = await fakeWiki(languageOf, true)
    const recording = await startProxy(wiki.api)
    const target = `/w/api.php?action=query&meta=userinfo&uiprop=${prop}&format=json`
    for (const language of ['de', 'fr;q=0.5, de'])
      expect(
        (await get(recording, target, { 'accept-language': language })).text
      ).toContain(language)
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    expect(
      (await get(replay, target, { 'accept-language': 'de, fr; q=0.5' })).text
    ).toContain('fr;q=0.5, de')
    expect(status(await get(replay, target))).toBe('miss')
  })
})
