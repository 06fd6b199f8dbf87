/** Requests that name no format: what each module answers with by itself, while recording and in replay. */
import { expect, it } from 'vitest'
import { type FakeAnswer, type FakeWiki, fakeWiki } from '../../helpers/fake-wiki.ts'
import { ask, type HttpReply } from '../../helpers/http-client.ts'
import { type RunningProxy, startProxy } from '../../helpers/proxies.ts'

type Asked = ReadonlyMap<string, string>
type Answer = Exclude<FakeAnswer, string>

const page = (json: string, code?: string): Answer => ({
  body: `<!DOCTYPE html><h1>MediaWiki API result</h1><pre class="api-pretty-content">${json}</pre>`,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    ...(code === undefined ? {} : { 'mediawiki-api-error': code })
  }
})

const text = (type: string, body: string): Answer => ({
  body,
  headers: { 'content-type': type }
})

/** What ApiFormatJson prints. */
function json(params: Asked, value: string): Answer {
  const spelled =
    params.has('utf8') || params.get('formatversion') === '2'
      ? value
      : value.replaceAll('Ё', '\\u0401')
  const callback = params.get('callback')
  return callback === undefined
    ? text('application/json; charset=utf-8', spelled)
    : text('text/javascript; charset=utf-8', `/**/${callback}(${spelled})`)
}

const withError = (code: string, answer: Answer): Answer => ({
  ...answer,
  headers: { ...answer.headers, 'mediawiki-api-error': code }
})

function printed(params: Asked, value: string): Answer {
  const code = /"code":"(\w+)"/.exec(value)?.[1]
  if (params.get('format') !== 'json') return page(value, code)
  return code === undefined ? json(params, value) : withError(code, json(params, value))
}

/** As ApiOpenSearch, ApiTemplateData, ApiRsd, ApiFeedContributions and two extensions print (measured, and read in their source). */
function answerOf(params: Asked): Answer {
  const without = !params.has('format')
  switch (params.get('action')) {
    case 'opensearch':
      if (!params.has('search'))
        return printed(params, '{"error":{"code":"missingparam"}}')
      if (params.get('format') === 'xml')
        return text('text/xml; charset=utf-8', '<SearchSuggestion/>')
      return params.has('warningsaserror')
        ? withError('warnings', json(params, '{"error":{"code":"warnings"}}'))
        : json(params, '["Ё",["Ё"]]')
    case 'templatedata':
      return without
        ? json(
            params,
            '{"warnings":"&!format","pages":"Ё","debuginfo":{"mwVersion":"1.43.9"}}'
          )
        : printed(params, '{"pages":"Ё"}')
    case 'rsd':
      return text(
        'application/rsd+xml; charset=utf-8',
        '<rsd><debuginfo mwVersion="1.43.9"/></debuginfo></rsd>'
      )
    case 'feedcontributions':
      return text('application/xml; charset=utf-8', '<rss version="2.0"/>')
    case 'webapp-manifest':
      return text(
        'application/manifest+json; charset=utf-8',
        `{"name":"Ё${params.get('callback') ?? ''}"}`
      )
    case 'cargoquery':
      return printed(params, '{"cargoquery":"Ё"}')
    default:
      return printed(params, '{"query":"Ё"}')
  }
}

const opening = async (): Promise<{
  readonly wiki: FakeWiki
  readonly recording: RunningProxy
}> => {
  const wiki = await fakeWiki(answerOf)
  return { wiki, recording: await startProxy(wiki.api) }
}

const told = ({ status, headers, text: body }: HttpReply): unknown => ({
  status,
  type: headers['content-type'],
  error: headers['mediawiki-api-error'],
  body: body.replace(/,?"?<?debuginfo.*?(?:\}|<\/debuginfo>)/, '')
})

const asWikiSays = [
  ...[
    'opensearch&search=Ё',
    'templatedata&titles=Ё',
    'webapp-manifest',
    'cargoquery'
  ].flatMap((call) =>
    [
      '',
      '&callback=fn.x',
      '&origin=*',
      '&formatversion=2',
      '&utf8=',
      '&callback=f&requestid=7'
    ].map((options) => `action=${call}${options}`)
  ),
  ...[
    'rsd',
    'rsd&format=json',
    'feedcontributions&user=Bob',
    'feedcontributions&user=Bob&format=xml'
  ].map((call) => `action=${call}`),
  ...[
    'opensearch&search=Ё&format=xml',
    'cargoquery&format=jsonfm',
    'opensearch&search=Ё&format=json'
  ].map((call) => `action=${call}`)
].map((call) => encodeURI(call))

it.each(asWikiSays)('%s is what the wiki says, recorded and replayed', async (call) => {
  const { wiki, recording } = await opening()
  const direct = told(await ask(`${wiki.api}?${call}`))
  const recorded = await ask(`${recording.api}?${call}`)
  expect([recorded.headers['x-cassette-status'], told(recorded)]).toEqual([
    'recorded',
    direct
  ])
  await recording.close()
  const replay = await startProxy(undefined, { cassette: recording.cassette })
  const replayed = await ask(`${replay.api}?${call}`)
  expect([replayed.headers['x-cassette-status'], told(replayed)]).toEqual([
    'replayed',
    direct
  ])
})

it('opensearch is one recording with format=json and without, since JSON is the default that it describes', async () => {
  const { wiki, recording } = await opening()
  const call = `action=opensearch&search=${encodeURIComponent('Ё')}`
  await ask(`${recording.api}?${call}&format=json`)
  const reply = await ask(`${recording.api}?${call}&callback=f`)
  expect([reply.headers['x-cassette-status'], told(reply)]).toEqual([
    'replayed',
    told(await ask(`${wiki.api}?${call}&callback=f`))
  ])
})

it.each(['opensearch', 'opensearch&search=A&warningsaserror=1'])(
  'an error is passed on as the wiki tells it, and a miss in replay: action=%s',
  async (call) => {
    const { wiki, recording } = await opening()
    const asked = `action=${call}`
    await ask(`${recording.api}?${asked}&format=json`)
    const passed = await ask(`${recording.api}?${asked}`)
    expect([passed.headers['x-cassette-status'], told(passed)]).toEqual([
      'passthrough',
      told(await ask(`${wiki.api}?${asked}`))
    ])
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    const missed = await ask(`${replay.api}?${asked}`)
    expect(missed.headers['x-cassette-status']).toBe('miss')
    expect(missed.text).toContain('add format=json')
  }
)

it.each(['cargoquery', 'templatedata', 'webapp-manifest'])(
  'a default that nothing proves is a miss, whichever side was recorded: %s',
  async (action) => {
    for (const [recorded, asked] of [
      ['&format=json', ''],
      ['', '&format=json'],
      ['&format=json', '&format=jsonfm']
    ]) {
      if (action === 'templatedata' && asked === '&format=jsonfm') continue
      const { recording } = await opening()
      await ask(`${recording.api}?action=${action}${recorded}`)
      await recording.close()
      const replay = await startProxy(undefined, { cassette: recording.cassette })
      const missed = await ask(`${replay.api}?action=${action}${asked}`)
      expect([asked, missed.headers['x-cassette-status']]).toEqual([asked, 'miss'])
      expect(missed.text.includes('wikitape capture')).toBe(asked !== '')
      if (asked !== '&format=jsonfm')
        expect(missed.text).toContain('own default format is unknown')
    }
  }
)

it('the wiki is requested as the client asked, but for modules known to answer with the debugging page', async () => {
  const { wiki, recording } = await opening()
  for (const action of ['cargoquery', 'opensearch', 'query', 'rsd'])
    await ask(`${recording.api}?action=${action}&search=a`)
  expect(wiki.asked().map((query) => query.replace('&search=a', ''))).toEqual([
    'action=cargoquery',
    'action=opensearch',
    'action=query&format=json',
    'action=rsd&format=json'
  ])
})
