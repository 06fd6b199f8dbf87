/**
 * Answers independent of writes: one that was recorded the same in all epochs holds after any of their writes. Only a write
 * that alone makes the difference between two epochs counts: a page made and deleted between them leaves no trace.
 */
import { type Interaction, sameRecording } from '../../cassette/interaction.ts'
import {
  type CanonicalRequest,
  parseRequestKey,
  type RequestKey,
  requestKey,
} from '../../request/request-key.ts'
import { epochParam } from '../../request/scoped-keys.ts'

/** The key of the same request in a session without writes. */
export const keyBeforeWrites = (request: CanonicalRequest): RequestKey =>
  requestKey(new Map([...request].filter(([name]) => name !== epochParam)))

interface RecordedEpoch {
  readonly writes: ReadonlySet<string>
  readonly interaction: Interaction
}

/** @param recordings all of one request, each of another epoch. @param writes the keys of the session's writes */
export function findWriteIndependent(
  recordings: readonly Interaction[],
  writes: readonly RequestKey[],
): Interaction | undefined {
  const epochs = recordings.flatMap((interaction): readonly RecordedEpoch[] => {
    const named = namedWrites(interaction.request)
    return named === undefined ? [] : [{ writes: new Set(named), interaction }]
  })
  const [first, ...others] = epochs
  if (first === undefined || others.length === 0 || !others.every((one) => hasSameAnswer(first, one)))
    return undefined
  const harmless = new Set(harmlessWrites(epochs))
  const made = new Set<string>(writes)
  return epochs.find((one) =>
    [...made, ...one.writes].every((key) => harmless.has(key) || (made.has(key) && one.writes.has(key))),
  )?.interaction
}

/** The writes of a recording's epoch; undefined where they are too many to be named. */
export function namedWrites(recorded: CanonicalRequest): readonly RequestKey[] | undefined {
  const named = (recorded.get(epochParam) ?? '').split(' ').filter((one) => one !== '')
  const keys = named.flatMap((one) => parseRequestKey(one) ?? [])
  return keys.length === named.length ? keys : undefined
}

function hasSameAnswer(a: RecordedEpoch, b: RecordedEpoch): boolean {
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
