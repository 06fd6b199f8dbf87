/** Cassettes of vcrpy and go-vcr. */
import type { FormatReader } from '../../exchange/imported-exchange.ts'
import { member } from '../../exchange/members.ts'
import { readInteractions } from '../vcr-interactions.ts'

export const vcrpyReader: FormatReader = {
  expected: 'a vcrpy cassette ("version: 1" and "interactions")',
  entries: ['interactions'],
  read(value) {
    const interactions = member(value, 'interactions')
    if (!Array.isArray(interactions)) return undefined
    const version = member(value, 'version') ?? 1
    // go-vcr names the address `url`, and has its own version numbers.
    const known = interactions.some((one) => member(one, 'request', 'url') !== undefined) ? [0, 1, 2] : [1]
    return known.includes(Number(version))
      ? readInteractions(interactions, false)
      : `it is a vcrpy cassette of version ${JSON.stringify(version)}; expected version 1`
  },
}
