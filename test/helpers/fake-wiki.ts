/** A wiki in a few lines: it describes its modules as MediaWiki 1.43 does, and answers everything else as told. */
import type { ServerResponse } from 'node:http'
import { pageStateParams } from '../../src/recorder/cassette/format/pages-file.ts'
import {
  mergeParams,
  parseUrlencoded,
  writeQuery
} from '../../src/recorder/wiki/parameters/request-params.ts'
import { readSample } from './described-wikis.ts'
import { httpStandIn, type Seen, type StandIn } from './upstreams.ts'

/** What the wiki shall say: a text is JSON with status 200. */
export type FakeAnswer =
  | string
  | {
      readonly status?: number
      readonly headers?: Readonly<Record<string, string | readonly string[]>>
      readonly body: string | Uint8Array
    }

export interface FakeWiki extends StandIn {
  /** Address of its api.php. */
  readonly api: string
  /** Query strings asked for, less the wiki's description of itself and the state of its pages; a body is put behind `POST `. */
  readonly asked: () => readonly string[]
}

type Answering = (
  params: ReadonlyMap<string, string>,
  seen: Seen,
  response: ServerResponse
) => FakeAnswer | 'taken'

/**
 * @param answering gives the answer, or takes the response into its own hands
 * @param knowsCallers true where it also answers who a caller is, when wikitape asks. @param lang of its content
 */
export async function fakeWiki(
  answering: Answering = echo,
  knowsCallers = false,
  lang = 'ru'
): Promise<FakeWiki> {
  const asked: string[] = []
  const wiki = await httpStandIn((seen, response) => {
    const cut = seen.target.indexOf('?')
    const query = cut < 0 ? '' : seen.target.slice(cut + 1)
    const body = seen.body.toString('utf8')
    const params = mergeParams(
      parseUrlencoded(seen.body.toString('latin1')),
      parseUrlencoded(query)
    )
    const asksCaller = asksWho(params)
    const itself = description(params)?.replace('"lang":"ru"', `"lang":"${lang}"`)
    const described = itself ?? (asksCaller && !knowsCallers ? callerOf(seen) : undefined)
    if (described === undefined && !asksForStates(params) && !asksCaller)
      asked.push(seen.method === 'POST' ? `POST ${body}` : query)
    const answer = described ?? answering(params, seen, response)
    if (answer !== 'taken') send(response, answer)
  })
  return { ...wiki, api: `${wiki.origin}/w/api.php`, asked: () => asked }
}

/** Says back what it was asked, so that answers to different requests differ. */
export const echo: Answering = (params) =>
  JSON.stringify({
    batchcomplete: '',
    query: { echo: [...params].map(([name, value]) => `${name}=${value}`) }
  })

function send(response: ServerResponse, answer: FakeAnswer): void {
  const {
    status = 200,
    headers = {},
    body
  } = typeof answer === 'string' ? { body: answer } : answer
  const lists = Object.entries(headers).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : [...value]
  ])
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    ...Object.fromEntries(lists)
  })
  response.end(body)
}

const sample = readSample('1.43')

/** The answer to `paraminfo` and to the `siteinfo` that wikitape asks for itself. */
export function description(params: ReadonlyMap<string, string>): string | undefined {
  if (params.get('action') === 'paraminfo') {
    const wanted = new Set((params.get('modules') ?? '').split('|'))
    const modules = sample.modules.filter(
      (one) => wanted.has('**') || wanted.has(pathOf(one))
    )
    return JSON.stringify({ paraminfo: { helpformat: 'none', modules } })
  }
  const own = params.get('siprop')?.startsWith('general|namespaces|namespacealiases')
  return own ? JSON.stringify(sample.site) : undefined
}

/** Whether wikitape asks whom the wiki takes a caller for. */
export const asksWho = (params: ReadonlyMap<string, string>): boolean =>
  writeQuery([...params]) === 'action=query&meta=userinfo&format=json&formatversion=2'

/** As MediaWiki's cookies name their sender, every session and token being good. */
export function callerOf({ headers: { cookie = '' } }: Seen): string {
  const sent = (name: string): string | undefined =>
    new RegExp(`${name}=([^;]+)`).exec(cookie)?.[1]
  const isProven = /(?:_session|_BPsession|Token)=[^;]/.test(cookie)
  const name = isProven && sent('UserID') !== undefined ? sent('UserName') : undefined
  const userinfo =
    name === undefined
      ? { id: 0, name: '127.0.0.1', anon: true }
      : { id: 3, name: decodeURIComponent(name.replaceAll('+', ' ')) }
  return JSON.stringify({ batchcomplete: true, query: { userinfo } })
}

/** Whether wikitape asks in which state pages are; a test that has pages answers that itself. */
export const asksForStates = (params: ReadonlyMap<string, string>): boolean =>
  params.get('prop') === pageStateParams.prop &&
  params.get('rvprop') === pageStateParams.rvprop

const pathOf = (module: unknown): string =>
  typeof module === 'object' && module !== null && 'path' in module
    ? String(module.path)
    : ''
