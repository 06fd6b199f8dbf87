/** Records the entries of one wiki in one cassette, through an engine like every recording: derived, redacted, checked. */

import { setImmediate } from 'node:timers/promises'
import { toDay } from '../recorder/cassette/format/manifest.ts'
import type { Engine } from '../recorder/engine/engine.ts'
import type { ReportedEvent } from '../recorder/engine/engine-event.ts'
import { EngineRegistry } from '../recorder/engine/registry/engine-registry.ts'
import { isWriteFolder } from '../recorder/engine/session/recorded-writes.ts'
import { secretsOfHeaders } from '../recorder/privacy/known/request-secrets.ts'
import { redactUrl, splitCredentials } from '../recorder/privacy/redact/redact-url.ts'
import { decodeQuery } from '../recorder/text/percent-decoding.ts'
import { UpstreamError } from '../recorder/upstream/upstream.ts'
import {
  type ImportedEntry,
  type ImportedExchange,
  isApiUrl
} from './exchange/exchanges.ts'
import {
  type DescriptionSource,
  findCallerAnswers,
  ImportedUpstream,
  initialiseManifest,
  OwnUpstream
} from './imported-upstream.ts'
import { type RecordedWiki, redirectAddress } from './recorded-wikis.ts'

interface PlannedFile {
  readonly file: string
  /** Empty for the common session. */
  readonly session: string
  /** Each with its number in the file, from 1. */
  readonly entries: readonly { readonly number: number; readonly entry: ImportedEntry }[]
}

export interface ImportJob {
  readonly dir: string
  readonly wiki: RecordedWiki
  /** True if the cassette's wiki has moved to this address. */
  readonly moved: boolean
  readonly files: readonly PlannedFile[]
  /** A live wiki, or a cassette, that describes modules. */
  readonly descriptionSource: DescriptionSource | undefined
  readonly now: number
  readonly onEntry?: () => void
}

/** What became of the entries of one file; counted while it is imported. */
export interface ImportedFile {
  readonly file: string
  readonly cassette: string
  readonly wiki: string
  readonly entries: number
  recorded: number
  /** Recorded before, or an answer that an earlier entry has too. */
  unchanged: number
  readonly skipped: {
    readonly entry: number
    readonly address: string
    readonly why: string
  }[]
  /** What was replaced inside of bodies, e.g. `token (csrftoken)`, and how often. */
  readonly redacted: Record<string, number>
  /** Redirects from one address of the wiki to another, which a client follows. */
  redirects: number
}

export interface ImportOutcome {
  readonly files: readonly ImportedFile[]
  readonly exitCode: number
  /** True if no wiki described its modules: only bundled descriptions normalise requests. */
  readonly undescribed: boolean
  /** Conflicts that the engine reported. */
  readonly remarks: readonly string[]
}

/** @throws StoreError */
export async function runImport(job: ImportJob): Promise<ImportOutcome> {
  const recorder = new ImportRecorder(job)
  const files: ImportedFile[] = []
  for (const planned of job.files) files.push(await recorder.recordFile(planned))
  return recorder.finish(files)
}

const entriesPerTick = 50

class ImportRecorder {
  readonly #job: ImportJob
  readonly #upstream = new ImportedUpstream()
  readonly #ownUpstream: OwnUpstream
  readonly #registry: EngineRegistry
  readonly #engine: Engine
  /** The time of the entry that is recorded. */
  #now: number
  /** Since the last entry. */
  readonly #events: ReportedEvent[] = []
  readonly #remarks: string[] = []

  constructor(job: ImportJob) {
    const { dir, wiki, moved, descriptionSource } = job
    const dates = job.files.flatMap(({ entries }) =>
      entries.flatMap(({ entry }) => datesOf(entry))
    )
    this.#now = dates.length > 0 ? dates.reduce((a, b) => Math.min(a, b)) : job.now
    this.#job = job
    this.#ownUpstream = new OwnUpstream(descriptionSource)
    this.#registry = new EngineRegistry({
      cassette: dir,
      mode: 'all',
      moved,
      live: {
        api: wiki.api,
        isImported: true,

        upstream: () => this.#upstream,
        ownUpstream: () => this.#ownUpstream
      },
      onMiss: 'error',
      now: () => this.#now,
      onEvent: (event) => void this.#events.push(event)
    })
    this.#engine = this.#registry.first
    const { store } = this.#engine
    initialiseManifest(
      store,
      descriptionSource,
      dates.length > 0 ? toDay(this.#now) : undefined
    )
    const { writes } = store.manifest
    const isOlder = store.folders().some(isWriteFolder)
    if (
      writes === undefined &&
      !isOlder &&
      job.files.some(({ session }) => session !== '')
    )
      store.setManifest({ ...store.manifest, writes: 'ordered' })
    if (moved) store.setManifest({ ...store.manifest, upstream: wiki.api.href })
    const { site, describesItself } = store.manifest
    this.#ownUpstream.mayRefuseDescriptions =
      descriptionSource === undefined &&
      site === undefined &&
      (store.size === 0 || !describesItself)
    this.#ownUpstream.generator = site?.generator || undefined
  }

  async recordFile({ file, session, entries }: PlannedFile) {
    const { dir, wiki, onEntry } = this.#job
    const tally: ImportedFile = {
      file,
      cassette: dir,
      wiki: wiki.api.href,
      entries: entries.length,

      recorded: 0,
      unchanged: 0,
      redirects: 0,
      skipped: [],
      redacted: {}
    }
    const callerAnswers = findCallerAnswers(entries.map(({ entry }) => entry))
    for (const { number, entry } of entries) {
      onEntry?.()
      this.#ownUpstream.callerAnswer = callerAnswers.get(entry)
      // Nothing here waits for I/O: without this no timer would run, and no progress be shown.
      if (number % entriesPerTick === 0) await setImmediate()
      const why =
        entry.kind === 'unusable'
          ? entry.why
          : await this.#record(entry.exchange, session, tally)
      if (why !== undefined)
        tally.skipped.push({
          entry: number,
          address: redactUrl(entry.address).slice(0, 200),
          why
        })
    }
    return tally
  }

  finish(files: readonly ImportedFile[]) {
    this.#registry.close()
    return {
      files,
      exitCode: this.#registry.exitCode(),
      undescribed: !this.#engine.store.manifest.describesItself,
      remarks: this.#remarks
    }
  }

  /** Why the exchange was not recorded; undefined if it was. */
  async #record(exchange: ImportedExchange, session: string, tally: ImportedFile) {
    const { summary } = this.#engine
    const { recorded, unchanged } = summary.counts
    const redactions = new Map(summary.redactions)
    this.#now = exchange.moment
    this.#upstream.nextAnswer = exchange.answer
    const why = await this.#send(exchange, session)
    const events = this.#events.splice(0)
    const conflicts = events.filter(({ kind }) => kind === 'conflict')
    this.#remarks.push(...conflicts.map(({ text }) => text))
    if (summary.counts.recorded > recorded) tally.recorded += 1
    else if (summary.counts.unchanged > unchanged) tally.unchanged += 1
    else {
      const reason = events.findLast(({ kind }) => kind !== 'conflict')
      return why ?? reason?.why ?? reason?.text ?? 'it was not recorded'
    }
    for (const [what, count] of summary.redactions) {
      const more = count - (redactions.get(what) ?? 0)
      if (more > 0) tally.redacted[what] = (tally.redacted[what] ?? 0) + more
    }
    if (redirectAddress(exchange) !== undefined) tally.redirects += 1
    return undefined
  }

  async #send(exchange: ImportedExchange, session: string) {
    const { url, method, headers, body } = exchange
    const target = `${isApiUrl(url) ? this.#job.wiki.api.path : url.pathname}${url.search}`
    try {
      if (url.password !== '') this.#registry.secrets.learn(urlCredentials(url))
      const request = {
        method,
        target,
        headers,
        body,
        session,
        signal: undefined
      }
      return (await this.#engine.handle(request)).whyNotRecorded
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      return error.message
    }
  }
}

/** The password of a URL, encoded, decoded, and as clients send it. */
function urlCredentials({ href, username, password }: URL) {
  const parts = [username, password].map((one) => decodeQuery(one.replaceAll('+', '%2B')))
  const header = `Basic ${Buffer.from(parts.join(':')).toString('base64')}`
  return [
    ...splitCredentials(href).credentials,
    ...secretsOfHeaders([['authorization', header]])
  ]
}

const datesOf = (entry: ImportedEntry) =>
  entry.kind === 'exchange' && entry.exchange.isDated ? [entry.exchange.moment] : []
