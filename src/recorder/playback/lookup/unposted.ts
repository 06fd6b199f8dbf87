/** A wiki refuses what it wants in the body of a POST and finds elsewhere; such answers are kept apart from those to a POST. */
import type { RecordedResponse } from '../../cassette/interaction.ts'
import type { Derivation } from '../../request/derive.ts'
import { keyForUnposted } from '../../request/scoped-keys.ts'

const codeOf = ({ headers }: RecordedResponse) => headers.get('mediawiki-api-error') ?? ''
const isRefusal = (response: RecordedResponse) =>
  /^mustbeposted$|^mustpostparams$/.test(codeOf(response))

/** A write by GET: only a parameter that lacks does a wiki tell first, posted or not (measured on 1.35 to 1.43). */
const isApart = ({ unposted, effect }: Derivation, response: RecordedResponse) =>
  unposted !== undefined &&
  (isRefusal(response) ||
    (unposted === '' && effect === 'write' && codeOf(response) !== 'missingparam'))

/** Under the plain key a refusal answers only what was not posted: 0.1 kept no refusals apart. */
export const isAnswerAsPosted = (
  derivation: Derivation,
  response: RecordedResponse
): boolean =>
  derivation.canonical.has('not posted') ||
  isApart(derivation, response) === isRefusal(response)

/** The key of its own that an answer needs, if any. */
export const withUnposted = (
  derivation: Derivation,
  fresh: RecordedResponse
): Derivation | undefined =>
  isApart(derivation, fresh) ? keyForUnposted(derivation) : undefined
