/** A recording of logged-in clients is imported as far as it says itself who they were. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { CassetteStore } from '../../src/recorder/store/cassette-store.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { type Run, run } from '../helpers/program.ts'

interface Sent {
  readonly query: string
  readonly cookie: string
  readonly authorization?: string
  readonly answer: object
  readonly setCookie?: string
}

const entry = ({
  query,
  cookie,
  authorization = '',
  answer,
  setCookie
}: Sent): object => ({
  startedDateTime: '2026-01-02T03:04:05Z',
  request: {
    method: 'GET',
    url: `http://wiki.test/w/api.php?action=query&format=json&${query}`,
    headers: [
      { name: 'Cookie', value: cookie },
      { name: 'Authorization', value: authorization }
    ].filter(({ value }) => value !== '')
  },
  response: {
    status: 200,
    headers: [
      { name: 'Content-Type', value: 'application/json; charset=utf-8' },
      ...(setCookie === undefined ? [] : [{ name: 'Set-Cookie', value: setCookie }])
    ],
    content: { mimeType: 'application/json', text: JSON.stringify(answer) }
  }
})

const session = 'wiki_session=abcdefabcdefabcdefabcdefabcdefab'
const read = (from: string): Sent => ({
  query: `list=allpages&apfrom=${from}`,
  cookie: session,
  answer: { query: { allpages: [] } }
})
const askWho = (id: number, name: string): Sent => ({
  query: 'meta=userinfo',
  cookie: session,
  answer: { query: { userinfo: { id, name } } }
})

/** What is said, and whose recordings there are: `Волга: user:Bob`. */
async function imported(
  all: readonly Sent[]
): Promise<{ readonly report: Run; readonly users: readonly string[] }> {
  const root = temporaryFolder()
  const file = path.join(root, 'a.har')
  const cassette = path.join(root, 'tape')
  writeFileSync(file, JSON.stringify({ log: { entries: all.map(entry) } }))
  const report = await run(['import', file, '--cassette', cassette])
  const store = CassetteStore.open(cassette)
  const users = [...store.interactionsIn('query.allpages')].map(
    ({ request }) => `${request.get('apfrom')}: ${request.get('as user')}`
  )
  return { report, users: users.sort() }
}

it('an answer to meta=userinfo names the user of the same cookies, before and after it', async () => {
  const { report, users } = await imported([read('A'), askWho(3, 'Bob'), read('B')])
  expect([report.code, users]).toEqual([0, ['A: user:Bob', 'B: user:Bob']])
})

it('an answer to meta=userinfo names the user of the same Authorization header, and of no other', async () => {
  const sentBy = (token: string, sent: Sent): Sent => ({
    ...sent,
    cookie: '',
    authorization: `Bearer ${token}`
  })
  const { report, users } = await imported([
    sentBy('of-ann', read('A')),
    sentBy('of-bob', read('B')),
    sentBy('of-nobody', read('C')),
    sentBy('of-bob', askWho(3, 'Bob')),
    sentBy('of-ann', askWho(4, 'Ann'))
  ])
  expect([report.code, users]).toEqual([1, ['A: user:Ann', 'B: user:Bob']])
  expect(report.stderr).toContain(
    'apfrom=C: skipped: cookies or an Authorization header were sent'
  )
})

it.each<[string, readonly Sent[]]>([
  ['nothing names a user', []],
  ['the session may have expired before', [askWho(0, '192.0.2.1')]],
  [
    'other cookies are named',
    [{ ...askWho(3, 'Bob'), cookie: `${session.slice(0, -1)}f` }]
  ],
  [
    'the caller may have changed in between',
    [
      { ...read('Changed'), cookie: session, setCookie: 'wikiUserID=3; path=/' },
      askWho(3, 'Bob')
    ]
  ]
])(
  'what cookies were sent with is skipped with the reason where %s',
  async (_, after) => {
    const { report, users } = await imported([read('A'), ...after])
    expect([report.code, users.filter((one) => one.startsWith('A'))]).toEqual([1, []])
    expect(report.stderr).toContain(
      'entry 1: http://wiki.test/w/api.php?action=query&format=json&list=allpages&apfrom=A: skipped: cookies or an Authorization header were sent, and the recording does not say whose they are; record it again'
    )
    expect(report.stderr).not.toContain('no answer to this request was recorded')
  }
)
