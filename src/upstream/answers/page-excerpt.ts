/** The title or first words of a page that came instead of an answer, so that a person sees whose it is. */
import { isQuotable } from '../../privacy/redact/redact-message.ts'
import { bodyHead, mediaType, type WikiAnswer } from '../../wiki/answers/wiki-answer.ts'

const maxScannedBytes = 8_000
const maxExcerptLength = 120

export function pageExcerpt(answer: WikiAnswer): string {
  const text = bodyHead(answer, maxScannedBytes)
  if (text === undefined) return ''
  const title = /<title[^>]{0,200}>([^<]{1,500})/i.exec(text)?.[1]
  const words = collapseToLine(title ?? (isMarkup(answer) ? withoutTags(text) : text))
  // Messages end in terminals and in logs of CI.
  if (!isQuotable(words)) return ''
  // Half a word may be half of a secret, which redaction would not recognise.
  return words.length > maxExcerptLength ? `${words.slice(0, maxExcerptLength).replace(/\S*$/, '')}…` : words
}

/** The excerpt as part of a message, e.g. `: "Just a moment..."`. */
export function quotedExcerpt(answer: WikiAnswer): string {
  const words = pageExcerpt(answer)
  return words === '' ? '' : `: "${words}"`
}

const isMarkup = ({ headers }: WikiAnswer): boolean => /html|xml/.test(mediaType(headers))

const withoutTags = (text: string): string =>
  text.replace(/<(script|style)\b[\s\S]{0,4000}?<\/\1>/gi, ' ').replace(/<[^>]{0,2000}>/g, ' ')

/** Without control characters, which a terminal obeys. */
const collapseToLine = (text: string): string => text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
