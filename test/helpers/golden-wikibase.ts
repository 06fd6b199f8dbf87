/** What a real Wikibase 1.45 answered (test/fixtures/wikibase-1.45.ndjson.gz), and a stand-in that answers so again. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished } from 'vitest'
import { ask, type HttpReply } from './http-client.ts'
import { serving } from './program.ts'
import { httpStandIn, type Seen, type StandIn } from './upstreams.ts'

export interface WikibaseCall {
  /** `read`, `rest`, `paraminfo`, `siteinfo`, `session-1` … */
  readonly kind: string
  readonly method: string
  readonly url: string
  /** The parameters of a form, or a JSON body as text. */
  readonly sent?: string | Readonly<Record<string, string>>
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const file = new URL('../fixtures/wikibase-1.45.ndjson.gz', import.meta.url)

export const wikibaseCalls: readonly WikibaseCall[] = gunzipSync(readFileSync(file))
  .toString('utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as WikibaseCall)

export const callsOf = (kind: string): readonly WikibaseCall[] =>
  wikibaseCalls.filter((call) => call.kind === kind)

/** The body as it is sent, and its type. */
export function bodyOf({
  sent
}: WikibaseCall): readonly [type: string, body: string] | undefined {
  if (sent === undefined) return undefined
  return typeof sent === 'string'
    ? ['application/json', sent]
    : ['application/x-www-form-urlencoded', new URLSearchParams(sent).toString()]
}

/** Asks for a call at another server. @param api address of its api.php */
export function askFor(
  api: string,
  call: WikibaseCall,
  headers: Readonly<Record<string, string>> = {}
): Promise<HttpReply> {
  const [type, body] = bodyOf(call) ?? []
  const typed = type === undefined ? {} : { 'content-type': type }
  return ask(new URL(call.url, api).href, {
    method: call.method,
    headers: { ...typed, ...headers },
    ...(body === undefined ? {} : { body })
  })
}

const paraminfos = new Map(
  callsOf('paraminfo').map(({ url, body }) => [
    new URLSearchParams(url.split('?')[1]).get('modules') ?? '',
    JSON.parse(body).paraminfo.modules[0]
  ])
)

/** What it says of itself, whatever the spelling of the request. */
function selfDescription(query: URLSearchParams): string | undefined {
  if (query.get('action') === 'paraminfo' && query.has('modules')) {
    const named = (query.get('modules') ?? '').split('|')
    const modules = named.flatMap((name) => paraminfos.get(name) ?? [])
    return JSON.stringify({ paraminfo: { helpformat: 'none', modules } })
  }
  return query.get('meta')?.includes('siteinfo') === true
    ? callsOf('siteinfo')[0]?.body
    : undefined
}

/** @param answersOf the answers to each request, in order; the last one repeats */
export function wikibaseStandIn(
  calls: readonly WikibaseCall[] = wikibaseCalls
): Promise<StandIn> {
  const asked = new Map<string, number>()
  const idOf = (method: string, target: string, body: string): string =>
    `${method} ${target} ${body}`
  const answers = new Map<string, WikibaseCall[]>()
  for (const call of calls) {
    const id = idOf(call.method, call.url, bodyOf(call)?.[1] ?? '')
    answers.set(id, [...(answers.get(id) ?? []), call])
  }
  const answer = ({
    method,
    target,
    body
  }: Seen): Pick<WikibaseCall, 'status' | 'headers' | 'body'> => {
    const id = idOf(method, target, body.toString('utf8'))
    const known = answers.get(id)
    const at = asked.get(id) ?? 0
    asked.set(id, at + 1)
    const call = known?.[Math.min(at, known.length - 1)]
    if (call !== undefined) return call
    const own = selfDescription(new URL(target, 'http://wiki.example').searchParams)
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    return own === undefined
      ? { status: 500, headers, body: '{"error":{"code":"internal_api_error_standin"}}' }
      : { status: 200, headers, body: own }
  }
  return httpStandIn((seen, response) => {
    const { status, headers, body } = answer(seen)
    response.writeHead(status, headers).end(body)
  })
}

/** Records these calls, each in its session. */
export async function recordAll(
  calls: readonly WikibaseCall[],
  sessionOf: (call: WikibaseCall) => string = () => ''
): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wikitape-wikibase-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const wiki = await wikibaseStandIn(calls)
  const recording = await serving([
    'record',
    `${wiki.origin}/w/api.php`,
    '--cassette',
    folder
  ])
  for (const call of calls) {
    const reply = await askFor(recording.api, call, headersOf(sessionOf(call)))
    expect(`${call.url} ${reply.status} ${reply.text}`).toBe(
      `${call.url} ${call.status} ${call.body}`
    )
  }
  await recording.stop()
  return folder
}

const headersOf = (session: string): Readonly<Record<string, string>> =>
  session === '' ? {} : { 'x-cassette-session': session }

interface Figures {
  answered: number
  refused: number
  readonly wrong: string[]
}

/** By module, or `rest`. */
export async function askAll(
  folder: string,
  calls: readonly WikibaseCall[],
  sessionOf: (call: WikibaseCall) => string = () => ''
): Promise<ReadonlyMap<string, Figures>> {
  const replaying = await serving(['replay', '--cassette', folder])
  const table = new Map<string, Figures>()
  for (const call of calls) {
    const row = table.get(moduleOf(call)) ?? { answered: 0, refused: 0, wrong: [] }
    table.set(moduleOf(call), row)
    const reply = await askFor(replaying.api, call, headersOf(sessionOf(call)))
    if (reply.headers['x-cassette-status'] === 'miss') {
      row.refused += 1
      if (process.env['SHOW'])
        process.stdout.write(
          `${decodeURIComponent(call.url)} ${JSON.stringify(call.sent)} ${reply.text.slice(0, 700)}\n`
        )
    } else if (reply.text === call.body && reply.status === call.status) row.answered += 1
    else row.wrong.push(`${call.url}: ${reply.text} instead of ${call.body}`)
  }
  await replaying.stop()
  return table
}

function moduleOf({ url }: WikibaseCall): string {
  const { pathname, searchParams } = new URL(url, 'http://wiki.example')
  if (!pathname.endsWith('/api.php')) return 'rest'
  const named = ['action', 'list', 'prop', 'generator'].flatMap((name) =>
    searchParams.get(name) === null ? [] : `${name}=${searchParams.get(name)}`
  )
  return `${named.join(' ')} ${searchParams.get('format') ?? ''}`
}

export const wrongIn = (table: ReadonlyMap<string, Figures>): readonly string[] =>
  [...table.values()].flatMap(({ wrong }) => wrong)
