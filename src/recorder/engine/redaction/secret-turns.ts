/**
 * Tells pages apart that differ only in a secret, without writing down which: the first secret at a place has no number, the
 * second has 2, in the order in which this run has met them. In memory a secret is a digest by a key of this run.
 */
import { createHmac, randomBytes } from 'node:crypto'
import type { PlainRequest } from '../../request/api-request.ts'
import { getOrAdd } from '../../text/group-by.ts'

export class SecretTurns {
  readonly #key = randomBytes(32)
  /** By what of a request is known without its secrets. */
  readonly #met: Map<string, string[]> = new Map()

  /** Undefined for a request without secrets, and for the first secret at its place. */
  of({ target, bodyDigest, secrets = '' }: PlainRequest): number | undefined {
    if (secrets === '') return undefined
    const digest = createHmac('sha256', this.#key).update(secrets).digest('base64')
    const met = getOrAdd(this.#met, `${target}\n${bodyDigest}`, () => [])
    if (!met.includes(digest)) met.push(digest)
    const turn = met.indexOf(digest) + 1
    return turn === 1 ? undefined : turn
  }
}
