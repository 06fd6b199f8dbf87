/** Takes the entries of one wiki into one cassette, by the way of every recording: derived, redacted, checked. */

import { setImmediate } from 'node:timers/promises'
import { dayOf } from '../cassette/format/manifest.ts'
import { Rack } from '../engine/registry/engine-registry.ts'
import { secretsOfHeaders } from '../privacy/known/request-secrets.ts'
import { splitCredentials, withoutCredentials } from '../privacy/redact/url-credentials.ts'
import type { Secret } from '../privacy/secrets/secret.ts'
import type { Store } from '../store/store.ts'
import { decodeQuery } from '../text/percent-decoding.ts'
import { UpstreamError } from '../upstream/upstream.ts'
import type { KeptExchange } from './exchange/imported-exchange.ts'
import { KeptUpstream } from './imported-upstream.ts'
import type { Entry } from './plan-cassettes.ts'
import { isApi, redirectedTo, type Wiki } from './recorded-wikis.ts'

/** What is to become one cassette. */
export interface Taking {
  readonly dir: string
  readonly wiki: Wiki
  /** True where the user says that the cassette's wiki now has this address. */
  readonly moved: boolean
  /** By file; `session` names the one that each file is of, empty for the common one. */
  readonly files: readonly {
    readonly file: string
    readonly session: string
    readonly entries: readonly Entry[]
  }[]
  /** A live wiki, or a cassette, that tells what modules are like. */
  readonly describing: ConstructorParameters<typeof KeptUpstream>[0]
  readonly now: number
  /** Called after each entry. */
  readonly onEntry?: () => void
}

/** An entry that was not taken. */
export interface LeftOut {
  readonly entry: number
  readonly address: string
  readonly why: string
}

/** What became of the entries of one file. */
export interface FileTaken {
  readonly file: string
  readonly cassette: string
  readonly wiki: string
  readonly entries: number
  /** Recorded. */
  readonly taken: number
  /** As recorded before, or an answer that an earlier entry has told already. */
  readonly same: number
  readonly leftOut: readonly LeftOut[]
  /** What was replaced inside of bodies, e.g. `token (csrftoken)`, and how often. */
  readonly redacted: Readonly<Record<string, number>>
  /** Redirects from one address of the wiki to another, which a client follows. */
  readonly redirects: number
}

export interface Taken {
  readonly files: readonly FileTaken[]
  readonly exitCode: number
  /** True where no wiki described its modules: nothing but what wikitape knows of them folds requests. */
  readonly undescribed: boolean
  /** What was told of the cassette besides. */
  readonly remarks: readonly string[]
}

/** @throws StoreError | UsageError */
export async function take({ dir, wiki, moved, files, describing, now, onEntry }: Taking): Promise<Taken> {
  const dates = files.flatMap(({ entries }) => entries.flatMap(({ reading }) => datesOf(reading)))
  const oldest = Math.min(...dates)
  const clock = { moment: dates.length > 0 ? oldest : now }
  const lines: string[] = []
  const source = new KeptUpstream(describing)
  const rack = new Rack({
    cassette: dir,
    mode: 'all',
    moved,
    live: { api: wiki.api, upstream: () => source, isKept: true },
    missStatus: 200,
    onMiss: 'error',
    recordErrors: false,
    now: () => clock.moment,
    report: (line) => void lines.push(line),
  })
  const engine = rack.engine(undefined, undefined)
  begin(engine.store, describing, dates.length > 0 ? dayOf(oldest) : undefined)
  if (moved) engine.store.setManifest({ ...engine.store.manifest, upstream: wiki.api.href })
  const { size, manifest } = engine.store
  source.mayRefuse =
    describing === undefined && manifest.site === undefined && (size === 0 || !manifest.describesItself)
  source.generator = manifest.site?.generator || undefined
  const taken: FileTaken[] = []
  const remarks: string[] = []
  for (const one of files) {
    const counted = new Counted(one.file, dir, wiki, one.entries.length)
    for (const { number, reading } of one.entries) {
      onEntry?.()
      // Nothing here waits for anything: without this no timer would run, and no progress be shown.
      if (number % entriesAtOnce === 0) await setImmediate()
      if (reading.kind === 'lacking') {
        counted.leaveOut(number, reading.address, reading.why)
        continue
      }
      clock.moment = reading.exchange.moment
      source.next = reading.exchange.answer
      await counted.follow(rack, number, reading.exchange, one.session, lines)
    }
    taken.push(counted.told())
    remarks.push(...lines.splice(0).filter((line) => line.startsWith('conflict')))
  }
  rack.close()
  return {
    files: taken,
    exitCode: rack.exitCode(),
    undescribed: !engine.store.manifest.describesItself,
    remarks,
  }
}

const entriesAtOnce = 50

/** The password of a URL, as it stands there, as it is meant, and as clients send it. */
function secretsOfUser({ href, username, password }: URL): readonly Secret[] {
  const [user, word] = [username, password].map((one) => decodeQuery(one.replaceAll('+', '%2B')))
  const pair = `${user}:${word}`
  const header = `Basic ${Buffer.from(pair).toString('base64')}`
  return [...splitCredentials(href).credentials, ...secretsOfHeaders([['authorization', header]])]
}

const datesOf = (reading: Entry['reading']): readonly number[] =>
  reading.kind === 'exchange' && reading.exchange.isDated ? [reading.exchange.moment] : []

/** The cassette is as old as its oldest recording (docs/decisions/0007-expiry.md), and of nobody knows what age where none is told. */
function begin(store: Store, described: Taking['describing'], day: string | undefined): void {
  const { recorded, ...rest } = store.manifest
  const known = store.size === 0 ? undefined : recorded
  const oldest =
    store.size > 0 && recorded === undefined
      ? undefined
      : [known, day].filter((one) => one !== undefined).sort()[0]
  store.setManifest(oldest === undefined ? rest : { ...rest, recorded: oldest })
  if (described === undefined || 'ask' in described || store.manifest.site !== undefined) return
  const { site, engine } = described.manifest
  if (site === undefined) return
  // That cassette may be another wiki's.
  const { wikiId: _, ...facts } = site
  store.setManifest({ ...store.manifest, site: facts, engine })
}

class Counted {
  readonly #of: Pick<FileTaken, 'file' | 'cassette' | 'wiki' | 'entries'>
  readonly #apiPath: string
  readonly #leftOut: LeftOut[] = []
  #taken = 0
  #same = 0
  readonly #redacted = new Map<string, number>()
  #redirects = 0

  constructor(file: string, cassette: string, { api }: Wiki, entries: number) {
    this.#apiPath = api.path
    this.#of = { file, cassette, wiki: api.href, entries }
  }

  leaveOut(entry: number, address: string, why: string): void {
    this.#leftOut.push({ entry, address: withoutCredentials(address).slice(0, 200), why })
  }

  /** Has the exchange recorded. @param lines what the engine reports, taken away */
  async follow(
    rack: Rack,
    entry: number,
    exchange: KeptExchange,
    session: string,
    lines: string[],
  ): Promise<void> {
    const { url, method, headers, body } = exchange
    const engine = rack.engine(undefined, undefined)
    const { summary } = engine
    const { recorded, unchanged } = summary
    const redactions = new Map(summary.redactions)
    let notRecorded: string | undefined
    try {
      const path = isApi(url) ? this.#apiPath : url.pathname
      const target = `${path}${url.search}`
      if (url.password !== '') rack.ledger.learn(secretsOfUser(url))
      ;({ notRecorded } = await engine.answer({ method, target, headers, body, session, signal: undefined }))
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      lines.push(error.message)
    }
    const before = lines.splice(0)
    lines.push(...before.filter((line) => line.startsWith('conflict')))
    if (summary.recorded > recorded) this.#taken += 1
    else if (summary.unchanged > unchanged) this.#same += 1
    else {
      const line = before.findLast((one) => !one.startsWith('conflict')) ?? 'it was not recorded'
      this.leaveOut(entry, url.href, notRecorded ?? line.replace(/^not recorded: /, ''))
      return
    }
    for (const [what, count] of summary.redactions) {
      const more = count - (redactions.get(what) ?? 0)
      if (more > 0) this.#redacted.set(what, (this.#redacted.get(what) ?? 0) + more)
    }
    if (redirectedTo(exchange) !== undefined) this.#redirects += 1
  }

  told(): FileTaken {
    return {
      ...this.#of,
      taken: this.#taken,
      same: this.#same,
      leftOut: this.#leftOut,
      redacted: Object.fromEntries(this.#redacted),
      redirects: this.#redirects,
    }
  }
}
