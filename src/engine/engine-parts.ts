/** The parts of one engine, and how they are connected. */
import { type MissCause, mayRecord } from '../playback/decide.ts'
import { LoopGuard } from '../playback/session/loop-guard.ts'
import { SecretRegistry } from '../privacy/known/secret-registry.ts'
import { ResponseCache } from './cache/response-cache.ts'
import type { Call, CallOutcome } from './call.ts'
import type { RunFacts } from './call-facts.ts'
import { CallReader } from './call-reader.ts'
import type { EngineOptions } from './engine-options.ts'
import { InFlight } from './in-flight.ts'
import type { OwnRequests } from './own-requests/own-requests.ts'
import { LiveForwarder } from './record/live-forwarder.ts'
import { FolderSnapshot } from './replay/folder-snapshot.ts'
import { EpochIndex, Lookup } from './replay/lookup.ts'
import { Replayer } from './replay/replayer.ts'
import { Synthesizer } from './replay/synthesizer.ts'
import { TokenGuard } from './replay/token-guard.ts'
import { RunSummary } from './run-summary.ts'
import { SharedSessions } from './session/shared-sessions.ts'

export interface EngineParts {
  readonly options: EngineOptions
  readonly run: RunFacts
  readonly summary: RunSummary
  readonly calls: CallReader
  readonly cache: ResponseCache
  readonly lookup: Lookup
  readonly replayer: Replayer
  readonly synthesizer: Synthesizer
  readonly tokens: TokenGuard
  /** Loaded at the first miss: most runs have none, and all that explains them costs a start some milliseconds. */
  readonly reportMiss: (call: Call, cause: MissCause) => Promise<CallOutcome>
  /** In a replay by several replicas. */
  readonly shared: SharedSessions | undefined
  /** These two are undefined in replay, so that nothing can go out. */
  readonly live: LiveForwarder | undefined
  readonly inFlight: InFlight | undefined
  /** Undefined also where nothing may be recorded. */
  readonly ownRequests: OwnRequests | undefined
}

export function connectParts(options: EngineOptions): EngineParts {
  const { store, sessions, readOnly, live: wiki, secrets = new SecretRegistry() } = options
  const run = runFacts(options)
  const summary = new RunSummary()
  const live = wiki && new LiveForwarder({ ...options, live: wiki, secrets, summary })
  const recordsAnswers = mayRecord(run.mode, run.isNew)
  const ownRequests = recordsAnswers ? live?.ownRequests : undefined
  const calls = new CallReader(options, ownRequests)
  const inFlight = live && new InFlight({ store, sessions, calls, live, mayRecord: recordsAnswers })
  const shared = !live && store.sessions ? new SharedSessions(store.sessions, sessions) : undefined

  const snapshot = new FolderSnapshot(store)
  const generation = (folder?: string): string =>
    `${store.size} ${readOnly ? store.generation?.(folder) : ''}`
  const epochs = new EpochIndex(snapshot, generation)
  const synthesizer = new Synthesizer(store, options.trust, snapshot, generation)
  const loops = new LoopGuard()
  const lookup = new Lookup(store, live === undefined ? epochs : undefined, options.report)
  const tokens = new TokenGuard({ ...options, lookup, summary })
  const onChange = (): void => {
    for (const part of [epochs, synthesizer, loops, tokens]) part.clear()
  }
  const cache = new ResponseCache({ ...options, calls, onChange })
  const noteServed = live?.writer.noteServed.bind(live.writer)
  const replayer = new Replayer({ ...options, tokens, synthesizer, loops, summary, noteServed })
  const reportMiss: EngineParts['reportMiss'] = async (call, cause) => {
    const misses = await import('./miss/miss-reporter.ts')
    return misses.reportMiss(call, cause, { ...options, apiPath: calls.apiPath, summary })
  }
  const replaying = { cache, lookup, replayer, synthesizer, tokens, reportMiss, shared }
  return { options, run, summary, calls, ...replaying, live, inFlight, ownRequests }
}

const runFacts = ({ store, live, mode, onMiss, refuseWrites }: EngineOptions): RunFacts => ({
  mode: live === undefined ? 'none' : mode,
  isNew: live !== undefined && store.size === 0,
  onMiss,
  refuseWrites,
})
