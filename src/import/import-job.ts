/** Takes the entries of one wiki into one cassette, by the way of every recording: derived, redacted, checked. */

import { setImmediate } from 'node:timers/promises'
import { toDay } from '../cassette/format/manifest.ts'
import { EngineRegistry } from '../engine/registry/engine-registry.ts'
import { secretsOfHeaders } from '../privacy/known/request-secrets.ts'
import { redactUrl, splitCredentials } from '../privacy/redact/url-credentials.ts'
import type { Secret } from '../privacy/secrets/secret.ts'
import type { Store } from '../store/store.ts'
import { decodeQuery } from '../text/percent-decoding.ts'
import { UpstreamError } from '../upstream/upstream.ts'
import type { ImportedExchange } from './exchange/imported-exchange.ts'
import { ImportedUpstream } from './imported-upstream.ts'
import type { PlannedEntry } from './plan-cassettes.ts'
import { isApiUrl, type RecordedWiki, redirectAddress } from './recorded-wikis.ts'

/** What is to become one cassette. */
export interface ImportJob {
  readonly dir: string
  readonly wiki: RecordedWiki
  /** True where the user says that the cassette's wiki now has this address. */
  readonly moved: boolean
  /** By file; `session` names the one that each file is of, empty for the common one. */
  readonly files: readonly {
    readonly file: string
    readonly session: string
    readonly entries: readonly PlannedEntry[]
  }[]
  /** A live wiki, or a cassette, that tells what modules are like. */
  readonly descriptionSource: ConstructorParameters<typeof ImportedUpstream>[0]
  readonly now: number
  /** Called after each entry. */
  readonly onEntry?: () => void
}

/** An entry that was not taken. */
export interface SkippedEntry {
  readonly entry: number
  readonly address: string
  readonly why: string
}

/** What became of the entries of one file. */
export interface ImportedFile {
  readonly file: string
  readonly cassette: string
  readonly wiki: string
  readonly entries: number
  /** Recorded. */
  readonly taken: number
  /** As recorded before, or an answer that an earlier entry has told already. */
  readonly same: number
  readonly leftOut: readonly SkippedEntry[]
  /** What was replaced inside of bodies, e.g. `token (csrftoken)`, and how often. */
  readonly redacted: Readonly<Record<string, number>>
  /** Redirects from one address of the wiki to another, which a client follows. */
  readonly redirects: number
}

export interface ImportOutcome {
  readonly files: readonly ImportedFile[]
  readonly exitCode: number
  /** True where no wiki described its modules: nothing but what wikitape knows of them folds requests. */
  readonly undescribed: boolean
  /** What was told of the cassette besides. */
  readonly remarks: readonly string[]
}

/** @throws StoreError | UsageError */
export async function runImport({
  dir,
  wiki,
  moved,
  files,
  descriptionSource: describing,
  now,
  onEntry,
}: ImportJob): Promise<ImportOutcome> {
  const dates = files.flatMap(({ entries }) => entries.flatMap(({ entry: reading }) => datesOf(reading)))
  const oldest = Math.min(...dates)
  const clock = { moment: dates.length > 0 ? oldest : now }
  const lines: string[] = []
  const upstream = new ImportedUpstream(describing)
  const registry = new EngineRegistry({
    cassette: dir,
    mode: 'all',
    moved,
    live: { api: wiki.api, upstream: () => upstream, isImported: true },
    missStatus: 200,
    onMiss: 'error',
    recordErrors: false,
    now: () => clock.moment,
    report: (line) => void lines.push(line),
  })
  const engine = registry.get(undefined, undefined)
  initialiseManifest(engine.store, describing, dates.length > 0 ? toDay(oldest) : undefined)
  if (moved) engine.store.setManifest({ ...engine.store.manifest, upstream: wiki.api.href })
  const { size, manifest } = engine.store
  upstream.mayRefuseDescriptions =
    describing === undefined && manifest.site === undefined && (size === 0 || !manifest.describesItself)
  upstream.generator = manifest.site?.generator || undefined
  const imported: ImportedFile[] = []
  const remarks: string[] = []
  for (const plannedFile of files) {
    const tally = new ImportTally(plannedFile.file, dir, wiki, plannedFile.entries.length)
    for (const { number, entry: reading } of plannedFile.entries) {
      onEntry?.()
      // Nothing here waits for anything: without this no timer would run, and no progress be shown.
      if (number % entriesPerTick === 0) await setImmediate()
      if (reading.kind === 'lacking') {
        tally.skip(number, reading.address, reading.why)
        continue
      }
      clock.moment = reading.exchange.moment
      upstream.nextAnswer = reading.exchange.answer
      await tally.record(registry, number, reading.exchange, plannedFile.session, lines)
    }
    imported.push(tally.toImportedFile())
    remarks.push(...lines.splice(0).filter((line) => line.startsWith('conflict')))
  }
  registry.close()
  return {
    files: imported,
    exitCode: registry.exitCode(),
    undescribed: !engine.store.manifest.describesItself,
    remarks,
  }
}

const entriesPerTick = 50

/** The password of a URL, as it stands there, as it is meant, and as clients send it. */
function urlCredentials({ href, username, password }: URL): readonly Secret[] {
  const [user, word] = [username, password].map((one) => decodeQuery(one.replaceAll('+', '%2B')))
  const pair = `${user}:${word}`
  const header = `Basic ${Buffer.from(pair).toString('base64')}`
  return [...splitCredentials(href).credentials, ...secretsOfHeaders([['authorization', header]])]
}

const datesOf = (reading: PlannedEntry['entry']): readonly number[] =>
  reading.kind === 'exchange' && reading.exchange.isDated ? [reading.exchange.moment] : []

/** The cassette is as old as its oldest recording (docs/decisions/0007-expiry.md), and of nobody knows what age where none is told. */
function initialiseManifest(
  store: Store,
  descriptionSource: ImportJob['descriptionSource'],
  day: string | undefined,
): void {
  const { recorded, ...rest } = store.manifest
  const known = store.size === 0 ? undefined : recorded
  const oldest =
    store.size > 0 && recorded === undefined
      ? undefined
      : [known, day].filter((one) => one !== undefined).sort()[0]
  store.setManifest(oldest === undefined ? rest : { ...rest, recorded: oldest })
  if (descriptionSource === undefined || 'ask' in descriptionSource || store.manifest.site !== undefined)
    return
  const { site, engine } = descriptionSource.manifest
  if (site === undefined) return
  // That cassette may be another wiki's.
  const { wikiId: _, ...facts } = site
  store.setManifest({ ...store.manifest, site: facts, engine })
}

class ImportTally {
  readonly #file: Pick<ImportedFile, 'file' | 'cassette' | 'wiki' | 'entries'>
  readonly #apiPath: string
  readonly #skipped: SkippedEntry[] = []
  #recorded = 0
  #unchanged = 0
  readonly #redacted = new Map<string, number>()
  #redirects = 0

  constructor(file: string, cassette: string, { api }: RecordedWiki, entries: number) {
    this.#apiPath = api.path
    this.#file = { file, cassette, wiki: api.href, entries }
  }

  skip(entry: number, address: string, why: string): void {
    this.#skipped.push({ entry, address: redactUrl(address).slice(0, 200), why })
  }

  /** Has the exchange recorded. @param lines what the engine reports, taken away */
  async record(
    registry: EngineRegistry,
    entry: number,
    exchange: ImportedExchange,
    session: string,
    lines: string[],
  ): Promise<void> {
    const { url, method, headers, body } = exchange
    const engine = registry.get(undefined, undefined)
    const { summary } = engine
    const { recorded, unchanged } = summary
    const redactions = new Map(summary.redactions)
    let notRecorded: string | undefined
    try {
      const path = isApiUrl(url) ? this.#apiPath : url.pathname
      const target = `${path}${url.search}`
      if (url.password !== '') registry.secrets.learn(urlCredentials(url))
      ;({ whyNotRecorded: notRecorded } = await engine.handle({
        method,
        target,
        headers,
        body,
        session,
        signal: undefined,
      }))
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      lines.push(error.message)
    }
    const before = lines.splice(0)
    lines.push(...before.filter((line) => line.startsWith('conflict')))
    if (summary.recorded > recorded) this.#recorded += 1
    else if (summary.unchanged > unchanged) this.#unchanged += 1
    else {
      const line = before.findLast((one) => !one.startsWith('conflict')) ?? 'it was not recorded'
      this.skip(entry, url.href, notRecorded ?? line.replace(/^not recorded: /, ''))
      return
    }
    for (const [what, count] of summary.redactions) {
      const more = count - (redactions.get(what) ?? 0)
      if (more > 0) this.#redacted.set(what, (this.#redacted.get(what) ?? 0) + more)
    }
    if (redirectAddress(exchange) !== undefined) this.#redirects += 1
  }

  toImportedFile(): ImportedFile {
    return {
      ...this.#file,
      taken: this.#recorded,
      same: this.#unchanged,
      leftOut: this.#skipped,
      redacted: Object.fromEntries(this.#redacted),
      redirects: this.#redirects,
    }
  }
}
