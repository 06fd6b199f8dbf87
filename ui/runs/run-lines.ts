/** Requests out of the file of a run, which somebody else may have written: a member of another type is left empty. */
import type { RunLine, SentRequestView } from '../../src/pages/run-views.ts'
import type { MissView } from '../../src/pages/views.ts'

const text = ''
const shape: RunLine = {
  id: 0,
  at: 0,
  ms: 0,
  waitedMs: 0,
  cassette: text,
  outcome: text,
  status: 0,
  method: text,
  module: text,
  words: text,
  key: text,
  from: [text],
  why: text,
  error: text,
  hasWarnings: false,
  bytes: 0,
  user: text,
  session: text,
  agent: text,
  writes: 0,
  isWrite: false,
  retryAfter: 0,
  answer: text,
  test: text,
  sent: {
    method: text,
    path: text,
    params: [{ name: text, value: text }],
    files: [text],
    unread: text,
    headers: [[text, text]],
    cookies: [text]
  }
}

const missShape: MissView = {
  key: text,
  cassette: text,
  reason: text,
  request: text,
  what: text,
  nearest: [
    {
      key: text,
      words: text,
      differences: [{ param: text, text, recorded: undefined, got: undefined }]
    }
  ],
  advice: text,
  command: text,
  line: text,
  recorded: false
}

export const readSent = (sent: unknown): SentRequestView => like(shape.sent, sent)
export const readMisses = (misses: unknown): readonly MissView[] =>
  like([missShape], misses)
export const readLines = (lines: unknown): readonly RunLine[] => like([shape], lines)

/** A value with the members and types of a shape. */
function like<T>(shape: T, value: unknown): T {
  if (Array.isArray(shape)) {
    const items: readonly unknown[] = Array.isArray(value) ? value : []
    return items.map((item) => like(shape[0], item)) as T
  }
  if (shape === undefined) return (typeof value === 'string' ? value : undefined) as T
  if (typeof shape !== 'object' || shape === null)
    return typeof value === typeof shape ? (value as T) : shape
  const given = Object(value) as Readonly<Record<string, unknown>>
  const members = Object.entries(shape).map(([name, one]) => [
    name,
    like(one, Object.hasOwn(given, name) ? given[name] : undefined)
  ])
  return Object.fromEntries(members) as T
}
