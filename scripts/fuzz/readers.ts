/** Everything in wikitape that reads what strangers write: clients, wikis, other recorders, cassettes from elsewhere. */
import { fileURLToPath } from 'node:url'
import { nextRequest } from '../../src/cli/capture/recorded-answers.ts'
import { decodeInteraction } from '../../src/recorder/cassette/format/decode-interaction.ts'
import { interactionPath } from '../../src/recorder/cassette/interaction-path.ts'
import { mergeInteractions } from '../../src/recorder/cassette/merge/merge-files.ts'
import { wikiFactsOf } from '../../src/recorder/engine/call.ts'
import { readApiUrl } from '../../src/recorder/http/api-url.ts'
import { parseFormBody } from '../../src/recorder/http/request-body.ts'
import { cutMembers } from '../../src/recorder/json/edit-json.ts'
import { sameTree } from '../../src/recorder/json/json-tree.ts'
import { readJson, readTree } from '../../src/recorder/json/read-json.ts'
import { writeCompact, writePretty } from '../../src/recorder/json/write-json.ts'
import { scanFile } from '../../src/recorder/privacy/detect/scan-file.ts'
import { SecretRegistry } from '../../src/recorder/privacy/known/secret-registry.ts'
import { redactResponse } from '../../src/recorder/privacy/redact/redact-response.ts'
import { redactUrl } from '../../src/recorder/privacy/redact/redact-url.ts'
import type { ApiRequest } from '../../src/recorder/request/api-request.ts'
import { derive } from '../../src/recorder/request/derive.ts'
import { readControls } from '../../src/recorder/server/control-headers.ts'
import { crossOriginOf, preflightHeaders } from '../../src/recorder/server/host-policy.ts'
import { CassetteStore } from '../../src/recorder/store/cassette-store.ts'
import { whyUnrecordable } from '../../src/recorder/upstream/answers/recordable.ts'
import { stripDebuginfoText } from '../../src/recorder/wiki/answers/debuginfo.ts'
import { envelopeOf } from '../../src/recorder/wiki/answers/envelope.ts'
import {
  equalTextsIgnoringVolatile,
  withoutParserReports
} from '../../src/recorder/wiki/answers/volatile.ts'
import type { WikiAnswer } from '../../src/recorder/wiki/answers/wiki-answer.ts'
import {
  parseSetCookie,
  writeSetCookie
} from '../../src/recorder/wiki/cookies/session-cookies.ts'
import { decodeModule } from '../../src/recorder/wiki/modules/module-descriptions.ts'
import {
  parseUrlencoded,
  writeQuery
} from '../../src/recorder/wiki/parameters/request-params.ts'
import { decodeSiteinfo, parseTitle } from '../../src/recorder/wiki/site/site-facts.ts'
import { readRecording } from '../../src/transfer/find-recordings.ts'
import { toRecordedResponse } from '../../test/helpers/converted.ts'

/** Reads one input; what is wrong with the input is a value, so whatever it throws is a crash. */
export type Reader = (input: string) => void

const must = (holds: boolean, rule: string): void => {
  if (!holds) throw new Error(`broken rule: ${rule}`)
}

export function apiRequest(query: string): ApiRequest {
  const params = parseUrlencoded(query)
  const envelope = envelopeOf(params)
  return {
    kind: 'api',
    params,
    files: [],
    envelope,
    identity: 'anonymous',
    posted: false
  }
}

const facts = wikiFactsOf(
  CassetteStore.open(fileURLToPath(new URL('../../cassettes/ru-1.43', import.meta.url)))
)
const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')
const nothing = (): undefined => undefined
const site = {
  generator: 'MediaWiki 1.43.0',
  lang: 'ru',
  namespaces: [
    { id: 0, name: '', aliases: [], firstLetter: true },
    { id: 6, name: 'Файл', aliases: ['File', 'Image'], firstLetter: true }
  ]
}

const answerOf = (type: string, body: string): WikiAnswer => ({
  status: 200,
  headers: new Map([
    ['content-type', type],
    ['location', body.slice(0, 2000)]
  ]),
  setCookies: [body.slice(0, 2000)],
  body: Buffer.from(body)
})

/** What becomes of an answer on its way to the disk. */
function record(query: string, type: string, body: string): void {
  const request = apiRequest(query)
  const answer = answerOf(type, body)
  whyUnrecordable(request, answer, false)
  const taking = toRecordedResponse(request, answer, 0)
  if (taking.kind === 'refused') return
  const { response, secrets } = redactResponse(taking.response)
  const ledger = new SecretRegistry()
  ledger.learnFromResponse(secrets)
  ledger.findLeaks(response.body.kind === 'text' ? response.body.text : '')
}

export const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  [
    'query',
    (input) => {
      const params = parseUrlencoded(latin1(input))
      const again = parseUrlencoded(writeQuery(params))
      for (const [name, value] of params)
        if (!/[[\].+ ]/.test(name) && !name.includes('\0'))
          must(again.get(name) === value, 'a query written is read the same')
    }
  ],
  [
    'derive',
    (input) => {
      const { key, canonical } = derive(apiRequest(latin1(input)), facts)
      const file = interactionPath(canonical, key)
      must(
        !/(?:^|\/)\.\.?(?:\/|$)|[\\:*?"<>|\0]/.test(file),
        'a file name stays in its folder'
      )
      must(
        file.split('/').every((part) => Buffer.byteLength(part) <= 120),
        'a file name is short'
      )
    }
  ],
  [
    'json',
    (input) => {
      const reading = readJson(input)
      if (!reading.ok) return
      const again = readJson(writePretty(reading.tree))
      must(
        again.ok && sameTree(again.tree, reading.tree),
        'JSON written is read the same'
      )
      writeCompact(reading.tree, 'ascii')
      cutMembers(input, ['debuginfo'])
    }
  ],
  ['debugging page', (input) => void stripDebuginfoText(input, 'jsonfm')],
  ['xml', (input) => void stripDebuginfoText(input, 'text/xml')],
  ['php', (input) => void stripDebuginfoText(input, 'application/vnd.php.serialized')],
  [
    'recorded JSON',
    (input) => record('action=query&format=json', 'application/json', input)
  ],
  [
    'recorded JSONP',
    (input) => record('action=query&format=json&callback=a', 'text/javascript', input)
  ],
  ['recorded XML', (input) => record('action=query&format=xml', 'text/xml', input)],
  [
    'recorded PHP',
    (input) => record('action=query&format=php', 'application/vnd.php.serialized', input)
  ],
  ['recorded page', (input) => record('action=help&format=json', 'text/html', input)],
  [
    'cassette file',
    (input) => {
      decodeInteraction(input, nothing)
      mergeInteractions(
        { base: undefined, ours: input, theirs: `${input} ` },
        'a.0123456789ab.json'
      )
    }
  ],
  ['check', (input) => void scanFile('a.json', input)],
  [
    'description',
    (input) => {
      const reading = readJson(input)
      if (!reading.ok) return
      const value: unknown = JSON.parse(input.replace(/^\ufeff/, ''))
      const module = decodeModule(value)
      decodeSiteinfo(value)
      for (const { pattern } of module?.templates ?? []) pattern.test(input)
    }
  ],
  ['title', (input) => void parseTitle(input, site)],
  ['reports', (input) => void withoutParserReports(input)],
  ['volatile text', (input) => void equalTextsIgnoringVolatile(input, `${input} `)],
  [
    'control headers',
    (input) => {
      const [first = '', ...rest] = input.split('\n')
      const header = latin1(rest.join(' '))
      readControls(`/~${encodeURI(first.toWellFormed())}/w/api.php`, {})
      readControls(`/${first}`, {
        'x-cassette': header,
        'x-cassette-mode': header,
        'x-cassette-session': header
      })
      crossOriginOf(
        { origin: header, referer: first, 'sec-fetch-site': 'cross-site' },
        { host: first, allowed: new Set() }
      )
      preflightHeaders(
        `/?${first}`,
        { origin: header, 'access-control-request-headers': header },
        undefined
      )
    }
  ],
  [
    'url',
    (input) => void [redactUrl(input), readApiUrl(input), readApiUrl(`https://${input}`)]
  ],
  [
    'cookie',
    (input) => {
      const cookie = parseSetCookie(input, 0)
      writeSetCookie(cookie, 0)
    }
  ],
  [
    'continue',
    (input) =>
      void nextRequest(
        new Map([['generator', 'allpages']]),
        new Map(),
        readTree(`{"query-continue":${input}}`)
      )
  ],
  [
    'multipart',
    (input) => {
      const [boundary = ''] = input.split('\n', 1)
      const headers = {
        'content-type': `multipart/form-data; boundary=${latin1(boundary)}`
      }
      parseFormBody(headers, Buffer.from(input))
      parseFormBody(
        { 'content-type': 'multipart/form-data; boundary=x' },
        Buffer.from(`--x\r\n${input}\r\n--x--`)
      )
    }
  ]
])

/** Readers that answer later. */
export const lateReaders: ReadonlyMap<string, (input: string) => Promise<void>> = new Map(
  [
    [
      'import',
      async (input: string) => {
        await readRecording(input, { now: 0 })
      }
    ]
  ]
)
