/** How a page begins that came instead of an answer: enough for a person to see whose it is. */
import { isQuotable } from '../../privacy/redact/redact-message.ts'
import { bodyHead, mediaType, type WikiAnswer } from '../../wiki/answers/wiki-answer.ts'

/** Bytes of a page that are looked at; what says whose it is stands at its head. */
const maxScannedBytes = 8_000
const maxExcerptLength = 120

/** The title of an HTML page, or the first words of any text, on one line; empty where there are none. */
export function pageExcerpt(answer: WikiAnswer): string {
  const text = bodyHead(answer, maxScannedBytes)
  if (text === undefined) return ''
  const title = /<title[^>]{0,200}>([^<]{1,500})/i.exec(text)?.[1]
  const words = collapseToLine(title ?? (isMarkup(answer) ? withoutTags(text) : text))
  // What is told ends in terminals and in logs of CI.
  if (!isQuotable(words)) return ''
  // Half of a word may be half of a secret, which nobody would know.
  return words.length > maxExcerptLength ? `${words.slice(0, maxExcerptLength).replace(/\S*$/, '')}…` : words
}

/** The same as it stands in a message, e.g. `: "Just a moment..."`. */
export function quotedExcerpt(answer: WikiAnswer): string {
  const words = pageExcerpt(answer)
  return words === '' ? '' : `: "${words}"`
}

const isMarkup = ({ headers }: WikiAnswer): boolean => /html|xml/.test(mediaType(headers))

const withoutTags = (text: string): string =>
  text.replace(/<(script|style)\b[\s\S]{0,4000}?<\/\1>/gi, ' ').replace(/<[^>]{0,2000}>/g, ' ')

/** A terminal obeys control characters. */
const collapseToLine = (text: string): string => text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
