/** Whether an answer is an error of the API: told by its JSON, which is at hand, as by a look at its bytes. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { memberOf } from '../../src/json/json-tree.ts'
import type { ApiRequest } from '../../src/request/api-request.ts'
import { apiErrorCode, noteJson } from '../../src/upstream/answers/recordable.ts'
import { toRecordedResponse } from '../helpers/converted.ts'
import { rounds } from '../helpers/scale.ts'

const names = fc.constantFrom('error', 'errors', 'query', 'debuginfo', '\\u0065rror', 'err\\u006fr', 'code')
const texts = fc.constantFrom('"maxlag"', '"\\"error\\""', '1', '[{"code":"x"}]', '{"code":"readonly"}')
const json = fc
  .array(fc.tuple(names, texts), { maxLength: 4 })
  .map((members) => `{${members.map(([name, value]) => `"${name}":${value}`).join(',')}}`)

it('is the same either way', () => {
  let errors = 0
  const request: ApiRequest = {
    kind: 'api',
    params: new Map(),
    files: [],
    identity: 'anonymous',
    posted: false,
    envelope: { kind: 'bare', spelling: 'ascii', requestId: undefined },
  }
  fc.assert(
    fc.property(json, (text) => {
      const answer = () => ({
        ...{ status: 200, headers: new Map([['content-type', 'application/json']]), setCookies: [] },
        body: Buffer.from(text),
      })
      const [looked, noted] = [answer(), answer()]
      const taking = toRecordedResponse(request, noted, 0)
      if (taking.kind === 'refused' || taking.response.body.kind !== 'json') return
      noteJson(noted, taking.response.body.tree)
      expect(apiErrorCode(noted)).toBe(apiErrorCode(looked))
      if (memberOf(taking.response.body.tree, 'error') !== undefined) errors += 1
    }),
    { numRuns: rounds(1000) },
  )
  expect(errors).toBeGreaterThan(rounds(50))
})
