/** A recording that cannot be read, in words. */
import type { Derivation } from '../../request/derive.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { keyForExactOrder } from '../../request/scoped-keys.ts'
import type { InteractionReadResult, Store } from '../../store/store.ts'

type BrokenRecording = Extract<InteractionReadResult, { kind: 'broken' }>

export const brokenText = ({ path, fault: { line, column, message } }: BrokenRecording): string =>
  `broken recording ${path}:${line}:${column}: ${message}; fix it or record it again`

/** The recording of this very request, where it cannot be read: then nothing else explains the miss. */
export function brokenRecordingOf(
  derivation: Derivation,
  store: Store,
): { readonly key: RequestKey; readonly why: string; readonly reason: 'broken-recording' } | undefined {
  for (const key of [derivation.key, keyForExactOrder(derivation).key]) {
    const found = store.get(key)
    if (found.kind === 'broken') return { key, why: `${brokenText(found)}.`, reason: 'broken-recording' }
  }
  return undefined
}
