/** Whatever is secret and wherever a wiki echoes it: it is redacted, or the ledger stops the write. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RecordedResponse } from '../../../src/recorder/cassette/interaction.ts'
import { mapStrings } from '../../../src/recorder/json/map-strings.ts'
import { readJson } from '../../../src/recorder/json/read-json.ts'
import { SecretRegistry } from '../../../src/recorder/privacy/known/secret-registry.ts'
import { redactResponse } from '../../../src/recorder/privacy/redact/redact-response.ts'
import { isDistinctive } from '../../../src/recorder/privacy/secrets/secret.ts'
import { escapeHtml } from '../../../src/recorder/wiki/answers/envelope.ts'
import { rounds } from '../../helpers/scale.ts'
import { answer, cookie, fileOf, json, page } from './answers.ts'

const ascii = (text: string): string =>
  text.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  )
const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** How a secret may be spelled on its way. */
const spelled = fc.constantFrom<readonly [string, (secret: string) => string]>(
  ['plain', (one) => one],
  ['percent', encodeURIComponent],
  ['form', (one) => new URLSearchParams({ x: one }).toString()],
  ['HTML', escapeHtml],
  ['JSON', (one) => JSON.stringify(one)],
  ['JSON of ASCII', (one) => ascii(JSON.stringify(one))],
  ['JSON in HTML', (one) => escapeHtml(JSON.stringify({ x: one }))],
  ['JSON in a URL', (one) => encodeURIComponent(JSON.stringify({ x: one }))],
  ['JSON in JSON', (one) => JSON.stringify(JSON.stringify({ x: one }))],
  ['Basic', (one) => base64(`Admin:${one}`)],
  ['base64', (one) => base64(`{"x":"${one}"}`)],
  ['base64url', (one) => Buffer.from(`ab${one}c`).toString('base64url')]
)

/** Where a wiki may echo it. */
const place = fc.constantFrom<readonly [string, (echo: string) => RecordedResponse]>(
  ['member', (echo) => answer(json({ error: { info: `Bad value "${echo}".` } }))],
  ['field', (echo) => answer(json({ token: echo, password: echo, sessionid: echo }))],
  ['page', (echo) => page(`<p title="x">${echo}</p>`)],
  ['query string in a page', (echo) => page(`<a href="?a=1&amp;b=${echo}&amp;c">`)],
  ['xml', (echo) => page(`<api><a b="${echo}" /></api>`)],
  ['php', (echo) => page(`a:1:{s:1:"x";s:${Buffer.byteLength(echo)}:"${echo}";}`)],
  [
    'location',
    (echo) => answer(json({}), { location: `https://wiki.test/w/index.php?x=${echo}#y` })
  ],
  ['error header', (echo) => answer(json({}), { 'mediawiki-api-error': echo })],
  [
    'raw JSON',
    (echo) =>
      answer({
        kind: 'text',
        text: `{"x": ${JSON.stringify(echo)} }`,
        spelling: 'ascii'
      })
  ],
  [
    'bytes',
    (echo) =>
      answer({
        kind: 'binary',
        bytes: Buffer.concat([Buffer.of(0xff, 0x00), Buffer.from(echo)])
      })
  ]
)

/** All strings of a file, as a reader sees them. */
function stringsOf(file: string): string {
  const reading = readJson(file)
  if (!reading.ok) throw new Error(reading.fault.message)
  const all: string[] = []
  mapStrings(reading.tree, (value, { path }) => {
    all.push(
      path.at(-1) === 'base64' ? Buffer.from(value, 'base64').toString('utf8') : value
    )
    return value
  })
  return all.join('\n')
}

function expectKept(
  ledger: SecretRegistry,
  response: RecordedResponse,
  echo: string
): void {
  const { response: clean, secrets } = redactResponse(
    response,
    ledger.callerIdentifiers()
  )
  ledger.learnFromResponse(secrets)
  const file = fileOf(clean)
  const bytes = clean.body.kind === 'binary' ? [clean.body.bytes] : []
  if (ledger.findLeaks(file, ...bytes).length === 0)
    expect(stringsOf(file)).not.toContain(echo)
}

const hex = (length: number): fc.Arbitrary<string> =>
  fc.string({
    unit: fc.constantFrom(...'0123456789abcdef'),
    minLength: length,
    maxLength: length
  })
const password = fc
  .string({ unit: 'grapheme', minLength: 6, maxLength: 40 })
  .filter(
    (value) =>
      value.isWellFormed() && isDistinctive({ kind: 'password', value, source: '' })
  )
const session = fc
  .string({
    unit: fc.constantFrom(...'0123456789abcdefghijklmnopqrstuv'),
    minLength: 32,
    maxLength: 32
  })
  .filter((value) => isDistinctive({ kind: 'session', value, source: '' }))
const token = hex(40)
  .filter((value) => isDistinctive({ kind: 'token', value, source: '' }))
  .map((digits) => `${digits}+\\`)
const oauth = fc
  .base64String({ minLength: 24, maxLength: 60 })
  .filter((value) => isDistinctive({ kind: 'oauth', value, source: '' }))

type Headers = readonly (readonly [string, string])[]
const sent = (
  params: Readonly<Record<string, string>>,
  headers: Headers = []
): SecretRegistry => {
  const ledger = new SecretRegistry()
  ledger.learnFromRequest(new Map(Object.entries(params)), headers)
  return ledger
}

describe('a secret that a client sent does not reach the file, or stops it', () => {
  it.each<readonly [string, fc.Arbitrary<string>, (secret: string) => SecretRegistry]>([
    ['password', password, (lgpassword) => sent({ lgname: 'Admin', lgpassword })],
    ['password of a new account', password, (retype) => sent({ retype })],
    [
      'Basic',
      password,
      (one) => sent({}, [['authorization', `Basic ${base64(`Admin:${one}`)}`]])
    ],
    [
      'session cookie',
      session,
      (one) => sent({}, [['Cookie', `ru_session=${one}; ruUserID=1`]])
    ],
    ['token', token, (one) => sent({ token: one })],
    ['Bearer', oauth, (one) => sent({}, [['Authorization', `Bearer ${one}`]])],
    [
      'OAuth 1',
      oauth,
      (one) =>
        sent({}, [
          ['Authorization', `OAuth oauth_signature="${encodeURIComponent(one)}"`]
        ])
    ]
  ])('%s', (_, secrets, learn) => {
    fc.assert(
      fc.property(secrets, spelled, place, (secret, [, spell], [, put]) => {
        const echo = spell(secret)
        expectKept(learn(secret), put(echo), echo)
      }),
      { numRuns: rounds(300) }
    )
  })
})

describe('a secret that a wiki gave does not reach the file of a later answer, or stops it', () => {
  it.each<readonly [string, fc.Arbitrary<string>, (secret: string) => RecordedResponse]>([
    ['field', token, (csrftoken) => answer(json({ query: { tokens: { csrftoken } } }))],
    [
      'login of 1.25',
      session,
      (sessionid) => answer(json({ login: { result: 'NeedToken', sessionid } }))
    ],
    ['cookie', session, (one) => answer(json({}), {}, [cookie('ru_session', one)])],
    [
      'page',
      token,
      (one) => page(`<input type="hidden" value="${one}" name="wpEditToken"/>`)
    ],
    ['OAuth', oauth, (one) => answer(json({ access_token: one }))],
    [
      'location',
      oauth,
      (one) =>
        answer(json({}), { location: `/cb?oauth_token=${encodeURIComponent(one)}` })
    ]
  ])('%s', (_, secrets, give) => {
    fc.assert(
      fc.property(secrets, spelled, place, (secret, [, spell], [, put]) => {
        const ledger = new SecretRegistry()
        expectKept(ledger, give(secret), secret)
        expect(fileOf(redactResponse(give(secret)).response)).not.toContain(
          secret.slice(0, 24)
        )
        expectKept(ledger, put(spell(secret)), spell(secret))
      }),
      { numRuns: rounds(200) }
    )
  })
})

it('the own address does not reach a file once it is known', () => {
  const address = fc.oneof(
    fc.ipV4().filter((one) => !one.startsWith('127.')),
    fc
      .array(fc.integer({ min: 1, max: 0xffff }), { minLength: 8, maxLength: 8 })
      .map((groups) => groups.map((group) => group.toString(16).toUpperCase()).join(':'))
  )
  fc.assert(
    fc.property(address, place, (own, [, put]) => {
      const ledger = new SecretRegistry()
      expectKept(
        ledger,
        answer(json({ query: { userinfo: { id: 0, name: own, anon: '' } } })),
        own
      )
      expectKept(ledger, put(own), own)
      expectKept(ledger, put(`Участник:${own} (обсуждение)`), own)
    })
  )
})

it('what is redacted stays JSON, XML and PHP of the same shape', () => {
  fc.assert(
    fc.property(token, session, fc.json(), (one, id, other) => {
      const value = {
        other: JSON.parse(other) as unknown,
        login: { token: one, sessionid: id }
      }
      const file = fileOf(redactResponse(answer(json(value))).response)
      expect(readJson(file).ok).toBe(true)
    })
  )
})
