/** The cassette of one wiki for as long as a test or a suite runs: opened at its first request, checked and written at the end. */
import { appendFileSync } from 'node:fs'
import path from 'node:path'
import type { ReportedEvent } from '../../recorder/engine/engine-event.ts'
import { type Counts, countsText } from '../../recorder/engine/run-summary.ts'
import { mayRecord } from '../../recorder/playback/decide.ts'
import { isUnusedFolder } from '../../recorder/store/files/paths-inside.ts'
import { StagedCassette } from '../../recorder/store/staging.ts'
import { errorText } from '../../recorder/text/error-text.ts'
import { plural } from '../../recorder/text/words.ts'
import { interceptDirectly } from '../in-process/direct-interceptor.ts'
import { CutConnection, InProcessEngine } from '../in-process/in-process-engine.ts'
import type { Answer, InProcessRequest } from '../in-process/in-process-request.ts'
import { type InsertSettings, requestWatchOf } from '../in-process/insert-options.ts'
import type { Interceptor } from '../in-process/interceptors.ts'
import {
  CassetteProblem,
  changingText,
  missesText,
  notRecordedTexts,
  passedOnText,
  problemText,
  type Remedy,
  unansweredText,
  unusedOverridesText,
  unusedText
} from './failure-text.ts'
import { StoredVariables } from './stored-variables.ts'
import {
  type CassetteOwner,
  suiteOf,
  type TestCassetteOptions,
  type TestOutcome,
  type Verdict,
  warnFunction
} from './test-cassette-options.ts'

export class WikiCassette {
  readonly settings: InsertSettings
  readonly #verdicts: { readonly missed: Verdict; readonly unused: Verdict }
  /** Also while recording, so that the test passes when replayed. `update` drops what is unused. */
  readonly #checksUnused: boolean
  /** By somebody, who may have used the name in another file. */
  readonly #isNamed: boolean
  readonly #warn: (line: string) => void
  readonly #interceptor: Interceptor
  readonly #notRecorded: string[] = []
  readonly #unanswered: string[] = []
  readonly variables: StoredVariables = new StoredVariables()
  /** True if nothing was recorded yet, and nothing may be. */
  #isMissing = false
  #engine: InProcessEngine | undefined
  #staging: StagedCassette | undefined
  /** Misses that have failed a test already. */
  #missesReported = 0
  #isFinished = false

  /** Intercepts the wiki's requests. @throws Error if another cassette does so */
  constructor(
    settings: InsertSettings,
    options: TestCassetteOptions,
    { owner, isDefault, isFallback = false }: CassetteOwner
  ) {
    const { missed = 'fail', unused = 'fail' } = options
    const onEvent = (event: ReportedEvent) => {
      if (event.kind === 'not-written' || event.kind === 'late-secret')
        this.#notRecorded.push(event.text)
      settings.onEvent(event)
    }
    this.settings = { ...settings, isExclusive: true, onEvent }
    this.#verdicts = { missed, unused }
    this.#checksUnused =
      unused !== 'ignore' && !['update', 'passthrough'].includes(settings.mode)
    this.#isNamed = owner === undefined && !isDefault
    this.#warn = warnFunction(options)
    this.#interceptor = interceptDirectly({
      ...requestWatchOf(settings, this.#warn),
      answer: (request) => this.#answer(request),
      onRefused: (why) => this.refuse(why),
      owner,
      isFallback,
      isDefault,
      yields: () => (this.#isFinished = isDefault && this.#engine === undefined)
    })
  }

  /** For requests of programs, which no interception sees. */
  readonly answer: Answer = (request) => this.#interceptor.answer(request)

  /** Its test fails for what was not answered. */
  refuse(why: string): void {
    this.#unanswered.push(why)
  }

  /** The folder of the cassette; while it is recorded, the one that is written. */
  get folder(): string {
    return this.#staging?.folder ?? this.settings.folder
  }

  counts(): Counts | undefined {
    return this.#engine?.engines.counts()
  }

  /** True if requests have been answered. */
  get isOpen(): boolean {
    return this.#engine !== undefined
  }

  /** Ends it unused. */
  release(): void {
    this.#isFinished = true
    this.#interceptor.release()
  }

  /** Ends it; `keep` writes it then. @returns why its test fails @throws StoreError */
  async close(outcome: TestOutcome): Promise<string | undefined> {
    if (this.#isFinished) return undefined
    this.#isFinished = true
    noteOpened(this.settings.folder)
    await this.#interceptor.stop()
    // Where a test makes no request at all, each recording is unused.
    if (outcome.complete && this.#checksUnused && !isUnusedFolder(this.settings.folder))
      this.#openEngine()
    const isWhole =
      outcome.complete && outcome.passed && this.#verdicts.unused !== 'ignore'
    this.#engine?.engines.close(
      isWhole
        ? undefined
        : 'not every test has run and passed, or unused recordings are ignored'
    )
    return this.#findProblem(this.#engine, outcome)
  }

  /** @param discardReason why nothing is written; undefined if it is */
  keep(discardReason: string | undefined): void {
    this.release()
    if (discardReason === undefined) {
      if (this.#staging) this.variables.write(this.folder)
      this.#staging?.commit()
    } else this.#staging?.discard()
    const counts = this.counts()
    if (!counts) return
    const { folder, report, overrides } = this.settings
    const whole = `${folder}: ${countsText(counts)}${overrides.text()}`
    const lost = `${folder}: discarded ${plural(counts.recorded, 'recording')}: ${discardReason}`
    // Files that are new, or lost, are reported also if the run is quiet.
    if (counts.recorded === 0) report(whole)
    else this.#warn(discardReason === undefined ? whole : lost)
  }

  /** Fails a test in which requests were missed. @param before misses before the test */
  checkNoMisses(before: number): void {
    const missed = (this.counts()?.missed ?? 0) - before
    if (missed === 0 || this.#verdicts.missed !== 'fail') return
    this.#missesReported += missed
    const text = missesText(missed, this.#engine?.engines.misses() ?? [])
    throw new CassetteProblem(this.#problem([text], 'new_episodes', true))
  }

  async #answer(request: InProcessRequest) {
    try {
      // Also if there is no cassette.
      return (
        this.settings.overrides.answer(request) ??
        (await this.#openEngine().answer(request))
      )
    } catch (error) {
      if (!(error instanceof CutConnection)) this.#unanswered.push(errorText(error))
      throw error
    }
  }

  #openEngine() {
    if (this.#engine) return this.#engine
    if (this.settings.mode === 'none' && isUnusedFolder(this.settings.folder)) {
      this.#isMissing = true
      throw new Error(`there is no cassette at ${this.settings.folder} yet`)
    }
    const stage = (folder: string) => {
      this.#staging ??= new StagedCassette(folder, suiteOf(this.settings))
      return this.folder
    }
    this.#engine = new InProcessEngine(
      this.settings,
      this.mayRecord() ? stage : undefined
    )
    return this.#engine
  }

  mayRecord(): boolean {
    return mayRecord(this.settings.mode, isUnusedFolder(this.settings.folder))
  }

  #findProblem(engine: InProcessEngine | undefined, outcome: TestOutcome) {
    const isWhole = outcome.complete && outcome.passed
    const isUnanswered = this.#unanswered.length > 0
    const failing: string[] = []
    const apply = (verdict: Verdict, text: string) => {
      if (verdict === 'fail') failing.push(text)
      else if (verdict === 'warn') this.#warn(`${this.settings.folder}: ${text}`)
    }
    const missed = (engine?.engines.counts().missed ?? 0) - this.#missesReported
    const misses = engine?.engines.misses() ?? []
    if (missed > 0) apply(this.#verdicts.missed, missesText(missed, misses))
    if (isUnanswered) apply(this.#verdicts.missed, unansweredText(this.#unanswered))
    const passedOn = engine?.engines.notRecorded() ?? []
    if (passedOn.length > 0) apply(this.#verdicts.missed, passedOnText(passedOn))
    const unused = engine && this.#checksUnused ? engine.stale() : []
    if (unused.length > 0 && isWhole)
      apply(this.#verdicts.unused, unusedText(unused, { isNamed: this.#isNamed }))
    const overrides = isWhole ? this.settings.overrides.takeUnused() : []
    if (overrides.length > 0) apply(this.#verdicts.unused, unusedOverridesText(overrides))
    const code = engine?.engines.exitCode() ?? 0
    const lines = this.#notRecorded
    failing.push(...notRecordedTexts({ code, lines, isNamed: isUnanswered }))
    if (failing.length === 0) return undefined
    // Where some are unused, adding what is missing would fail the next run; a wiki that got no write cannot go on from there.
    const addsUp = unused.length === 0 && engine?.hasReplayedWrite() !== true
    const isChanging = misses.some(({ reason }) => reason === 'value-changes')
    if (isChanging) failing.push(changingText)
    const isIncomplete =
      !isChanging && (missed > 0 || (outcome.passed && unused.length > 0))
    return this.#problem(failing, addsUp ? 'new_episodes' : 'update', isIncomplete)
  }

  /** @param isIncomplete false if recording again would not help: the wiki cannot be reached, or another one was requested */
  #problem(failing: readonly string[], remedy: Remedy, isIncomplete: boolean) {
    const helps =
      this.#isMissing || (isIncomplete && (remedy === 'update' || !this.mayRecord()))
    return problemText(this.settings, failing, helps ? remedy : undefined)
  }
}

/** Tells `wikitape check --suite` what a run opened: one folder a line, relative to the file. Processes side by side append whole lines. */
function noteOpened(folder: string) {
  const file = process.env['WIKITAPE_SUITE']
  if (!file) return
  const line = path.relative(path.dirname(path.resolve(file)), path.resolve(folder))
  appendFileSync(file, `${line.split(path.sep).join('/')}\n`)
}
