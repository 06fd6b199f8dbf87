/** What a real Wikibase 1.45 answered (test/fixtures/wikibase-1.45.ndjson.gz), and a stand-in that answers so again. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { ask, type HttpReply } from './http-client.ts'
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
