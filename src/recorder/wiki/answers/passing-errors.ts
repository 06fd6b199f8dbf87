/** Errors that pass by themselves: which, and by whose word, is data. */
import { dataFile } from '../../knowledge/data-file.ts'
import { lazy } from '../../text/group-by.ts'

interface PassingErrors {
  readonly errors: readonly { readonly code: string; readonly words?: string }[]
}

const passingErrors = lazy(() =>
  (dataFile('passing-errors') as PassingErrors).errors.map(
    ({ code, words = '' }) => [new RegExp(code), new RegExp(words)] as const
  )
)

/** @param text the answer as sent */
export const isPassingError = (code: string, text: string): boolean =>
  passingErrors().some(([codes, words]) => codes.test(code) && words.test(text))

/** Overload and maintenance, told by the HTTP status alone. */
export const isPassingStatus = (status: number): boolean =>
  status >= 500 || status === 429

/** What errors of extensions say of themselves if they pass. */
const passingWords =
  /\b(?:too[ -]busy|overload|temporar|try again|retry|timed?[ -]?out|unavailable|in a (?:few|moment|while))/i

/** True also of errors that nobody has listed, by what they say. */
export const looksPassing = (code: string, text: string): boolean =>
  isPassingError(code, text) || passingWords.test(`${code} ${text}`)
