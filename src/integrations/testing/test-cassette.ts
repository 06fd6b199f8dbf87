/** A cassette for as long as a test or a suite runs: opened at its first request, checked and written at the end. */
import { type Counts, countsText } from '../../engine/run-summary.ts'
import { mayRecord } from '../../playback/decide.ts'
import { StagedCassette } from '../../store/staging.ts'
import { errorText } from '../../text/error-text.ts'
import { interceptDirectly } from '../in-process/direct-interceptor.ts'
import { CutConnection, InProcessEngine } from '../in-process/in-process-engine.ts'
import type { InProcessReply, InProcessRequest } from '../in-process/in-process-request.ts'
import { type InsertSettings, requestWatchOf, resolveInsertOptions } from '../in-process/insert-options.ts'
import type { Interceptor } from '../in-process/interceptors.ts'
import { isEmpty } from '../in-process/start-trouble.ts'
import {
  type CassetteProblem,
  cassetteProblem,
  missesText,
  unansweredText,
  unusedText,
} from './failure-text.ts'
import {
  type TestCassetteOptions,
  type TestOutcome,
  type Verdict,
  warnFunction,
} from './test-cassette-options.ts'

interface CassetteOwner {
  /** The test; undefined for a suite. */
  readonly owner: object | undefined
  /** True where the test did not ask for it: it gives way to one that the test asks for, until a request is made. */
  readonly isDefault: boolean
}

export class TestCassette {
  readonly settings: InsertSettings
  readonly #verdicts: { readonly missed: Verdict; readonly unused: Verdict }
  readonly #warn: (line: string) => void
  readonly #interceptor: Interceptor
  readonly #notRecorded: string[] = []
  readonly #unanswered: string[] = []
  /** How many failed requests were to other wikis. */
  #refused = 0
  #engine: InProcessEngine | undefined
  #staging: StagedCassette | undefined
  /** Misses that have failed a test already. */
  #missesReported = 0
  #isFinished = false
  /** Why requests cannot be assigned to this cassette any more. */
  #contestedReason: string | undefined

  /** Intercepts the wiki's requests. @throws Error where another cassette does so */
  constructor(name: string, options: TestCassetteOptions, { owner, isDefault }: CassetteOwner) {
    const { missed = 'fail', unused = 'fail', quiet = true } = options
    const settings = resolveInsertOptions(name, { ...options, quiet })
    const report = (line: string): void => {
      if (/^not recorded|contains a secret in plain text/.test(line)) this.#notRecorded.push(line)
      settings.report(line)
    }
    this.settings = { ...settings, isExclusive: true, report }
    this.#verdicts = { missed, unused }
    this.#warn = warnFunction(options)
    this.#interceptor = interceptDirectly({
      ...requestWatchOf(settings, this.#warn),
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

  /** The folder of the cassette; while it is recorded, the one that is written. */
  get folder(): string {
    return this.#staging?.folder ?? this.settings.folder
  }

  counts(): Counts | undefined {
    return this.#engine?.counts()
  }

  /** Ends where another cassette has the same folder, if nothing was requested yet. */
  giveWayTo(folder: string): void {
    if (folder !== this.settings.folder || this.#engine !== undefined) return
    this.#isFinished = true
    this.#interceptor.release()
  }

  /** Answers nothing from here on: other tests' requests come here too. @param why for the failed requests */
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
    const counts = engine.counts()
    // New files are reported also where the run is quiet: somebody has to commit them.
    const print = counts.recorded > 0 ? this.#warn : this.settings.report
    print(`${this.settings.folder}: ${countsText(counts)}`)
  }

  /** Fails a test in which requests were missed. @param before misses before the test */
  checkNoMisses(before: number): void {
    const missed = (this.counts()?.missed ?? 0) - before
    if (missed === 0 || this.#verdicts.missed !== 'fail') return
    this.#missesReported += missed
    throw this.#problemWith([missesText(missed, this.#engine?.misses() ?? [])])
  }

  async #answer(request: InProcessRequest): Promise<InProcessReply> {
    try {
      if (this.#contestedReason !== undefined) throw new Error(this.#contestedReason)
      return await this.#openEngine().answer(request)
    } catch (error) {
      if (!(error instanceof CutConnection)) this.#unanswered.push(errorText(error))
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

  /** Where a test makes no request at all, each recording is unused. */
  #openToFindUnused({ complete }: TestOutcome): InProcessEngine | undefined {
    return complete && this.#checksUnused() && !isEmpty(this.settings.folder) ? this.#openEngine() : undefined
  }

  #mayRecord(): boolean {
    const { mode, folder } = this.settings
    return mayRecord(mode, isEmpty(folder))
  }

  /** Also while recording, so that the test passes when replayed. `update` drops what is unused. */
  #checksUnused(): boolean {
    return this.settings.mode !== 'update' && this.settings.mode !== 'passthrough'
  }

  /** A client may ignore an error: the test must not. */
  #checkUnanswered(): void {
    if (this.#unanswered.length > 0 && this.#verdicts.missed === 'fail')
      throw this.#problemWith([unansweredText(this.#unanswered)])
  }

  #findProblem(engine: InProcessEngine, { complete, passed }: TestOutcome): CassetteProblem | undefined {
    const failing: string[] = []
    const apply = (verdict: Verdict, text: string): void => {
      if (verdict === 'fail') failing.push(text)
      else if (verdict === 'warn') this.#warn(`${this.settings.folder}: ${text}`)
    }
    const missed = engine.counts().missed - this.#missesReported
    if (missed > 0) apply(this.#verdicts.missed, missesText(missed, engine.misses()))
    if (this.#unanswered.length > 0) apply(this.#verdicts.missed, unansweredText(this.#unanswered))
    const unused = complete && passed && this.#checksUnused() ? engine.unused() : []
    if (unused.length > 0) apply(this.#verdicts.unused, unusedText(unused))
    if (engine.exitCode() > 1)
      failing.push(['not everything could be recorded:', ...this.#notRecorded].join('\n    '))
    return failing.length === 0 ? undefined : this.#problemWith(failing)
  }

  #problemWith(failing: readonly string[]): CassetteProblem {
    // Recording again helps no request to another wiki.
    const onlyRefused = failing.length === 1 && this.#refused > 0 && this.#refused === this.#unanswered.length
    return cassetteProblem(this.settings, failing, !onlyRefused)
  }
}
