/** The parts of one engine, and how they are connected. */
import { type MissCause, mayRecord } from '../playback/decide.ts'
import { LoopGuard } from '../playback/session/loop-guard.ts'
import { SecretRegistry } from '../privacy/known/secret-registry.ts'
import type { RequestKey } from '../request/request-key.ts'
import { ResponseCache } from './cache/response-cache.ts'
import type { Call, CallOutcome } from './call.ts'
import { CallReader } from './call-reader.ts'
import type { EngineContext, EngineOptions } from './engine-options.ts'
import type { OwnRequests } from './own-requests/own-requests.ts'
import { LiveForwarder } from './record/live-forwarder.ts'
import { FolderSnapshot } from './replay/folder-snapshot.ts'
import { findRecording, type LookupResult } from './replay/lookup.ts'
import { Synthesizer } from './replay/synthesizer.ts'
import { RunSummary } from './run-summary.ts'
import { SharedSessions } from './session/shared-sessions.ts'

export interface EngineParts {
  readonly context: EngineContext
  readonly calls: CallReader
  readonly cache: ResponseCache
  readonly lookup: (call: Call) => LookupResult
  readonly loops: LoopGuard
  readonly synthesizer: Synthesizer
  /** Loaded at the first miss: most runs have none, and all that explains them costs a start some milliseconds. */
  readonly reportMiss: (call: Call, cause: MissCause) => Promise<CallOutcome>
  /** In a replay by several replicas. */
  readonly shared: SharedSessions | undefined
  /** Undefined in replay, so that nothing can go out. */
  readonly live: LiveForwarder | undefined
  /** Undefined also where nothing may be recorded. */
  readonly ownRequests: OwnRequests | undefined
}

export function connectParts(options: EngineOptions): EngineParts {
  const {
    store,
    sessions,
    readOnly,
    live: wiki,
    secrets = new SecretRegistry()
  } = options
  const isNew = wiki !== undefined && store.size === 0
  const context: EngineContext = { ...options, isNew, summary: new RunSummary() }
  const live = wiki && new LiveForwarder({ ...context, live: wiki, secrets })
  const ownRequests = mayRecord(context.mode, isNew) ? live?.ownRequests : undefined
  const calls = new CallReader(context, ownRequests)
  const shared =
    !live && store.sessions
      ? new SharedSessions(store.sessions, store, sessions)
      : undefined

  const generation = (part?: string, keys?: readonly RequestKey[]) =>
    `${store.size} ${readOnly ? store.generation?.(part, keys) : ''}`
  const snapshot = new FolderSnapshot(store, generation)
  const synthesizer = new Synthesizer(store, options.trust, snapshot)
  const loops = new LoopGuard()
  const lookup = (call: Call) => findRecording(call, context)
  const cache = new ResponseCache(context, calls, () => loops.clear())
  const reportMiss: EngineParts['reportMiss'] = async (call, cause) => {
    const misses = await import('./miss/miss-reporter.ts')
    return misses.reportMiss(call, cause, context, calls.apiPath)
  }
  const replaying = { cache, lookup, loops, synthesizer, reportMiss, shared }
  return { context, calls, ...replaying, live, ownRequests }
}
