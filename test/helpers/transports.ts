/** The ways on which a client reaches a cassette; what the API promises has to hold on each. */
import { Agent } from 'node:http'
import path from 'node:path'
import { startReplay } from '../../src/integrations/program/start.ts'
import { ask, type HttpReply } from './http-client.ts'

export interface Transport {
  /** Asks as a client of the wiki does, GET unless the query is too long for a URL. */
  readonly ask: (
    query: string,
    session: string
  ) => Promise<HttpReply & { readonly cookies: readonly string[] }>
  readonly close: () => Promise<unknown>
}

/** @param folder of the cassette */
type Start = (folder: string) => Promise<Transport>

/** Connections are kept, as clients of a library keep them. */
const agent = new Agent({ keepAlive: true })

const asker =
  (api: string): Transport['ask'] =>
  async (query, session) => {
    const headers = { 'x-cassette-session': session }
    const reply = await ask(`${api}?${query}`, { headers, agent })
    return { ...reply, cookies: reply.headers['set-cookie'] ?? [] }
  }

const throughProxy: Start = async (folder) => {
  const { apiUrl, close } = await startReplay({ cassette: folder })
  return { ask: asker(apiUrl), close }
}

/** The other kind of client that nock answers. */
const fetching =
  (api: string): Transport['ask'] =>
  async (query, session) => {
    const reply = await fetch(`${api}?${query}`, {
      headers: { 'x-cassette-session': session }
    })
    const body = Buffer.from(await reply.arrayBuffer())
    return {
      status: reply.status,
      headers: Object.fromEntries(reply.headers),
      body,

      text: body.toString('utf8'),
      cookies: reply.headers.getSetCookie()
    }
  }

const throughNock: Start = async (folder) => {
  // Not before it is needed: once loaded, nock sees to every request of the process, those to the proxy, too.
  const { insertCassette } = await import(
    '../../src/integrations/nock/insert-cassette.ts'
  )
  const root = path.dirname(folder)
  const apiUrl = 'http://wiki.example/w/api.php'
  const { close } = insertCassette(path.basename(folder), {
    root,
    apiUrl,
    moved: true,
    mode: 'none',
    quiet: true
  })
  return { ask: fetching(apiUrl), close }
}

export const transports: readonly { readonly name: string; readonly start: Start }[] = [
  { name: 'through the proxy', start: throughProxy },
  { name: 'through nock', start: throughNock }
]
