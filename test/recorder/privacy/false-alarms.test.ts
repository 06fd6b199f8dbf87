/** What real wikis answer holds no secret: it is neither changed nor reported. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { scanFile } from '../../../src/recorder/privacy/detect/scan-file.ts'
import { SecretRegistry } from '../../../src/recorder/privacy/known/secret-registry.ts'
import { redactResponse } from '../../../src/recorder/privacy/redact/redact-response.ts'
import { apiRequest } from '../../helpers/api-requests.ts'
import { toRecordedResponse } from '../../helpers/converted.ts'
import {
  answerOf,
  type GoldenCall,
  goldenPages,
  goldenSeeds,
  readable
} from '../../helpers/golden-calls.ts'
import { answer, fileOf, page, tree } from './answers.ts'

/** A session that knows secrets: none of them stands in an answer by chance. */
const ledger = new SecretRegistry()
ledger.learnFromRequest(new Map([['lgpassword', 'lab-Passw0rd-42']]), [
  ['cookie', 'ru_session=7v0kq3m5t9s1u2a4b6c8d0e2f4g6h8ij; ruUserName=Admin; ruUserID=1'],
  ['authorization', 'Bearer f3a9c0de11b24cd5e6f708192a3b4c5d6920f1ab']
])

describe('MediaWiki 1.25', () => {
  it.each(goldenSeeds.map((call) => [readable(call), call] as const))(
    '%s',
    (_, call: GoldenCall) => {
      const taking = toRecordedResponse(apiRequest(call.q), answerOf(call), 0)
      if (taking.kind !== 'converted') throw new Error(taking.reason)
      const { response, secrets } = redactResponse(taking.response)
      expect(secrets).toEqual([])
      expect(response.body).toBe(taking.response.body)
      expect(response.headers).toEqual(taking.response.headers)
      expect(scanFile('query/x.0123456789ab.json', fileOf(response))).toEqual([])
      expect(ledger.findLeaks(fileOf(response))).toEqual([])
    }
  )

  it.each(goldenPages.map((call) => [readable(call), call] as const))(
    'debugging page of %s',
    (_, call: GoldenCall) => {
      expect(redactResponse(page(call.body)).response).toEqual(page(call.body))
      expect(scanFile('x.html', call.body)).toEqual([])
    }
  )
})

const paraminfo = new URL('../../fixtures/paraminfo/', import.meta.url)

it.each(readdirSync(paraminfo))('what a wiki says of its modules: %s', (name) => {
  const text = readFileSync(new URL(name, paraminfo), 'utf8')
  const response = answer({
    kind: 'json',
    tree: tree(JSON.parse(text)),
    spelling: 'utf8'
  })
  expect(redactResponse(response).response).toBe(response)
  expect(scanFile(`paraminfo/${name}`, text)).toEqual([])
})
