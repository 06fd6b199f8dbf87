/** Secrets planted into a clean cassette: `check` finds each, and nothing before. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { interactionPath } from '../../../../src/recorder/cassette/interaction-path.ts'
import { requestKey } from '../../../../src/recorder/request/request-key.ts'
import { CassetteStore } from '../../../../src/recorder/store/cassette-store.ts'
import { temporaryFolder } from '../../../helpers/folders.ts'
import { secretIssues } from '../../../helpers/secret-issues.ts'

interface Planting {
  readonly request?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly cookies?: readonly unknown[]
  readonly name?: string
}

function complaints({
  request = {},
  headers = {},
  body = {},
  cookies = [],
  name
}: Planting): readonly string[] {
  const dir = path.join(temporaryFolder(), 'tape')
  CassetteStore.openOrCreate(dir, 'http://wiki.test/w/api.php')
  const canonical = new Map(
    Object.entries({ action: 'x', ...request }).sort(([a], [b]) => (a < b ? -1 : 1))
  )
  const file = path.join(dir, name ?? interactionPath(canonical, requestKey(canonical)))
  mkdirSync(path.dirname(file), { recursive: true })
  const responses = [
    {
      ...(typeof body === 'string' ? { lines: [body] } : { json: body }),
      headers,
      status: 200,
      cookies
    }
  ]
  writeFileSync(
    path.join(dir, 'cassette.json'),
    '{"format":1,"upstream":"http://wiki.test/w/api.php"}\n'
  )
  writeFileSync(
    `${file}.new`,
    `${JSON.stringify({ request: Object.fromEntries(canonical), responses }, null, 1)}\n`
  )
  renameSync(`${file}.new`, file)
  return [...secretIssues(CassetteStore.open(dir))].map(({ what }) => what)
}

const made = 'A7fK29sLq0Zx81Vb3nTe6Wd'
const digits = 'f3a9c0de11b24cd5e6f708192a3b4c5d6920f1ab'

describe('found', () => {
  it.each(
    'pwd pass pin otp apikey api_key credential jwt auth passphrase user[password] lgpassword lgtoken token'.split(
      ' '
    )
  )('the parameter %s', (name) => {
    expect(complaints({ request: { [name]: 'hunter22' } })).toHaveLength(1)
    expect(complaints({ request: { [name]: '48213' } })).toHaveLength(1)
    expect(complaints({ request: { [name]: '(secret)' } })).toEqual([])
  })

  it.each(['code', 'assertion', 'signature', 'x_session_token', 'my_jwt_2'])(
    '%s with a value that looks issued',
    (name) => {
      expect(complaints({ request: { [name]: made } })).toHaveLength(1)
      expect(complaints({ request: { [name]: 'ru' } })).toHaveLength(
        name.endsWith('token') ? 1 : 0
      )
    }
  )

  it.each<readonly [string, Planting]>([
    ['an option', { request: { change: `gender=male|userjs-api_key=${made}` } }],
    [
      'credentials inside of a URL',
      { request: { url: 'https://bob:hunter2@host.test/' } }
    ],
    [
      'a pair inside of a URL',
      { request: { url: `https://host.test/?access_token=${made}` } }
    ],
    [
      'the query of a page',
      { request: { 'plain target': '/w/index.php?wpPassword=hunter22' } }
    ],
    ['a location', { headers: { location: `/w/index.php?token=${digits}%2B%5C` } }],
    ['a cookie', { cookies: [{ name: 'wiki_session', value: made }] }],
    ['a field', { body: { query: { tokens: { csrftoken: `${digits}+\\` } } } }],
    [
      'a field called like a credential header',
      { body: { authorization: `Bearer ${made}` } }
    ],
    ['a text in a body', { body: { x: `see https://wiki.test/?token=${digits}%2B%5C` } }],
    ['a line of text', { body: `api_key: "${made}"\n` }],
    [
      'packed text',
      { body: { x: gzipSync(`{"lgpassword":"hunter22"}`).toString('base64') } }
    ],
    ['a private key', { body: '-----BEGIN PRIVATE KEY-----\n' }],
    ['the name of a file', { name: `x/lgpassword=hunter22.0123456789ab.json` }]
  ])('%s', (_, planting) => {
    expect(complaints(planting).length).toBeGreaterThan(0)
  })
})

it('complains of nothing that a name was cut from', () => {
  const long = {
    a: 'x'.repeat(30),
    b: 'y'.repeat(20),
    lgpassword: '(secret)',
    lgtoken: '(token)'
  }
  expect(complaints({ request: long })).toEqual([])
  expect(
    complaints({
      request: {
        'plain target': `/w/index.php?${'a=b&'.repeat(14)}token=redacted-token`
      }
    })
  ).toEqual([])
})
