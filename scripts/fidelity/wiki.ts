/** A real wiki as the fidelity test asks it: answers as a cassette would keep them, and what the wiki says of itself. */
import { Agent, request as send } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { Interaction } from '../../src/recorder/cassette/interaction.ts'
import type { JsonTree } from '../../src/recorder/json/json-tree.ts'
import {
  type ListingFact,
  listingFacts
} from '../../src/recorder/knowledge/listing-facts.ts'
import type { ApiRequest, Identity } from '../../src/recorder/request/api-request.ts'
import {
  type Derivation,
  derive,
  type WikiFacts
} from '../../src/recorder/request/derive.ts'
import { digest } from '../../src/recorder/request/request-key.ts'
import { envelopeOf } from '../../src/recorder/wiki/answers/envelope.ts'
import {
  decodeModule,
  type ModuleDescription
} from '../../src/recorder/wiki/modules/module-descriptions.ts'
import { parseUrlencoded } from '../../src/recorder/wiki/parameters/request-params.ts'
import {
  allSiteinfoParams,
  decodeSiteinfo
} from '../../src/recorder/wiki/site/site-facts.ts'
import { toRecordedResponse } from '../../test/helpers/converted.ts'
import type { LabAccount } from '../wiki/lab.ts'
import { WikiSession } from '../wiki/session.ts'

/** Somebody who is logged in. */
export interface Caller {
  readonly identity: Identity
  readonly session: WikiSession
}

/** One question and the wiki's answer. */
export interface Asked {
  readonly derivation: Derivation
  readonly body: JsonTree
  readonly interaction: Interaction
}

export class RealWiki {
  readonly url: string
  readonly facts: WikiFacts
  asked = 0
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 3 })
  readonly #memo = new Map<string, Promise<Asked>>()

  readonly #kept: ReadonlyMap<string, string>
  readonly #keep: (url: string, body: string) => void

  readonly #state: string
  readonly #caller: Caller | undefined

  /**
   * @param state tells this wiki from the same one built anew
   * @param kept answers of an earlier run
   * @param keep what to do with new ones
   * @param caller who asks, where that is somebody in particular
   */
  constructor(
    url: string,
    facts: WikiFacts,
    state = '',
    kept: ReadonlyMap<string, string> = new Map(),
    keep: (url: string, body: string) => void = () => undefined,
    caller?: Caller
  ) {
    this.url = url
    this.#caller = caller
    this.#state = state
    this.#kept = kept
    this.#keep = keep
    this.facts = facts
  }

  derive(query: string): Derivation {
    return derive(requestOf(query, this.#caller), this.facts)
  }

  /** Asks once; the same question again costs nothing. */
  ask(query: string): Promise<Asked> {
    let held = this.#memo.get(query)
    if (held === undefined) {
      held = this.#ask(query)
      this.#memo.set(query, held)
    }
    return held
  }

  /** Drops the answers to questions about that listing: all of them together do not fit into memory. */
  forget(query: string): void {
    for (const asked of this.#memo.keys())
      if (asked.includes(`&${query}&`)) this.#memo.delete(asked)
  }

  close(): void {
    this.#agent.destroy()
  }

  async #body(query: string): Promise<Buffer> {
    const url = `${this.url}?${query}`
    const name = `${this.#state} ${this.#caller === undefined ? '' : `${this.#caller.identity} `}${url}`
    const held = this.#kept.get(name)
    // Thousands of kept answers in a row must not keep the other wikis' waiting.
    if (held !== undefined) return setImmediate(Buffer.from(held))
    this.asked += 1
    const body =
      this.#caller === undefined
        ? await read(url, this.#agent)
        : Buffer.from((await this.#caller.session.raw(query)).body)
    this.#keep(name, body.toString('utf8').replace(/,"debuginfo":.*}$/s, '}'))
    return body
  }

  async #ask(query: string): Promise<Asked> {
    const request = requestOf(query, this.#caller)
    const body = await this.#body(query)
    const headers = new Map([['content-type', 'application/json; charset=utf-8']])
    const taking = toRecordedResponse(
      request,
      { status: 200, headers, setCookies: [], body },
      0
    )
    if (taking.kind === 'refused' || taking.response.body.kind !== 'json')
      throw new Error(`no JSON: ${query}`)
    const derivation = derive(request, this.facts)
    const interaction: Interaction = {
      key: derivation.key,
      request: derivation.canonical,
      sentValues: derivation.sentValues,
      responses: [taking.response]
    }
    return { derivation, body: taking.response.body.tree, interaction }
  }
}

const requestOf = (query: string, caller?: Caller): ApiRequest => {
  const params = parseUrlencoded(query)
  return {
    kind: 'api',
    params,
    files: [],
    envelope: envelopeOf(params),
    identity: caller?.identity ?? 'anonymous',
    posted: false
  }
}

function read(url: string, agent: Agent): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const request = send(url, { agent, timeout: 60_000 }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        resolve(Buffer.concat(parts))
      })
      response.on('error', reject)
    })
    request.on('error', reject)
    request.on('timeout', () => request.destroy(new Error(`no answer in 60 s: ${url}`)))
    request.end()
  })
}

/**
 * Connects, and reads the descriptions of all modules that the test uses.
 * @param leaveOut whether nothing is known of the wiki's own version
 * @param account who asks: logging in writes to the wiki
 */
export async function connect(
  url: string,
  modules: readonly string[],
  kept?: ReadonlyMap<string, string>,
  keep?: (url: string, body: string) => void,
  leaveOut = false,
  account?: LabAccount
): Promise<RealWiki> {
  const agent = new Agent({ keepAlive: true })
  const ask: Ask = async (query) =>
    JSON.parse((await read(`${url}?format=json&${query}`, agent)).toString('utf8'))
  const site = decodeSiteinfo(
    await ask(
      `action=query&meta=siteinfo&formatversion=2&siprop=${allSiteinfoParams.siprop}`
    )
  )
  const described = await describe(
    ['main', 'json', 'query', ...modules.map((name) => `query+${name}`)],
    ask
  )
  const probe =
    'action=query&list=recentchanges&rclimit=50&rcprop=ids|title&meta=siteinfo&siprop=statistics'
  const state = digest(JSON.stringify(await ask(probe)).replace(/,"debuginfo":.*/, ''), 8)
  agent.destroy()
  const [, version = ''] = /^MediaWiki (\d+\.\d+)/.exec(site?.generator ?? '') ?? []
  const known = leaveOut ? { known: withoutVersion(version) } : {}
  const caller: Caller | undefined = account && {
    identity: `user:${account.name}`,
    session: await WikiSession.of(url, account)
  }
  return new RealWiki(
    url,
    { lookup: (path) => described.get(path), site, ...known },
    state,
    kept,
    keep,
    caller
  )
}

type Ask = (query: string) => Promise<unknown>

async function describe(
  paths: readonly string[],
  ask: Ask
): Promise<ReadonlyMap<string, ModuleDescription>> {
  const described = new Map<string, ModuleDescription>()
  for (let at = 0; at < paths.length; at += 40) {
    const answer = await ask(
      `action=paraminfo&helpformat=raw&modules=${encodeURIComponent(paths.slice(at, at + 40).join('|'))}`
    )
    for (const one of modulesIn(answer)) {
      const module = decodeModule(one)
      if (module !== undefined) described.set(module.path, module)
    }
  }
  return described
}

/** Answers of an earlier run, and what to do with new ones. */
type Keeping = readonly [
  kept?: ReadonlyMap<string, string>,
  keep?: (url: string, body: string) => void
]

/** A wiki with the descriptions of all submodules of `query` that it has. */
export interface DescribedWiki {
  readonly wiki: RealWiki
  readonly modules: readonly ModuleDescription[]
}

/** Connects, and reads the descriptions of all lists, props and generators. */
export async function connectToAll(
  url: string,
  ...keeping: Keeping
): Promise<DescribedWiki> {
  const agent = new Agent()
  const body = await read(
    `${url}?format=json&action=paraminfo&helpformat=none&modules=query`,
    agent
  )
  agent.destroy()
  const [query] = modulesIn(JSON.parse(body.toString('utf8'))).flatMap(
    (one) => decodeModule(one) ?? []
  )
  const named = [...(query?.parameters.values() ?? [])].flatMap(({ values }) => [
    ...values
  ])
  const names = [...new Set(named)]
  const wiki = await connect(url, names, ...keeping)
  return {
    wiki,
    modules: names.flatMap((name) => wiki.facts.lookup(`query+${name}`) ?? [])
  }
}

function modulesIn(answer: unknown): readonly unknown[] {
  const tree: unknown = answer
  if (typeof tree !== 'object' || tree === null || !('paraminfo' in tree)) return []
  const info: unknown = tree.paraminfo
  if (typeof info !== 'object' || info === null || !('modules' in info)) return []
  return Array.isArray(info.modules) ? info.modules : []
}

/** The facts without the evidence of one version. */
export const withoutVersion = (version: string): readonly ListingFact[] =>
  listingFacts().flatMap((fact) => {
    const on = fact.on.filter((one) => one !== version)
    return on.length === 0 ? [] : [{ ...fact, on }]
  })
