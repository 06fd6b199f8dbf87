/**
 * An answer that was recorded the same before and after every write is the answer after any of those writes. Only
 * writes count that stand alone between two recordings: of a page made and deleted in one go nothing shows afterwards.
 */
import type { Interaction } from '../../cassette/interaction.ts'
import { sameRecording } from '../../cassette/same-recording.ts'
import { type CanonicalRequest, type RequestKey, requestKey } from '../../request/request-key.ts'
import { epochParam } from '../../request/scoped-keys.ts'

/** The key that the same request has in a session that has written nothing. */
export function keyBeforeWrites(request: CanonicalRequest): RequestKey {
  return requestKey(new Map([...request].filter(([name]) => name !== epochParam)))
}

interface RecordedEpoch {
  readonly writes: ReadonlySet<string>
  readonly interaction: Interaction
}

/**
 * @param recordings all of one request, each in another epoch
 * @param writes the keys of the writes that the session has made
 */
export function findWriteIndependent(
  recordings: readonly Interaction[],
  writes: readonly RequestKey[],
): Interaction | undefined {
  const epochs = recordings.flatMap((one) => recordedEpoch(one) ?? [])
  const [first, ...others] = epochs
  if (first === undefined || others.length === 0 || !others.every((one) => isSameAnswerInBoth(first, one)))
    return undefined
  const harmless = new Set(harmlessWrites(epochs))
  const made = new Set<string>(writes)
  return epochs.find((one) => {
    const differing = [
      ...[...made].filter((key) => !one.writes.has(key)),
      ...[...one.writes].filter((key) => !made.has(key)),
    ]
    return differing.every((key) => harmless.has(key))
  })?.interaction
}

/** Undefined where the recording does not say after which writes it stands. */
function recordedEpoch(interaction: Interaction): RecordedEpoch | undefined {
  const state = interaction.request.get(epochParam)
  const writes = state === undefined ? [] : state.split(' ')
  return writes.every((one) => /^[0-9a-f]{12}$/.test(one))
    ? { writes: new Set(writes), interaction }
    : undefined
}

function isSameAnswerInBoth(a: RecordedEpoch, b: RecordedEpoch): boolean {
  const [one, ...later] = a.interaction.responses
  const [other, ...further] = b.interaction.responses
  return later.length + further.length === 0 && sameRecording(one, other)
}

/** Writes that alone make the difference between two of the epochs. */
function harmlessWrites(epochs: readonly RecordedEpoch[]): readonly string[] {
  return epochs.flatMap((before) =>
    epochs.flatMap((after) => {
      if (after.writes.size !== before.writes.size + 1) return []
      const more = [...after.writes].filter((one) => !before.writes.has(one))
      return more.length === 1 ? more : []
    }),
  )
}
