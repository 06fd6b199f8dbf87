/** A cassette for as long as a test or a suite runs: opened at its first request, judged and written at the end. */
import { existsSync, readdirSync } from 'node:fs'
import type { Miss } from '../../engine/miss/miss-reply.ts'
import type { Counts } from '../../engine/run-summary.ts'
import { countsText } from '../../engine/run-summary.ts'
import { StagedCassette } from '../../store/staging.ts'
import { errorText } from '../../text/error-text.ts'
import { escapeControlsInLines } from '../../text/escape-control-characters.ts'
import { InProcessEngine } from '../nock/in-process-engine.ts'
import { type InsertSettings, requestWatchOf } from '../nock/insert-options.ts'
import { NockInterceptor, type NockReply } from '../nock/nock-interceptor.ts'
import type { NockRequest } from '../nock/nock-request.ts'
import { missesText, remedyText, unansweredText, unusedText } from './failure-text.ts'
import type { CassetteVerdicts, TestCassetteOptions, TestOutcome, Verdict } from './test-cassette-options.ts'

/** What fails a test that would pass. */
export class CassetteProblem extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CassetteProblem'
  }
}

export class TestCassette {
  readonly settings: InsertSettings
  readonly #verdicts: CassetteVerdicts
  readonly #warn: (line: string) => void
  readonly #interceptor: NockInterceptor
  readonly #notRecorded: string[] = []
  /** Why requests got an error rather than an answer. */
  readonly #unanswered: string[] = []
  /** How many of them were to other wikis. */
  #refused = 0
  #engine: InProcessEngine | undefined
  #staging: StagedCassette | undefined
  /** Misses that a test was failed for already. */
  #missesReported = 0
  #isFinished = false
  /** Why nobody can tell any more whose requests these are. */
  #contestedReason: string | undefined

  /** Takes over the wiki's requests. @throws Error where another cassette has done so */
  constructor(settings: InsertSettings, { isDefault, owner, verdicts, warn }: TestCassetteOptions) {
    const report = (line: string): void => {
      if (/^not recorded|holds a secret in clear/.test(line)) this.#notRecorded.push(line)
      settings.report(line)
    }
    this.settings = { ...settings, isExclusive: true, report }
    this.#verdicts = verdicts
    this.#warn = warn
    this.#interceptor = NockInterceptor.start({
      ...requestWatchOf(settings, warn),
      answer: (request) => this.#answer(request),
      onRefused: (why) => {
        this.#refused += 1
        this.#unanswered.push(why)
      },
      owner,
      yieldsTo: (to) => {
        const mayYield = to.owner === undefined || to.owner === owner
        this.#isFinished = isDefault && mayYield && this.#engine === undefined
        return this.#isFinished
      },
    })
  }

  /** Where it lies; while it is being recorded, where that is. */
  get folder(): string {
    return this.#staging?.folder ?? this.settings.folder
  }

  counts(): Counts | undefined {
    return this.#engine?.counts()
  }

  misses(): readonly Miss[] {
    return this.#engine?.misses() ?? []
  }

  /** Stands again where the test has called `nock.cleanAll()`. */
  reintercept(): void {
    if (!this.#isFinished) this.#interceptor.reintercept()
  }

  /** Ends where another has the same place, for whatever wiki, and nothing was asked of this one. */
  giveWayTo(folder: string): void {
    if (folder !== this.settings.folder || this.#engine !== undefined) return
    this.#isFinished = true
    this.#interceptor.release()
  }

  /** Answers nothing from here on: requests of others come here too. @param why told to whoever asks */
  refuseRequests(why: string): void {
    this.#contestedReason = why
  }

  /** Ends it, and writes what was recorded where all passed. @throws CassetteProblem, StoreError */
  async finish(outcome: TestOutcome): Promise<void> {
    if (this.#isFinished) return
    this.#isFinished = true
    await this.#interceptor.stop()
    const engine = this.#engine ?? this.#openToFindUnused(outcome)
    if (engine === undefined) return this.#checkUnanswered()
    let written = false
    try {
      engine.close(outcome.complete && outcome.passed)
      const problem = this.#findProblem(engine, outcome)
      if (problem !== undefined) throw problem
      written = outcome.passed
    } finally {
      if (written) this.#staging?.commit()
      else this.#staging?.discard()
    }
    this.#printSummary(engine.counts())
  }

  /** Files that are new are told also where the run is quiet: somebody has to commit them. */
  #printSummary(counts: Counts): void {
    const say = counts.recorded > 0 ? this.#warn : this.settings.report
    say(`${this.settings.folder}: ${countsText(counts)}`)
  }

  /** Fails the test in which requests were missed. @param before how many had been missed when it began */
  checkNoMisses(before: number): void {
    const missed = (this.counts()?.missed ?? 0) - before
    if (missed === 0 || this.#verdicts.missed !== 'fail') return
    this.#missesReported += missed
    throw this.#problemWith([missesText(missed, this.misses())])
  }

  async #answer(request: NockRequest): Promise<NockReply> {
    try {
      if (this.#contestedReason !== undefined) throw new Error(this.#contestedReason)
      return await this.#openEngine().answer(request)
    } catch (error) {
      this.#unanswered.push(errorText(error))
      throw error
    }
  }

  #openEngine(): InProcessEngine {
    if (this.#engine !== undefined) return this.#engine
    if (this.settings.mode === 'none' && isEmpty(this.settings.folder))
      throw new Error(`there is no cassette at ${this.settings.folder} yet`)
    this.#staging = this.#mayRecord() ? new StagedCassette(this.settings.folder) : undefined
    this.#engine = new InProcessEngine(this.settings, this.folder)
    return this.#engine
  }

  /** A recording that a test no longer asks for is unused also where it asks nothing at all. */
  #openToFindUnused({ complete }: TestOutcome): InProcessEngine | undefined {
    return complete && this.#checksUnused() && !isEmpty(this.settings.folder) ? this.#openEngine() : undefined
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
  #checksUnused(): boolean {
    return this.settings.mode !== 'update' && this.settings.mode !== 'passthrough'
  }

  /** A client may keep quiet about an error: the test must not. */
  #checkUnanswered(): void {
    if (this.#unanswered.length > 0 && this.#verdicts.missed === 'fail')
      throw this.#problemWith([unansweredText(this.#unanswered)])
  }

  #findProblem(engine: InProcessEngine, { complete, passed }: TestOutcome): CassetteProblem | undefined {
    const failing: string[] = []
    const judge = (verdict: Verdict, text: string): void => {
      if (verdict === 'fail') failing.push(text)
      else if (verdict === 'warn') this.#warn(`${this.settings.folder}: ${text}`)
    }
    const missed = engine.counts().missed - this.#missesReported
    if (missed > 0) judge(this.#verdicts.missed, missesText(missed, engine.misses()))
    if (this.#unanswered.length > 0) judge(this.#verdicts.missed, unansweredText(this.#unanswered))
    const unused = complete && passed && this.#checksUnused() ? engine.unused() : []
    if (unused.length > 0) judge(this.#verdicts.unused, unusedText(unused))
    if (engine.exitCode() > 1)
      failing.push(['not everything could be recorded:', ...this.#notRecorded].join('\n    '))
    return failing.length === 0 ? undefined : this.#problemWith(failing)
  }

  #problemWith(failing: readonly string[]): CassetteProblem {
    const { folder, mode } = this.settings
    // Recording again helps no request to another wiki.
    const onlyRefused = failing.length === 1 && this.#refused > 0 && this.#refused === this.#unanswered.length
    const again = onlyRefused ? [] : [remedyText(mode, process.env['CI'] === 'true')]
    const text = [`wikitape: ${folder} (mode ${mode}):`, ...failing, ...again].join('\n  ')
    return new CassetteProblem(escapeControlsInLines(text))
  }
}

const isEmpty = (folder: string): boolean =>
  !existsSync(folder) || readdirSync(folder).every((name) => name.startsWith('.') || name.endsWith('.tmp'))
