/** Warnings of parameters that no module has and of modules that the wiki does not have, in answers that have a place for them. */
import { describe, expect, it, test } from 'vitest'
import {
  plainRecording,
  warnOfUnknown,
  withoutIdle
} from '../../../../src/recorder/engine/replay/unknown-params.ts'
import { readTree } from '../../../../src/recorder/json/read-json.ts'
import { writeCompact } from '../../../../src/recorder/json/write-json.ts'
import { derive } from '../../../../src/recorder/request/derive.ts'
import type { ModuleLookup } from '../../../../src/recorder/wiki/modules/module-descriptions.ts'
import { apiRequest } from '../../../helpers/api-requests.ts'
import { readSample } from '../../../helpers/described-wikis.ts'
import { fakeWiki } from '../../../helpers/fake-wiki.ts'
import { ask } from '../../../helpers/http-client.ts'
import { startProxy } from '../../../helpers/proxies.ts'
import { tapeOf } from '../../paging/tape.ts'

const { facts, record } = tapeOf({}, readSample('1.43').modules as object[])

/** What the wiki says to a request, out of what it says to the plain one. */
function warned(text: string, more = '&foo=1'): string | undefined {
  const sent = derive(apiRequest(`action=query&format=json${more}`), facts)
  const plain = withoutIdle(sent, facts, () => [])
  const tree = readTree(text)
  const answer = tree && plain && warnOfUnknown(tree, sent, plain, facts)
  return answer && writeCompact(answer, 'utf8')
}

test('an object begins with the warning', () => {
  expect(warned('{"batchcomplete":""}')).toBe(
    '{"warnings":{"main":{"*":"Unrecognized parameter: foo."}},"batchcomplete":""}'
  )
})

test('what a module reads without listing it is not warned of', () => {
  const like = facts.lookup('query+allpages')
  const from = like?.parameters.get('from')
  const parameters = new Map(from ? [['modules', { ...from, name: 'modules' }]] : [])
  const lookup: ModuleLookup = (path) =>
    path === 'paraminfo'
      ? like && { ...like, path, prefix: '', parameters }
      : facts.lookup(path)
  const described = { ...facts, lookup }
  const idle = (query: string) => {
    const sent = derive(apiRequest(`format=json&${query}`), described)
    return withoutIdle(sent, described, () => [])
  }
  expect(idle('action=paraminfo&foo=1')).toBeDefined()
  for (const name of ['redirects', 'titles'])
    expect(idle(`action=paraminfo&${name}=1`)).toBeUndefined()
  const ofQuery = (more: string): unknown => idle(`action=paraminfo${more}&continue=`)
  expect(ofQuery('&modules=query')).toBeUndefined()
  expect(ofQuery('&modules=edit')).toBeDefined()
})

test('beside a module that is not known, the names that are not have an order', () => {
  const more = '&prop=info|bogus&errorformat=plaintext&continue=foo||'
  const sent = (names: string) =>
    derive(apiRequest(`action=query&format=json${more}${names}`), facts)
  expect(withoutIdle(sent('&bar=1'), facts, () => [])).toBeUndefined()
  expect(withoutIdle(sent(''), facts, () => [])).toBeDefined()
})

test('a batch further on begins with it, too', () => {
  const text = '{"batchcomplete":"","query":{}}'
  const more = '&list=allpages&apcontinue=B&foo=1&continue='
  expect(warned(text, `${more}-||`)).toContain('"Unrecognized parameter: foo."')
  expect(warned(text, `${more}apcontinue|aplimit||`)).toBeUndefined()
})

test.each(['["A",["Ab"]]', '{"warnings":{}}'])('%s has none', (text) => {
  expect(warned(text)).toBeUndefined()
})

test('an error ends a request before its parameters are looked through', () => {
  expect(warned('{"error":{}}')).toBe('{"error":{}}')
  // Source: ApiOpenSearchFormatJson::execute
  expect(warned('{"error":{"code":"warnings","warnings":{}}}')).toBeUndefined()
})

const bogus = '{"query":{"*":"Unrecognized value for parameter \\"prop\\": bogus"}}'
const inQuery = bogus.slice(1, -1)
const deprecated = '"main":{"*":"Subscribe to the list."},"revisions":{"*":"Old."}'

/** As 1.35, 1.39 and 1.43 answered. */
test.each([
  ['', '{"batchcomplete":""}', `{"batchcomplete":"","warnings":${bogus}}`],
  [
    '',
    '{"batchcomplete":"","continue":{},"limits":{},"query":{}}',
    `{"batchcomplete":"","continue":{},"warnings":${bogus},"limits":{},"query":{}}`
  ],
  ['&bar=1&foo=', '{"query-continue":{},"query":{}}', undefined],
  [
    '&bar=&foo=',
    '{"query-continue":{},"query":{}}',
    `{"query-continue":{},"warnings":{"main":{"*":"Unrecognized parameters: bar, foo."},${inQuery}},"query":{}}`
  ],
  [
    '',
    `{"batchcomplete":"","warnings":{${deprecated}},"query":{}}`,
    `{"batchcomplete":"","warnings":{${deprecated},${inQuery}},"query":{}}`
  ],
  [
    '&formatversion=2',
    '{"batchcomplete":true,"query":{}}',
    `{"batchcomplete":true,"warnings":${bogus.replace('*', 'warnings')},"query":{}}`
  ],
  ['', '{"warnings":{"query":{"*":"Too many titles."}}}', undefined],
  ['', '{"warnings":{"main":{"*":"Not NFC."}}}', undefined],
  ['', '{"error":{}}', undefined],
  ['', '{"error":{"code":"assertuserfailed"}}', undefined],
  [
    '',
    '{"error":{"code":"badinteger","info":"Invalid value \\"x\\" for integer parameter \\"revids\\"."}}',
    undefined
  ],
  [
    '&foo=',
    '{"error":{"code":"invalidparammix"},"requestid":"5"}',
    `{"error":{"code":"invalidparammix"},"warnings":${bogus},"requestid":"5"}`
  ],
  ['&errorformat=plaintext', '{"batchcomplete":""}', undefined]
])(
  'a missing module is warned of behind what a query adds last: %s %s',
  (more, text, said) => {
    expect(warned(text, `&prop=info|bogus${more}`)).toBe(said)
  }
)

describe('a recording with a missing module', () => {
  const query = { pages: {} }
  const said = { query: { '*': 'Unrecognized value for parameter "prop": bogus' } }
  const main = { '*': 'Unrecognized parameter: foo.' }

  it.each([
    [{ batchcomplete: '', warnings: said, query }, 'prop=info', {}],
    [{ batchcomplete: '', warnings: { main, ...said }, query }, 'prop=info', {}],
    [
      { batchcomplete: '', warnings: { info: { '*': 'x' }, ...said }, query },
      'prop=info',
      { warnings: { info: { '*': 'x' } } }
    ],
    [{ batchcomplete: '', query }, 'prop=info|bogus', {}],
    [
      { batchcomplete: '', warnings: { main: { '*': 'Not NFC.' }, ...said }, query },
      'prop=info|bogus',
      { warnings: { main: { '*': 'Not NFC.' }, ...said } }
    ]
  ])('%j is one of %s', (body, plain, left) => {
    const foo =
      JSON.stringify(body).includes('foo') && plain === 'prop=info' ? '&foo=' : ''
    const recorded = record(`prop=info|bogus&titles=A${foo}`, body)
    const [one] = [plainRecording(recorded, facts)]
    const { canonical } = derive(
      apiRequest(`action=query&format=json&titles=A&${plain}`),
      facts
    )
    expect([...one.request].sort()).toEqual([...canonical].sort())
    const { body: kept } = one.responses[0]
    expect(kept.kind === 'json' && JSON.parse(writeCompact(kept.tree, 'utf8'))).toEqual({
      batchcomplete: '',
      query,
      ...left
    })
  })
})

it('another limit is answered from it, and it from a recording without such a module', async () => {
  const rows =
    '"allpages":[{"pageid":1,"ns":0,"title":"A"},{"pageid":2,"ns":0,"title":"B"}]'
  const warning = (names: string) =>
    `"warnings":{"query":{"*":"Unrecognized value for parameter \\"list\\": ${names}"}},`
  const wiki = await fakeWiki(
    (params) =>
      `{"batchcomplete":"",${params.get('list')?.includes('bogus') ? warning('bogus') : ''}"query":{${rows}}}`
  )
  for (const list of ['bogus|allpages', 'allpages']) {
    const recording = await startProxy(wiki.api)
    await ask(`${recording.api}?action=query&format=json&list=${list}&aplimit=5`)
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    const reply = await ask(
      `${replay.api}?action=query&format=json&list=allpages|zig-zag&aplimit=4`
    )
    const found = list === 'allpages' ? 'synthesized' : 'miss'
    expect(reply.headers['x-cassette-status']).toBe(found)
    const same = await ask(
      `${replay.api}?action=query&format=json&list=allpages|bogus&aplimit=4`
    )
    expect(same.text).toBe(`{"batchcomplete":"",${warning('bogus')}"query":{${rows}}}`)
  }
})

it.each([
  ['', 'synthesized'],
  ['"continue":{"licontinue":"hak","continue":"-||siteinfo"},', 'miss'],
  ['"query-continue":{"languageinfo":{"licontinue":"hak"}},', 'miss']
])(
  'an answer that ends where the wiki took too long is only replayed: %s',
  async (more, found) => {
    const body = `{"batchcomplete":"",${more}"query":{"general":{"time":"x"}}}`
    const wiki = await fakeWiki(() => body)
    const recording = await startProxy(wiki.api)
    const query = 'action=query&format=json&meta=siteinfo'
    await ask(`${recording.api}?${query}`)
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    expect((await ask(`${replay.api}?${query}`)).headers['x-cassette-status']).toBe(
      'replayed'
    )
    const other = await ask(`${replay.api}?${query}&list=zig-zag`)
    expect(other.headers['x-cassette-status']).toBe(found)
  }
)
