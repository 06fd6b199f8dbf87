/** What a client sends to prove who it is: none of it is on the disk, in names of files, in messages or in the log. */
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { logLine } from '../../../../src/cli/serve/log-requests.ts'
import { entryLine } from '../../../../src/recorder/engine/request-log.ts'
import { fakeWiki } from '../../../helpers/fake-wiki.ts'
import { ask, type HttpAsk, type HttpReply, post } from '../../../helpers/http-client.ts'
import { traces, writtenIn } from '../../../helpers/needles.ts'
import { startProxy } from '../../../helpers/proxies.ts'

const password = 'correct-Horse7-battery9b'
const made = 'A7fK29sLq0Zx81Vb3nTe6Wd'
const jwt =
  'eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLCJodHRwOi8vZXhhbXBsZSI6dHJ1ZX0.dBjftJeZ4CVPmB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const mailed = '9f86d081884c7d659a2feaa0c55ad015'
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const q = encodeURIComponent

const posted = (
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = form
): HttpAsk => ({
  method: 'POST',
  body,
  headers
})
const json = { 'content-type': 'application/json' }

/** Fields of forms that the wiki's login extensions make, which no list of names can hold. */
const loginFields =
  'smscode otpcode samlresponse OATHToken RecoveryCode securityAnswer secondFactor deviceProof yubikey_response ' +
  'challengeReply webauthnassertion u2f magiclink one_time personalnumber mobileid signedblob voucher ticketno memorableword'

interface Scene {
  readonly name: string
  readonly target: string
  readonly sent: HttpAsk
  readonly secrets: readonly string[]
}
const scene = (
  name: string,
  target: string,
  sent: HttpAsk,
  ...secrets: readonly string[]
): Scene => ({
  name,
  target,
  sent,
  secrets
})

/** Bodies that no form is. */
const bodiesOf = (secret: string): readonly Scene[] => [
  scene(
    'in gzip',
    '/w/index.php',
    posted(gzipSync(`wpPassword=${secret}`), { ...form, 'content-encoding': 'gzip' }),
    secret
  ),
  scene(
    'as JSON in UTF-16',
    '/w/rest.php/x',
    posted(Buffer.from(JSON.stringify({ password: secret }), 'utf16le'), json),
    secret
  ),
  scene(
    'as JSON in UTF-16, high byte first',
    '/w/rest.php/x',
    posted(
      Buffer.from(`\ufeff${JSON.stringify({ password: secret })}`, 'utf16le').swap16(),
      json
    ),
    secret
  ),
  scene(
    'in an element of XML',
    '/w/soap',
    posted(`<login><user>Bob</user><password>${secret}</password></login>`, {
      'content-type': 'text/xml'
    }),
    secret
  ),
  scene(
    'in base64 in JSON',
    '/w/rest.php/x',
    posted(
      JSON.stringify({
        data: Buffer.from(JSON.stringify({ password: secret })).toString('base64')
      }),
      json
    ),
    secret
  )
]

const scenes: readonly Scene[] = [
  ...bodiesOf(password),
  ...loginFields
    .split(' ')
    .map((field) =>
      scene(
        `${field} of a login`,
        '/w/api.php',
        posted(`action=clientlogin&format=json&${field}=kQ7-pelican-42`),
        'kQ7-pelican-42'
      )
    ),
  scene(
    'OAuth without quotes',
    '/w/api.php?action=query&format=json',
    {
      headers: {
        authorization: `OAuth oauth_consumer_key=ck, oauth_token=${made}, oauth_signature=x`
      }
    },
    made
  ),
  scene(
    'an e-mail in escapes in a User-Agent',
    '/w/api.php?action=query&format=json',
    { headers: { 'user-agent': 'bot/1 (me%40wiki.test)' } },
    'me@wiki.test'
  ),
  scene('a JWT in a path', `/w/rest.php/x/${jwt}/y`, {}, jwt),
  scene('a JWT behind a title', `/wiki/Special:Login/${jwt}`, {}, jwt),
  scene(
    'what follows an unescaped & of a password',
    '/w/api.php',
    posted('action=login&format=json&lgname=Bob&lgpassword=kQ7-pelican&Zx9-harbour'),
    'Zx9-harbour'
  ),
  ...[
    'Special:ConfirmEmail',
    'Spesial:Bekreft_e-postadresse',
    'Toiminnot:Varmista_sähköpostiosoite',
    '特別:メールアドレスの確認',
    'Special:确认电子邮件'
  ].flatMap((page) => [
    scene(`a link of a mail to ${page}`, `/wiki/${q(page)}/${mailed}`, {}, mailed),
    scene(
      `a link of a mail to ${page} by title`,
      `/w/index.php?title=${q(`${page}/${mailed}`)}`,
      {},
      mailed
    )
  ])
]

describe('is nowhere in what a run writes', () => {
  it.each(scenes)('$name', async ({ target, sent, secrets }) => {
    const wiki = await fakeWiki(({ size }) => `{"query":{"size":${size}}}`)
    const proxy = await startProxy(wiki.api)
    const log: string[] = []
    proxy.rack.feed.subscribe(
      ({ entry }) => void log.push(entryLine(entry), logLine(entry))
    )
    await ask(proxy.origin + target, sent)
    // So that there is a cassette, whatever becomes of the request.
    await ask(`${proxy.api}?action=query&meta=siteinfo&format=json`)
    await proxy.close()
    const replay = await startProxy(undefined, { cassette: proxy.cassette })
    replay.rack.feed.subscribe(
      ({ entry }) => void log.push(entryLine(entry), logLine(entry))
    )
    const { text } = await ask(replay.origin + target, sent)
    await replay.close()
    const shown = [
      ...writtenIn(proxy.cassette),
      ...proxy.reports,
      ...replay.reports,
      ...log,
      text
    ]
    for (const secret of secrets) expect(traces(secret, shown)).toEqual([])
  })
})

const digestsIn = (texts: readonly string[]): readonly string[] =>
  texts.flatMap((one) => one.match(/(?<![0-9a-f])[0-9a-f]{40}(?![0-9a-f])/g) ?? [])

/** Of all that is written for one request. */
async function digestsOf({ target, sent }: Scene): Promise<readonly string[]> {
  const wiki = await fakeWiki(() => '{"ok":1}')
  const proxy = await startProxy(wiki.api)
  await ask(proxy.origin + target, sent)
  await proxy.close()
  return digestsIn(writtenIn(proxy.cassette))
}

it.each(bodiesOf(password).map((one, at) => [one.name, one, at] as const))(
  'no digest on the disk follows from a password %s',
  async (_, one, at) => {
    const other = bodiesOf('another-Horse8-battery7c')[at] ?? one
    expect(await digestsOf(other)).toEqual(await digestsOf(one))
  }
)

it('X-Amz-Signature in Location is replaced', async () => {
  const location = `https://files.example/a.png?X-Amz-Signature=${made.repeat(2)}&X-Amz-Expires=60`
  const wiki = await fakeWiki(() => ({ status: 302, body: '', headers: { location } }))
  const proxy = await startProxy(wiki.api)
  await ask(`${proxy.origin}/w/images/a.png`)
  await proxy.close()
  expect(traces(made.repeat(2), writtenIn(proxy.cassette))).toEqual([])
})

const status = (reply: HttpReply): string => String(reply.headers['x-cassette-status'])

it('an answer about a password is never given for another one', async () => {
  const wiki = await fakeWiki((params) =>
    JSON.stringify({
      validatepassword: {
        validity: (params.get('password') ?? '').length < 8 ? 'Change' : 'Good'
      }
    })
  )
  const recording = await startProxy(wiki.api)
  const check = (api: string, one: string): Promise<HttpReply> =>
    post(api, `action=validatepassword&format=json&password=${one}`)
  expect((await check(recording.api, 'abc')).text).toContain('Change')
  expect((await check(recording.api, 'abcdefgh12XY')).text).toContain('Good')
  await recording.close()
  const replay = await startProxy(undefined, { cassette: recording.cassette })
  for (const one of ['abc', 'abcdefgh12XY', 'other-Password'])
    expect(status(await check(replay.api, one))).toBe('miss')
})

describe('an address of a page with what only looks like a secret', () => {
  const pairs = [
    ['Special:PostCode', 'code', '10115', '20095'],
    ['Special:Colours', 'pin', 'red', 'blue'],
    ['Special:Pass', 'pass', 'Gotthard', 'Brenner'],
    ['Special:Otp', 'otp', 'a', 'b']
  ] as const

  it.each(pairs)(
    '%s&%s= is told apart, recorded and replayed',
    async (page, name, first, second) => {
      const wiki = await fakeWiki((params) => ({
        body: `<p>about ${params.get(name)}</p>`,
        headers: { 'content-type': 'text/html' }
      }))
      const recording = await startProxy(wiki.api)
      const get = (origin: string, value: string): Promise<HttpReply> =>
        ask(`${origin}/w/index.php?title=${page}&${name}=${value}`)
      for (const one of [first, second])
        expect((await get(recording.origin, one)).text).toContain(`about ${one}`)
      await recording.close()
      expect(recording.reports).toEqual([])
      const replay = await startProxy(undefined, { cassette: recording.cassette })
      for (const one of [second, first])
        expect((await get(replay.origin, one)).text).toContain(`about ${one}`)
      expect(status(await get(replay.origin, 'third'))).toBe('miss')
    }
  )

  it('is sought and listed as it was sent', async () => {
    const wiki = await fakeWiki()
    const recording = await startProxy(wiki.api)
    const queries = ['10115', '20095'].flatMap((one) => [
      `action=query&format=json&list=search&srsearch=${q(`https://example.org/?code=${one}`)}`,
      `action=query&format=json&list=exturlusage&euquery=${q(`example.org/?sid=${one}67`)}`
    ])
    const told: string[] = []
    for (const one of queries) told.push((await ask(`${recording.api}?${one}`)).text)
    await recording.close()
    expect(recording.reports).toEqual([])
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    for (const [at, one] of queries.entries())
      expect((await ask(`${replay.api}?${one}`)).text).toBe(told[at])
  })

  it('stays in Location', async () => {
    const location = '/wiki/Special:PostCode?code=10115&pin=red'
    const wiki = await fakeWiki(() => ({ status: 302, body: '', headers: { location } }))
    const recording = await startProxy(wiki.api)
    await ask(`${recording.origin}/wiki/Berlin`)
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    expect((await ask(`${replay.origin}/wiki/Berlin`)).headers.location).toContain(
      'code=10115&pin=red'
    )
  })
})
