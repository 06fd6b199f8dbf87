/** Whether two recordings of one request say the same, apart from what varies by itself. */
import { equalIgnoringVolatile, withoutParserReports } from '../wiki/answers/volatile.ts'
import { type RecordedBody, type RecordedResponse, sameTexts } from './interaction.ts'

/** True where a new recording adds nothing to the old one, so that its file need not be written. */
export function sameRecording(old: RecordedResponse, fresh: RecordedResponse): boolean {
  return (
    old.status === fresh.status &&
    sameTexts(old.headers, fresh.headers) &&
    JSON.stringify(old.cookies) === JSON.stringify(fresh.cookies) &&
    sameBody(old.body, fresh.body)
  )
}

function sameBody(a: RecordedBody, b: RecordedBody): boolean {
  if (a.kind === 'json' && b.kind === 'json') return equalIgnoringVolatile(a.tree, b.tree)
  if (a.kind === 'text' && b.kind === 'text')
    return a.text === b.text || withoutParserReports(a.text) === withoutParserReports(b.text)
  return a.kind === 'binary' && b.kind === 'binary' && Buffer.compare(a.bytes, b.bytes) === 0
}
