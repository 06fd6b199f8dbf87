/** A request of a run as the filter sees it. */
import type { RequestView } from '../../src/pages/run-views.ts'
import type { FilterFacts } from './row-filter.ts'

export function requestFacts(request: RequestView): FilterFacts {
  const {
    outcome,
    status,
    method,
    module,
    key,
    why,
    cassette,
    words,
    user,
    session,
    agent,
    error,
    test,
    writes
  } = request
  const isFailed = error !== '' && outcome !== 'miss'
  return {
    text: `${outcome} ${status} ${method} ${module} ${key} ${why} ${cassette} ${words} ${user} ${session} ${agent} ${error} ${test}`.toLowerCase(),
    fields: {
      module,
      user: user || 'anonymous',
      status: String(status),
      error,
      epoch: String(writes),
      outcome,
      test,
      session,
      cassette
    },
    marks: new Set([
      ...(request.isWrite ? ['write'] : []),
      ...(request.hasWarnings ? ['warning'] : []),
      ...(isFailed ? ['error'] : [])
    ]),
    bytes: request.bytes,
    ms: request.ms,
    at: request.at
  }
}
