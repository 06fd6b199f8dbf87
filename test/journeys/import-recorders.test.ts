/**
 * Recordings that other programs made of one real MediaWiki (scripts/recorders/), imported and replayed: each
 * answer is what the wiki said to a client without any of them (answers.json), byte for byte.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../helpers/folders.ts'
import { ask, type HttpAsk, type HttpReply } from '../helpers/http-client.ts'
import { run, serving } from '../helpers/program.ts'

const recordings = path.resolve('test/fixtures/recorders')

interface Answer {
  readonly path: string
  readonly form?: string
  readonly status: number
  readonly base64: string
}

const answers: readonly Answer[] = JSON.parse(
  readFileSync(path.join(recordings, 'answers.json'), 'utf8')
)

const isPicture = (one: Answer): boolean => one.path.endsWith('.png')
/** Of two pages by number, which talkback moves. */
const isMoved = (one: Answer): boolean =>
  one.path.includes('%7C') && one.path.endsWith('format=json')

type Kept = (one: Answer) => boolean
const isAll: Kept = () => true
const isText: Kept = (one) => !isPicture(one)
/** betamax takes two forms that are posted to one address for the same request. */
const isLost: Kept = (one) => one.form?.includes('formatversion=2') === true

const form = { 'content-type': 'application/x-www-form-urlencoded' }

const files: readonly (readonly [
  name: string,
  kept: Kept,
  leftOut?: readonly string[]
])[] = [
  ['vcrpy.yaml', isAll],
  ['vcrpy-decoded.yaml', isAll],
  ['vcrpy.json', isText],
  ['vcrpy-urllib3.yaml', isAll],
  [
    'vcrpy-httpx.yaml',
    (one) => isText(one) && one.status !== 403,
    ['vcrpy may have dropped bytes of its body']
  ],
  [
    'betamax.json',
    (one) => !isLost(one) && isText(one),
    ['its body was binary, but is recorded as text']
  ],
  ['vcr.yml', isAll],
  ['vcr-exact.yml', isAll],
  ['vcr-readable.yml', isAll],
  ['vcr.json', isText],
  ['r-vcr.yml', isText],
  ['r-vcr-exact.yml', isAll],
  ['r-vcr-json.json', isText],
  ['go-vcr.yaml', isAll],
  ['polly.har', isAll],
  ['nock.json', isAll],
  ['talkback', (one) => !isMoved(one), ['its JSON has members by number ("2")']]
]

it.each(files.map(([name, isKept, leftOut = []]) => ({ name, isKept, leftOut })))(
  '$name replays what the wiki said',
  async ({ name, isKept, leftOut }) => {
    const dir = path.join(temporaryFolder(), 'tape')
    const imported = await run(['import', path.join(recordings, name), '--cassette', dir])
    const kept = answers.filter(isKept)
    expect(imported.stderr).toContain(
      `recorded ${kept.length}, unchanged 0, skipped ${leftOut.length}`
    )
    for (const why of leftOut) expect(imported.stderr).toContain(why)
    const replay = await serving(['replay', '--cassette', dir])
    for (const one of kept) {
      const asked =
        one.form === undefined ? {} : { method: 'POST', headers: form, body: one.form }
      const reply = await ask(new URL(one.path, replay.api).href, asked)
      expect([one.path, reply.status, reply.body.toString('base64')]).toEqual([
        one.path,
        one.status,
        one.base64
      ])
    }
    expect((await replay.stop()).stderr).toMatch(
      /^(?![\s\S]*missed \d)[\s\S]*replayed \d/
    )
  }
)

/** Tokens are placeholders in a cassette, and made anew on replay. */
const tokenless = (text: string): string => text.replace(/[0-9a-f]{32,48}(?=\+)/g, '0')

it('a session of vcrpy replays its login, edits and upload', async () => {
  const said: readonly Pick<Answer, 'status' | 'base64'>[] = JSON.parse(
    readFileSync(path.join(recordings, 'session-answers.json'), 'utf8')
  )
  const dir = path.join(temporaryFolder(), 'tape')
  const imported = await run([
    'import',
    path.join(recordings, 'vcrpy-session.yaml'),
    '--cassette',
    dir
  ])
  expect([imported.code, imported.stderr]).toEqual([
    0,
    expect.stringContaining('recorded 10, unchanged 0, skipped 0')
  ])
  const replay = await serving(['replay', '--cassette', dir])
  const cookies = new Map<string, string>()
  const told: HttpReply[] = []
  const send = async (
    params: Readonly<Record<string, string>>,
    asked: HttpAsk = {}
  ): Promise<HttpReply> => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const query = new URLSearchParams({
      format: 'json',
      formatversion: '2',
      ...params
    }).toString()
    const posted = asked.method === 'POST' && asked.body === undefined
    const reply = await ask(
      posted || asked.body !== undefined ? replay.api : `${replay.api}?${query}`,
      {
        ...asked,
        ...(posted ? { body: query } : {}),
        headers: {
          ...(posted ? form : {}),
          ...asked.headers,
          ...(cookie === '' ? {} : { cookie })
        }
      }
    )
    for (const one of reply.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? []
      cookies.set(name, value)
    }
    told.push(reply)
    return reply
  }
  const post = (params: Readonly<Record<string, string>>): Promise<HttpReply> =>
    send(params, { method: 'POST' })
  const token = async (type: string): Promise<string> =>
    JSON.parse(
      (
        await send({
          action: 'query',
          meta: 'tokens',
          ...(type === 'csrf' ? {} : { type })
        })
      ).text
    ).query.tokens[`${type}token`]
  const lgtoken = await token('login')
  await post({ action: 'login', lgname: 'Admin', lgpassword: 'any-Passw0rd', lgtoken })
  await send({ action: 'query', meta: 'userinfo' })
  const csrf = await token('csrf')
  const title = 'Переезд'
  for (const text of ['one', 'two']) {
    await post({ action: 'edit', title, text, token: csrf })
    await send({
      action: 'query',
      prop: 'revisions',
      rvprop: 'content',
      rvslots: 'main',
      titles: title
    })
  }
  const fields = {
    format: 'json',
    formatversion: '2',
    action: 'upload',
    filename: 'Moving-in.svg',
    ignorewarnings: '1',
    token: csrf
  }
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  )
  const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
  const file = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.svg"\r\nContent-Type: image/svg+xml\r\n\r\n${picture}\r\n--x--\r\n`
  await send(
    {},
    {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: parts.join('') + file
    }
  )
  await send({
    action: 'query',
    prop: 'imageinfo',
    iiprop: 'size|sha1',
    titles: 'File:Moving-in.svg'
  })
  expect(told.map(({ status, text }) => [status, tokenless(text)])).toEqual(
    said.map(({ status, base64 }) => [
      status,
      tokenless(Buffer.from(base64, 'base64').toString())
    ])
  )
  expect((await replay.stop()).stderr).toMatch(/^(?![\s\S]*missed \d)[\s\S]*replayed \d/)
})
