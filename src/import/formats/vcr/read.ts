/** Cassettes of Ruby's VCR, R's vcr and betamax. */
import type { FormatReader } from '../../exchange/imported-exchange.ts'
import { member } from '../../exchange/members.ts'
import { readInteractions } from '../vcr-interactions.ts'

export const vcrReader: FormatReader = {
  expected: 'a cassette of Ruby\'s VCR ("http_interactions")',
  entries: ['http_interactions'],
  read(value, { mayBeCut = false }) {
    const interactions = member(value, 'http_interactions')
    return Array.isArray(interactions) ? readInteractions(interactions, mayBeCut) : undefined
  },
}

/** VCR and vcrpy wrote a list of serialised objects before 2012 and 2014. */
export const whyTooOld = (value: unknown): string | undefined =>
  Array.isArray(value) && member(value[0], 'request') !== undefined
    ? 'it is a cassette as vcrpy wrote it before 1.0, or VCR before 2.0; migrate it first, with python3 -m vcr.migration FILE or rake vcr:migrate_cassettes'
    : undefined
