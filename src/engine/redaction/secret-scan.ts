/** The scan of a pending write: secrets in clear, and texts that only look like secrets. */
import { bodiesOutsideText, encodeInteraction } from '../../cassette/format/encode-interaction.ts'
import type { RecordedResponse } from '../../cassette/interaction.ts'
import { falseAlarmsIn } from '../../privacy/detect/scan-file.ts'
import type { SecretLeak, SecretRegistry } from '../../privacy/known/secret-registry.ts'
import { decompress } from './decompress.ts'
import type { PendingWrite } from './pending-write.ts'

export interface SecretScan {
  /** Digests of texts that only look like a secret. */
  readonly falseAlarms: readonly string[]
  readonly leaks: readonly SecretLeak[]
  /** The file that is to be written, with these digests. */
  readonly text: Uint8Array<ArrayBuffer>
  /** Bodies in files of their own, by name. */
  readonly bodyFiles: ReadonlyMap<string, Uint8Array>
}

export function scanForSecrets(registry: SecretRegistry, { file, ...write }: PendingWrite): SecretScan {
  const falseAlarms = falseAlarmsOf(write.responses)
  const interaction = falseAlarms.length === 0 ? write : { ...write, falseAlarms }
  const { text, bodyFiles } = encodeInteraction(interaction, fileStem(file))
  const leaks = registry.findLeaks(file, text, ...bodiesOutsideText(write.responses))
  return { falseAlarms, leaks, text: new TextEncoder().encode(text), bodyFiles }
}

/** Secrets in clear in what was written before. */
export function leaksIn(registry: SecretRegistry, { file, ...write }: PendingWrite): readonly SecretLeak[] {
  const { text } = encodeInteraction(write, fileStem(file))
  return registry.findLeaks(file, text, ...bodiesOutsideText(write.responses))
}

/** Digests of texts in the bodies that only look like a secret, sorted. */
const falseAlarmsOf = (responses: readonly RecordedResponse[]): readonly string[] =>
  [...new Set(responses.flatMap(({ body }) => falseAlarmsIn(body, { inflate: decompress })))].sort()

/** The names of body files begin with it. */
const fileStem = (file: string): string => file.replace(/^.*\//, '').replace(/\.json$/, '')
