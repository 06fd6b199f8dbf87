/** Who sent the entries of a recording, as far as a later answer to the same cookies says it. */
import { identityIn } from '../engine/session/update-session.ts'
import { readTree } from '../json/read-json.ts'
import { bodyText, type WikiAnswer } from '../wiki/answers/wiki-answer.ts'
import type { ImportedEntry, ImportedExchange } from './exchange/imported-exchange.ts'

/**
 * For each entry the next answer that names the user of its cookies, unless the caller may have changed in between. An
 * anonymous caller may have been logged in before: sessions expire.
 */
export function findCallerAnswers(
  entries: readonly ImportedEntry[],
): ReadonlyMap<ImportedEntry, WikiAnswer | undefined> {
  const next = new Map<string, WikiAnswer>()
  const found = new Map<ImportedEntry, WikiAnswer | undefined>()
  for (const entry of entries.toReversed()) {
    if (entry.kind === 'unusable') {
      next.clear()
      continue
    }
    const { exchange } = entry
    const cookies = exchange.headers['cookie'] ?? ''
    if (mayChangeCaller(exchange)) next.delete(cookies)
    if (namesUser(exchange)) next.set(cookies, exchange.answer)
    found.set(entry, next.get(cookies))
  }
  return found
}

const mayChangeCaller = ({ method, url, answer }: ImportedExchange): boolean =>
  method === 'POST' || answer.setCookies.length > 0 || /logout/i.test(url.search)

const namesUser = ({ url, body, answer }: ImportedExchange): boolean =>
  (url.search.includes('userinfo') || Buffer.from(body).includes('userinfo')) &&
  identityIn(readTree(bodyText(answer) ?? ''))?.startsWith('user:') === true
