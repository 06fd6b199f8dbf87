/** A cassette for as long as a test or a suite runs: opened at its first request, judged and written at the end. */
import { existsSync, readdirSync } from 'node:fs'
import { Interception } from '../nock/interception.ts'
import { Player } from '../nock/player.ts'
import type { Settings } from '../nock/settings.ts'
import type { Miss } from '../proxy/miss.ts'
import { missInfo } from '../proxy/miss.ts'
import type { Counts } from '../proxy/summary.ts'
import { countsText } from '../proxy/summary.ts'
import { Staging } from './staging.ts'

/** What to do about something that should not be. */
export type Verdict = 'fail' | 'warn' | 'ignore'

export interface Verdicts {
  readonly missed: Verdict
  readonly unused: Verdict
}

/** How the test or suite went. */
export interface Outcome {
  /** False where anything failed: then nothing is written. */
  readonly passed: boolean
  /** False where not all of it ran, so that nobody can tell what is unused. */
  readonly complete: boolean
}

/** For whom a cassette is held. */
export interface Holding {
  readonly verdicts: Verdicts
  readonly warn: (line: string) => void
  /** The test; undefined for a suite. */
  readonly owner: object | undefined
  /** True where nobody asked for it: it then gives way to what its test asks for, until a request is made. */
  readonly isDefault: boolean
}

/** What fails a test that would pass. */
export class CassetteProblem extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CassetteProblem'
  }
}

export class HeldCassette {
  readonly settings: Settings
  readonly #verdicts: Verdicts
  readonly #warn: (line: string) => void
  readonly #interception: Interception
  readonly #notRecorded: string[] = []
  #player: Player | undefined
  #staging: Staging | undefined
  /** Misses that a test was failed for already. */
  #blamed = 0
  #over = false

  /** Takes over the wiki's requests. @throws Error where another cassette has done so */
  constructor(settings: Settings, { isDefault, owner, verdicts, warn }: Holding) {
    const report = (line: string): void => {
      if (line.startsWith('not recorded')) this.#notRecorded.push(line)
      settings.report(line)
    }
    this.settings = { ...settings, fixedMode: true, alone: true, report }
    this.#verdicts = verdicts
    this.#warn = warn
    this.#interception = Interception.start({
      origin: settings.api.origin,
      what: `the cassette ${settings.folder}`,
      answer: async (request) => this.#opened().answer(request),
      owner,
      yields: (to) => {
        const mayYield = to.owner === undefined || to.owner === owner
        this.#over = isDefault && mayYield && this.#player === undefined
        return this.#over
      },
    })
  }

  /** Where it lies; while it is being recorded, where that is. */
  get folder(): string {
    return this.#staging?.folder ?? this.settings.folder
  }

  counts(): Counts | undefined {
    return this.#player?.counts()
  }

  misses(): readonly Miss[] {
    return this.#player?.misses() ?? []
  }

  /** Stands again where the test has called `nock.cleanAll()`. */
  renew(): void {
    if (!this.#over) this.#interception.renew()
  }

  /** Ends it, and writes what was recorded where all passed. @throws CassetteProblem, StoreError */
  async finish(outcome: Outcome): Promise<void> {
    if (this.#over) return
    this.#over = true
    await this.#interception.stop()
    const player = this.#player ?? this.#openedToJudge(outcome)
    if (player === undefined) return
    let written = false
    try {
      player.close(outcome.complete && outcome.passed)
      const problem = this.#problem(player, outcome)
      if (problem !== undefined) throw problem
      written = outcome.passed
    } finally {
      if (written) this.#staging?.moveIn()
      else this.#staging?.discard()
    }
    this.settings.report(`${this.settings.folder}: ${countsText(player.counts())}`)
  }

  /** Fails the test in which requests were missed. @param before how many had been missed when it began */
  mustHaveMissedNone(before: number): void {
    const missed = (this.counts()?.missed ?? 0) - before
    if (missed === 0 || this.#verdicts.missed !== 'fail') return
    this.#blamed += missed
    throw this.#tell([tellMisses(missed, this.misses())])
  }

  #opened(): Player {
    if (this.#player !== undefined) return this.#player
    this.#staging = this.#mayRecord() ? new Staging(this.settings.folder) : undefined
    this.#player = new Player(this.settings, this.folder)
    return this.#player
  }

  /** A recording that a test no longer asks for is unused also where it asks nothing at all. */
  #openedToJudge({ complete }: Outcome): Player | undefined {
    return complete && this.#judgesUnused() && !isEmpty(this.settings.folder) ? this.#opened() : undefined
  }

  #mayRecord(): boolean {
    switch (this.settings.mode) {
      case 'none':
      case 'passthrough':
        return false
      case 'once':
        return isEmpty(this.settings.folder)
      case 'new_episodes':
      case 'all':
      case 'update':
        return true
    }
  }

  /** The other modes leave what is unused, or drop it, as they were told to. */
  #judgesUnused(): boolean {
    return this.settings.mode === 'none' || this.settings.mode === 'once'
  }

  #problem(player: Player, { complete, passed }: Outcome): CassetteProblem | undefined {
    const failing: string[] = []
    const judge = (verdict: Verdict, text: string): void => {
      if (verdict === 'fail') failing.push(text)
      else if (verdict === 'warn') this.#warn(`${this.settings.folder}: ${text}`)
    }
    const missed = player.counts().missed - this.#blamed
    if (missed > 0) judge(this.#verdicts.missed, tellMisses(missed, player.misses()))
    const unused = complete && passed && this.#judgesUnused() ? player.unused() : []
    if (unused.length > 0) judge(this.#verdicts.unused, tellUnused(unused))
    if (player.exitCode() > 1)
      failing.push(['not everything could be recorded:', ...this.#notRecorded].join('\n    '))
    return failing.length === 0 ? undefined : this.#tell(failing)
  }

  #tell(failing: readonly string[]): CassetteProblem {
    const { folder, mode } = this.settings
    const again = `to record what is missing: WIKITAPE_MODE=new_episodes, to record it all again: WIKITAPE_MODE=update`
    return new CassetteProblem(`wikitape: ${folder} (mode ${mode}):\n  ${failing.join('\n  ')}\n  ${again}`)
  }
}

/** Shown one by one in a test's error. */
const mostShown = 5

function tellMisses(count: number, misses: readonly Miss[]): string {
  const shown = misses.slice(-mostShown).map((miss) => `\n    ${missInfo(miss)}`)
  return `${plural(count, 'request')} missed:${shown.join('')}`
}

function tellUnused(unused: readonly { readonly file: string }[]): string {
  const shown = unused.slice(0, mostShown).map(({ file }) => `\n    ${file}`)
  const more = unused.length > mostShown ? `\n    and ${unused.length - mostShown} more` : ''
  return `${plural(unused.length, 'recording')} not asked for:${shown.join('')}${more}`
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

const isEmpty = (folder: string): boolean =>
  !existsSync(folder) || readdirSync(folder).every((name) => name.startsWith('.') || name.endsWith('.tmp'))
