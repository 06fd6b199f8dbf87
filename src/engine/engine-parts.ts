/** The parts of one engine, and how they are connected. */
import type { IncomingRequest } from '../http/incoming-request.ts'
import { mayRecord } from '../playback/decide.ts'
import { LoopGuard } from '../playback/session/loop-guard.ts'
import { SecretRegistry } from '../privacy/known/secret-registry.ts'
import { EngineCache } from './cache/engine-cache.ts'
import { type FactsOf, factsOfCall, type RunFacts } from './call-facts.ts'
import { CallReader } from './call-reader.ts'
import type { EngineOptions } from './engine-options.ts'
import { InFlight } from './in-flight.ts'
import type { MissReporter } from './miss/miss-reporter.ts'
import type { OwnRequests } from './own-requests/own-requests.ts'
import { LiveForwarder } from './record/live-forwarder.ts'
import type { TrialParts } from './replay/answer-trials.ts'
import { EpochIndex } from './replay/epoch-index.ts'
import { FolderSnapshot } from './replay/folder-snapshot.ts'
import { Lookup } from './replay/lookup.ts'
import { Replayer } from './replay/replayer.ts'
import { Synthesizer } from './replay/synthesizer.ts'
import { TokenGuard } from './replay/token-guard.ts'
import { RunLog } from './run-summary.ts'

export interface EngineParts extends TrialParts {
  readonly run: RunFacts
  readonly log: RunLog
  readonly calls: CallReader
  readonly factsOf: FactsOf
  readonly cache: EngineCache
  readonly lookup: Lookup
  /** Loaded at the first miss: most runs have none, and all that explains them costs a start some milliseconds. */
  readonly loadMisses: () => Promise<MissReporter>
  /** These two are undefined in replay, so that nothing can go out. */
  readonly live: LiveForwarder | undefined
  readonly inFlight: InFlight | undefined
  /** Undefined also where nothing may be recorded. */
  readonly ownRequests: OwnRequests | undefined
}

export function connectParts(options: EngineOptions): EngineParts {
  const { store, sessions, readOnly, now, report } = options
  const run = runFacts(options)
  const log = new RunLog(options)
  const { summary } = log
  const { live: wiki, secrets = new SecretRegistry() } = options
  const live = wiki && new LiveForwarder({ ...options, live: wiki, secrets }, summary)
  const recordsAnswers = mayRecord(run.mode, run.isNew)
  const ownRequests = recordsAnswers ? live?.ownRequests : undefined
  const calls = new CallReader(options, ownRequests)
  const factsOf = factsOfCall.bind(undefined, run, options)
  const inFlight = live && new InFlight({ store, sessions, calls, live, mayRecord: recordsAnswers })

  const snapshot = new FolderSnapshot(store)
  const generation = (folder?: string): string =>
    `${store.size} ${readOnly ? store.generation?.(folder) : ''}`
  const epochs = new EpochIndex(snapshot, generation)
  const synthesizer = new Synthesizer(store, options.trust, snapshot, generation)
  const loops = new LoopGuard()
  const lookup = new Lookup(store, live === undefined ? epochs : undefined, report)
  const tokens = new TokenGuard({ store, lookup, sessions, summary, now })
  const onChange = (): void => {
    for (const part of [epochs, synthesizer, loops, tokens]) part.clear()
  }
  const isForThisWiki = (incoming: IncomingRequest): boolean => !calls.isForOtherWiki(incoming)
  const cache = new EngineCache({ ...options, isForThisWiki, onChange })
  const noteServed = live?.writer.noteServed.bind(live.writer)
  const replayer = new Replayer({ sessions, synthesizer, loops, summary, now, noteServed })
  const missOptions = { ...options, apiPath: () => calls.apiPath }
  const loadMisses = async (): Promise<MissReporter> =>
    new (await import('./miss/miss-reporter.ts')).MissReporter(missOptions, summary)
  const replaying = { lookup, tokens, replayer, synthesizer, loops, loadMisses, now }
  return { run, log, calls, factsOf, cache, ...replaying, live, inFlight, ownRequests }
}

const runFacts = ({ store, live, mode, onMiss, refuseWrites }: EngineOptions): RunFacts => ({
  mode: live === undefined ? 'none' : mode,
  isNew: live !== undefined && store.size === 0,
  onMiss,
  refuseWrites,
})
