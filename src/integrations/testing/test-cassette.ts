/** A cassette for as long as a test or a suite runs: opened at its first request, judged and written at the end. */
import { existsSync, readdirSync } from 'node:fs'
import type { Miss } from '../../engine/miss/miss-reply.ts'
import type { Counts } from '../../engine/run-summary.ts'
import { countsText } from '../../engine/run-summary.ts'
import { Staging } from '../../store/staging.ts'
import { errorText } from '../../text/error-text.ts'
import { visibleLines } from '../../text/escape-control-characters.ts'
import { Player } from '../nock/in-process-engine.ts'
import { type Settings, watchOf } from '../nock/insert-options.ts'
import { Interception, type Outgoing } from '../nock/nock-interceptor.ts'
import type { Incoming } from '../nock/nock-request.ts'
import { howToMend, tellMisses, tellUnanswered, tellUnused } from './failure-text.ts'
import type { Holding, Outcome, Verdict, Verdicts } from './test-cassette-options.ts'

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
  /** Why requests got an error rather than an answer. */
  readonly #unanswered: string[] = []
  /** How many of them were to other wikis. */
  #refused = 0
  #player: Player | undefined
  #staging: Staging | undefined
  /** Misses that a test was failed for already. */
  #blamed = 0
  #over = false
  /** Why nobody can tell any more whose requests these are. */
  #contested: string | undefined

  /** Takes over the wiki's requests. @throws Error where another cassette has done so */
  constructor(settings: Settings, { isDefault, owner, verdicts, warn }: Holding) {
    const report = (line: string): void => {
      if (/^not recorded|holds a secret in clear/.test(line)) this.#notRecorded.push(line)
      settings.report(line)
    }
    this.settings = { ...settings, alone: true, report }
    this.#verdicts = verdicts
    this.#warn = warn
    this.#interception = Interception.start({
      ...watchOf(settings, warn),
      answer: (request) => this.#answer(request),
      refused: (why) => {
        this.#refused += 1
        this.#unanswered.push(why)
      },
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

  /** Ends where another has the same place, for whatever wiki, and nothing was asked of this one. */
  giveWayTo(folder: string): void {
    if (folder !== this.settings.folder || this.#player !== undefined) return
    this.#over = true
    this.#interception.leave()
  }

  /** Answers nothing from here on: requests of others come here too. @param why told to whoever asks */
  contest(why: string): void {
    this.#contested = why
  }

  /** Ends it, and writes what was recorded where all passed. @throws CassetteProblem, StoreError */
  async finish(outcome: Outcome): Promise<void> {
    if (this.#over) return
    this.#over = true
    await this.#interception.stop()
    const player = this.#player ?? this.#openedToJudge(outcome)
    if (player === undefined) return this.#judgeUnanswered()
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
    this.#sum(player.counts())
  }

  /** Files that are new are told also where the run is quiet: somebody has to commit them. */
  #sum(counts: Counts): void {
    const say = counts.recorded > 0 ? this.#warn : this.settings.report
    say(`${this.settings.folder}: ${countsText(counts)}`)
  }

  /** Fails the test in which requests were missed. @param before how many had been missed when it began */
  mustHaveMissedNone(before: number): void {
    const missed = (this.counts()?.missed ?? 0) - before
    if (missed === 0 || this.#verdicts.missed !== 'fail') return
    this.#blamed += missed
    throw this.#tell([tellMisses(missed, this.misses())])
  }

  async #answer(request: Incoming): Promise<Outgoing> {
    try {
      if (this.#contested !== undefined) throw new Error(this.#contested)
      return await this.#opened().answer(request)
    } catch (error) {
      this.#unanswered.push(errorText(error))
      throw error
    }
  }

  #opened(): Player {
    if (this.#player !== undefined) return this.#player
    if (this.settings.mode === 'none' && isEmpty(this.settings.folder))
      throw new Error(`there is no cassette at ${this.settings.folder} yet`)
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

  /** Also where it is recorded to: what it passes with, it passes with when it is replayed. `update` drops what is unused. */
  #judgesUnused(): boolean {
    return this.settings.mode !== 'update' && this.settings.mode !== 'passthrough'
  }

  /** A client may keep quiet about an error: the test must not. */
  #judgeUnanswered(): void {
    if (this.#unanswered.length > 0 && this.#verdicts.missed === 'fail')
      throw this.#tell([tellUnanswered(this.#unanswered)])
  }

  #problem(player: Player, { complete, passed }: Outcome): CassetteProblem | undefined {
    const failing: string[] = []
    const judge = (verdict: Verdict, text: string): void => {
      if (verdict === 'fail') failing.push(text)
      else if (verdict === 'warn') this.#warn(`${this.settings.folder}: ${text}`)
    }
    const missed = player.counts().missed - this.#blamed
    if (missed > 0) judge(this.#verdicts.missed, tellMisses(missed, player.misses()))
    if (this.#unanswered.length > 0) judge(this.#verdicts.missed, tellUnanswered(this.#unanswered))
    const unused = complete && passed && this.#judgesUnused() ? player.unused() : []
    if (unused.length > 0) judge(this.#verdicts.unused, tellUnused(unused))
    if (player.exitCode() > 1)
      failing.push(['not everything could be recorded:', ...this.#notRecorded].join('\n    '))
    return failing.length === 0 ? undefined : this.#tell(failing)
  }

  #tell(failing: readonly string[]): CassetteProblem {
    const { folder, mode } = this.settings
    // Recording again helps no request to another wiki.
    const onlyRefused = failing.length === 1 && this.#refused > 0 && this.#refused === this.#unanswered.length
    const again = onlyRefused ? [] : [howToMend(mode, process.env['CI'] === 'true')]
    const text = [`wikitape: ${folder} (mode ${mode}):`, ...failing, ...again].join('\n  ')
    return new CassetteProblem(visibleLines(text))
  }
}

const isEmpty = (folder: string): boolean =>
  !existsSync(folder) || readdirSync(folder).every((name) => name.startsWith('.') || name.endsWith('.tmp'))
