/** capture, refresh and diff as a user: recorded under that name, and no password anywhere. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import {
  allTextIn,
  filesIn,
  interactionFiles,
  temporaryFolder
} from '../helpers/folders.ts'
import { type RunOptions, run } from '../helpers/program.ts'
import { password, statefulWiki } from '../helpers/stateful-wiki.ts'

const who = 'action=query&meta=userinfo'
const capture = (
  api: string,
  cassette: string,
  flags: readonly string[],
  options: RunOptions = {}
) =>
  run(['capture', api, '--requests', '-', '--cassette', cassette, ...flags], {
    stdin: who,
    ...options
  })
const tape = (): string => path.join(temporaryFolder(), 'tape')

describe('--login', () => {
  it('asks as that user, with the password of the environment or the prompt; neither is written down', async () => {
    const { api } = await statefulWiki()
    for (const options of [
      { env: { WIKITAPE_PASSWORD: password } },
      { secret: password }
    ]) {
      const cassette = tape()
      const { code, stderr } = await capture(api, cassette, ['--login', 'Bob'], options)
      expect([code, stderr]).toEqual([0, expect.stringContaining('1 of 1')])
      const text = allTextIn(cassette)
      expect(text).toContain('"as user": "user:Bob"')
      expect(text).toMatch(/"name": "Bob"/)
      expect(text).not.toContain(password)
    }
  })

  it('refreshes what was recorded as that user', async () => {
    const wiki = await statefulWiki()
    const cassette = tape()
    const env = { WIKITAPE_PASSWORD: password }
    await capture(wiki.api, cassette, ['--login', 'Bob'], { env })
    const before = filesIn(cassette)
    const asked = wiki.asked().length
    const { code, stderr } = await run(['refresh', cassette, '--login', 'Bob'], { env })
    expect([code, stderr]).toEqual([0, expect.stringContaining('2 requests sent')])
    expect(wiki.asked().slice(asked).join()).toContain('userinfo')
    expect(filesIn(cassette)).toEqual(before)
    const asNobody = tape()
    await capture(wiki.api, asNobody, [])
    const kept = interactionFiles(asNobody)
    const again = await run(['refresh', asNobody, '--login', 'Bob'], { env })
    expect(again.stderr).toContain('changed 0, unchanged 1')
    expect(interactionFiles(asNobody)).toEqual(kept)
  })

  it('refresh without it leaves what only that user was told', async () => {
    const wiki = await statefulWiki()
    const cassette = tape()
    const env = { WIKITAPE_PASSWORD: password }
    await capture(wiki.api, cassette, [])
    await capture(wiki.api, cassette, ['--login', 'Bob'], { env })
    const manifest = path.join(cassette, 'cassette.json')
    const text = readFileSync(manifest, 'utf8')
    writeFileSync(manifest, text.replace('{', '{"sessionCookies": ["sso"],'))
    const names = [...filesIn(cassette).keys()]
    const described = names.find((name) => name.includes('paraminfo/')) ?? ''
    const module = path.join(cassette, described)
    writeFileSync(module, readFileSync(module, 'utf8').replace('{', '{"highest": 5000,'))
    const high = readFileSync(module, 'utf8')
    const { code, stderr } = await run(['refresh', cassette])
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('was recorded with a login')
    ])
    expect(readFileSync(module, 'utf8')).toBe(high)
    expect(readFileSync(manifest, 'utf8')).toContain('"sso"')
  })

  it('compares with the wiki as that user: the login of the run itself is no drift', async () => {
    const wiki = await statefulWiki()
    const env = { WIKITAPE_PASSWORD: password }
    const asUser = tape()
    const asNobody = tape()
    await capture(wiki.api, asUser, ['--login', 'Bob'], { env })
    await capture(wiki.api, asNobody, [])
    for (const cassette of [asUser, asNobody]) {
      const { code, stdout } = await run(
        [
          'diff',
          cassette,
          wiki.api,
          '--login',
          'Bob',
          '--fail-on',
          'any',
          '--show',
          'all'
        ],
        { env }
      )
      expect([code, stdout.split('\n')[0]]).toEqual([0, 'wikitape: no drift'])
      expect(stdout).not.toContain('recorded in B only')
    }
  })

  it('lets --describe ask as that user too', async () => {
    const wiki = await statefulWiki()
    const flags = [
      'capture',
      wiki.api,
      '--describe',
      '--login',
      'Bob',
      '--cassette',
      tape()
    ]
    const { code, stderr } = await run(flags, { env: { WIKITAPE_PASSWORD: password } })
    expect([code, stderr]).toEqual([0, expect.stringContaining('modules described')])
    const described = wiki.seen.filter(({ target }) =>
      decodeURIComponent(target).includes('modules=main|**')
    )
    expect(described).toHaveLength(1)
    expect(described[0]?.headers.cookie).toContain('UserName=Bob')
  })
})

describe('--login that fails or takes another way', () => {
  it.each([
    [
      'a wrong password',
      { env: { WIKITAPE_PASSWORD: 'wrong horse' } },
      'cannot log in as Bob: Incorrect username or password'
    ],
    [
      'no password',
      {},
      'put it (or that of a bot, Special:BotPasswords) into WIKITAPE_PASSWORD'
    ],
    [
      'a token as well',
      { env: { WIKITAPE_PASSWORD: 'x', WIKITAPE_BEARER: 'y' } },
      'expected one of them'
    ]
  ])('%s: says so, exit code 2', async (_, options, message) => {
    const { api } = await statefulWiki()
    const { code, stderr } = await capture(api, tape(), ['--login', 'Bob'], options)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  it.each([
    [
      'wants more than a password',
      '{"login":{"result":"Aborted","reason":"interaction needed"}}'
    ],
    [
      'is switched off',
      '{"error":{"code":"moduledisabled","info":"The \\"login\\" module has been disabled."}}'
    ]
  ])(
    'where action=login %s, a user of that name logs in by action=clientlogin',
    async (_, refusal) => {
      const wiki = await fakeWiki((params) => {
        const action = params.get('action')
        if (action === 'login') return refusal
        if (action === 'clientlogin')
          return '{"clientlogin":{"status":"PASS","username":"Bob"}}'
        return '{"query":{"tokens":{"logintoken":"0123456789abcdef0123456789abcdef+\\\\"}}}'
      })
      const { code } = await capture(wiki.api, tape(), ['--login', 'Bob'], {
        secret: password
      })
      expect(code).toBe(0)
      const bot = await capture(wiki.api, tape(), ['--login', 'Bob@tool'], {
        secret: password
      })
      expect([bot.code, bot.stderr]).toEqual([
        2,
        expect.stringContaining('cannot log in as Bob@tool')
      ])
    }
  )

  it('a second factor: names the way around it', async () => {
    const { api } = await fakeWiki((params) => {
      const action = params.get('action')
      if (action === 'login')
        return '{"login":{"result":"Aborted","reason":"interaction needed"}}'
      if (action === 'clientlogin')
        return '{"clientlogin":{"status":"UI","message":"Enter the code"}}'
      return '{"query":{"tokens":{"logintoken":"0123456789abcdef0123456789abcdef+\\\\"}}}'
    })
    const { code, stderr } = await capture(api, tape(), ['--login', 'Bob'], {
      secret: password
    })
    expect([code, stderr]).toEqual([2, expect.stringContaining('second factor')])
    expect(stderr).toContain('Special:BotPasswords')
  })
})

describe('WIKITAPE_BEARER', () => {
  const token = 'eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.kd83hf72hdk38fh2k'
  const env = { WIKITAPE_BEARER: token }

  it('is sent with each question, recorded as its holder’s, and never written', async () => {
    const rights = ['read']
    const user = { id: 3, name: 'Bob', groups: ['*', 'user'], rights }
    const usergroups = [{ name: 'user', rights }]
    const wiki = await fakeWiki(
      () => JSON.stringify({ query: { userinfo: user, usergroups } }),
      true
    )
    const cassette = tape()
    expect((await capture(wiki.api, cassette, [], { env })).code).toBe(0)
    expect(new Set(wiki.seen.map(({ headers }) => headers.authorization))).toEqual(
      new Set([`Bearer ${token}`])
    )
    expect(allTextIn(cassette)).toContain('"as user": "user:Bob"')
    expect(allTextIn(cassette)).not.toContain('kd83hf72hdk38fh2k')
  })

  it('whose holder the wiki does not name is told, and nothing is recorded', async () => {
    const wiki = await fakeWiki()
    const cassette = tape()
    const { code, stderr } = await capture(wiki.api, cassette, [], { env })
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining('does not say by meta=userinfo who that is')
    ])
    expect(interactionFiles(cassette)).toEqual([])
  })

  it('that has expired is told', async () => {
    const code = 'mwoauth-invalid-authorization'
    const { api } = await fakeWiki(() => ({
      status: 401,
      headers: { 'mediawiki-api-error': code },
      body: JSON.stringify({ error: { code, info: 'The access token has expired' } })
    }))
    expect((await capture(api, tape(), [], { env })).stderr).toContain(
      'it has expired, was revoked'
    )
  })
})

it('a wiki that lets only users read: says so, with the flags, and exits with 1', async () => {
  const { api } = await fakeWiki(() => ({
    headers: { 'mediawiki-api-error': 'readapidenied' },
    body: JSON.stringify({
      error: { code: 'readapidenied', info: 'You need read permission' }
    })
  }))
  const { code, stderr } = await capture(api, tape(), [])
  expect([code, stderr]).toEqual([1, expect.stringContaining('add --login NAME')])
  expect(stderr).toContain('WIKITAPE_BEARER')
})
