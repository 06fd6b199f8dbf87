/** A miss as the pages show it. */
import {
  describeRequest,
  displayText
} from '../../recorder/engine/miss/describe-request.ts'
import { differenceText, type Miss } from '../../recorder/engine/miss/miss-reply.ts'
import type { RequestKey } from '../../recorder/request/request-key.ts'
import { PendingRead } from '../../recorder/store/pending-read.ts'
import type { Store } from '../../recorder/store/store.ts'
import type { MissView } from '../views.ts'

export const missView = (miss: Miss, cassette: string, store: Store): MissView => ({
  key: miss.key,
  cassette,
  reason: miss.reason,
  request: displayText(miss.request, 2_000),
  what: displayText(miss.what, 2_000),
  nearest: miss.nearest.map((near) => ({
    key: near.key,
    words: wordsOf(near.key, store),
    differences: near.differences.map((one) => ({ ...one, text: differenceText(one) }))
  })),
  advice: miss.advice,
  command: miss.command,
  line: miss.line ?? '',
  recorded: store.has(miss.key)
})

/** Empty if it cannot be read, or a remote store would have to load it. */
function wordsOf(key: RequestKey, store: Store) {
  try {
    const found = store.get(key).interaction
    return found ? describeRequest(found) : ''
  } catch (error) {
    if (error instanceof PendingRead) return ''
    throw error
  }
}
