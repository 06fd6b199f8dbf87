/** What is told to the ledger once is not told again; it knows the same as if it were. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  observeHead,
  observeRequest
} from '../../../../src/recorder/engine/redaction/secret-observer.ts'
import { parseRequest } from '../../../../src/recorder/http/parse-request.ts'
import { SecretRegistry } from '../../../../src/recorder/privacy/known/secret-registry.ts'
import { parseUrlencoded } from '../../../../src/recorder/wiki/parameters/request-params.ts'
import { rounds } from '../../../helpers/scale.ts'

const sentValues = [
  '4f8a2c1e9b7d6053a1c2e3f4',
  'Zauberwort 77',
  'wiki_session=7f3a9c1b5d2e8f4061a2',
  'Bearer q9w8e7r6t5y4u3i2o1p0',
  'mail@example.org',
  '203.0.113.7'
]
const sentText = sentValues.map((value) => JSON.stringify(value)).join('\n')
const values = fc.constantFrom(...sentValues)
const headers = fc.dictionary(
  fc.constantFrom(
    'cookie',
    'authorization',
    'user-agent',
    'x-forwarded-for',
    'x-api-key',
    'accept'
  ),
  values,
  { maxKeys: 3 }
)
const queries = fc
  .dictionary(
    fc.constantFrom('lgpassword', 'token', 'titles', 'api_key', 'email'),
    values,
    {
      maxKeys: 2
    }
  )
  .map((params) => new URLSearchParams({ action: 'query', ...params }).toString())
const request = fc.record({
  method: fc.constantFrom('GET', 'POST'),
  headers,
  query: queries,
  body: queries,
  /** Whether somebody else asks between its head and the rest of it. */
  interrupted: fc.boolean()
})

describe('the ledger', () => {
  it('knows of requests that repeat each other what it would know of each by itself', () => {
    fc.assert(
      fc.property(fc.array(request, { maxLength: 12 }), (requests) => {
        const ledger = new SecretRegistry()
        const plain = new SecretRegistry()
        for (const { method, headers: sent, query, body, interrupted } of requests) {
          const target = `/w/api.php?${query}`
          const posted = method === 'POST'
          const exchange = {
            method,
            target,
            body: posted ? Buffer.from(body) : Buffer.alloc(0),
            session: '',
            headers: posted
              ? { ...sent, 'content-type': 'application/x-www-form-urlencoded' }
              : sent,
            signal: undefined
          }
          observeHead(ledger, target, exchange.headers)
          if (interrupted) observeHead(ledger, '/w/api.php?action=query&lgtoken=0', {})
          const { request: understood } = parseRequest(exchange, () => 'anonymous')
          observeRequest(ledger, understood, exchange)
          plain.learnFromRequest(parseUrlencoded(query), Object.entries(exchange.headers))
          if (interrupted)
            plain.learnFromRequest(parseUrlencoded('action=query&lgtoken=0'), [])
          if (posted) plain.learnFromRequest(parseUrlencoded(body), [])
        }
        const known = (one: SecretRegistry): readonly unknown[] => [
          one.size,
          new Set(one.findSecrets(sentText))
        ]
        expect(known(ledger)).toEqual(known(plain))
      }),
      { numRuns: rounds(1000) }
    )
  })

  it('is told nothing of one ledger by another', () => {
    const sent = { authorization: 'Bearer q9w8e7r6t5y4u3i2o1p0' }
    const target = '/w/api.php?lgpassword=Zauberwort+77'
    for (const ledger of [new SecretRegistry(), new SecretRegistry()]) {
      observeHead(ledger, target, sent)
      expect(ledger.findLeaks('q9w8e7r6t5y4u3i2o1p0 Zauberwort 77')).toHaveLength(2)
    }
  })
})
