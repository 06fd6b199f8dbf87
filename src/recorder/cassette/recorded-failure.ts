/** What a recorded answer says went wrong. */
import { itemsOf, type JsonTree, memberOf, textOf } from '../json/json-tree.ts'
import { writeCompact } from '../json/write-json.ts'
import {
  isPassingError,
  isPassingStatus,
  looksPassing
} from '../wiki/answers/passing-errors.ts'
import { bodyJson, cachedBodyText, type RecordedResponse } from './interaction.ts'

export interface RecordedFailure {
  /** E.g. `the error "readonly"`. */
  readonly what: string
  /** Of the API's error; empty where only the HTTP status tells. */
  readonly code: string
  /** It passes by itself: the same request may succeed soon. */
  readonly isPassing: boolean
  /** Nobody has listed it, and it says of itself that it passes. */
  readonly looksPassing: boolean
}

export const askAgainAdvice =
  'record it again with --mode all, or delete its file, unless it is wanted'

/** Undefined where the answer is none of an error. */
export function failureIn({
  status,
  headers,
  body
}: RecordedResponse): RecordedFailure | undefined {
  const error = namesError(body) ? errorMember(bodyJson(body)) : undefined
  const code = headers.get('mediawiki-api-error') ?? textOf(memberOf(error, 'code')) ?? ''
  if (code === '' && status < 400) return undefined

  const text = error ? writeCompact(error, 'utf8') : textIn(body)
  const isPassing = isPassingStatus(status) || isPassingError(code, text)
  return {
    what: code === '' ? `HTTP status ${status}` : `the error "${code}"`,
    code,
    isPassing,
    looksPassing: isPassing || (code !== '' && looksPassing(code, text))
  }
}

/** Whether the answer can have such a member: of millions of values, no tree is built in vain. */
function namesError(body: RecordedResponse['body']) {
  if (body.kind === 'binary') return false
  if (body.kind === 'text') return body.text.includes('"error')
  const bytes = cachedBodyText(body, body.spelling)
  return (
    !bytes || Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('"error')
  )
}

const errorMember = (tree: JsonTree | undefined) =>
  memberOf(tree, 'error') ?? itemsOf(memberOf(tree, 'errors'))[0]

const textIn = (body: RecordedResponse['body']) => (body.kind === 'text' ? body.text : '')
