import { describe, expect, it } from 'vitest'
import { writeCompact } from '../../../../src/recorder/json/write-json.ts'
import { redactResponse } from '../../../../src/recorder/privacy/redact/redact-response.ts'
import { isPlaceholder } from '../../../../src/recorder/privacy/secrets/secret.ts'
import {
  answer,
  cookie,
  credentialPage,
  fileOf,
  json,
  page,
  rawContent,
  textOfBody
} from '../answers.ts'

const token = 'f3a9c0de11b24cd5e6f708192a3b4c5d6920f1ab+\\'
const other = '0b1c2d3e4f5061728394a5b6c7d8e9fa6920f1ac+\\'
const digits = token.slice(0, 40)
const zeros = '0'.repeat(40)
const session = '7v0kq3m5t9s1u2a4b6c8d0e2f4g6h8ij'

const jsonOf = (value: unknown): unknown => {
  const { body } = redactResponse(answer(json(value))).response
  return body.kind === 'json' ? JSON.parse(writeCompact(body.tree, 'utf8')) : undefined
}

describe('fields of JSON', () => {
  it('keeps the shape of each token and leaves the anonymous one', () => {
    const tokens = {
      csrftoken: token,
      logintoken: other,
      watchtoken: '+\\',
      patroltoken: token
    }
    const zero = `${zeros}+\\`
    expect(jsonOf({ batchcomplete: '', query: { tokens } })).toEqual({
      batchcomplete: '',
      query: {
        tokens: {
          csrftoken: zero,
          logintoken: zero,
          watchtoken: '+\\',
          patroltoken: zero
        }
      }
    })
  })

  it('takes the address out of what the caller is called, and leaves other names', () => {
    const said = (name: string, edited: string): unknown => ({
      query: { userinfo: { id: 0, anon: '', name }, recentchanges: [{ name: edited }] }
    })
    expect(jsonOf(said('10.1.2.3', '10.9.8.7'))).toEqual(said('192.0.2.1', '10.9.8.7'))
  })

  it('covers the login of 1.25, tokens of pages, OAuth and e-mail', () => {
    expect(
      jsonOf({
        login: {
          result: 'NeedToken',
          token: digits.slice(8),
          cookieprefix: 'ru',
          sessionid: session
        },
        query: {
          pages: { 10: { edittoken: token, title: 'А' }, 9: { title: 'Б' } },
          userinfo: {
            id: 1,
            name: 'Admin',
            email: 'a.b@wiki.test',
            emailauthenticated: '2026-11-21T01:54:25Z'
          }
        },
        access_token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
        oauth_token_secret: 'A1b2C3d4E5f6G7h8'
      })
    ).toEqual({
      login: {
        result: 'NeedToken',
        token: '0'.repeat(32),
        cookieprefix: 'ru',
        sessionid: 'redacted-session'
      },
      query: {
        pages: { 10: { edittoken: `${zeros}+\\`, title: 'А' }, 9: { title: 'Б' } },
        userinfo: {
          id: 1,
          name: 'Admin',
          email: 'redacted@example.invalid',
          emailauthenticated: '2026-11-21T01:54:25Z'
        }
      },
      access_token: 'redacted-token',
      oauth_token_secret: 'redacted-oauth'
    })
  })
})

describe('addresses in JSON', () => {
  it.each([
    { tokens: [] },
    { error: { code: 'badtoken', info: 'Invalid CSRF token.' } },
    {
      paraminfo: {
        modules: [{ parameters: [{ name: 'token', type: 'string', tokentype: 'csrf' }] }]
      }
    },
    {
      examples: [{ query: 'action=login&lgname=user&lgpassword=password&lgtoken=123ABC' }]
    },
    { blocks: [{ user: 'Bob', noemail: '', blockemail: true, disableemail: '' }] },
    { fields: { password: { type: 'password', label: 'Пароль', sensitive: true } } },
    { allmessages: [{ name: 'passwordreset', '*': 'Сброс пароля' }] },
    {
      messages: {
        'resetpass-submit-token': 'Отправить',
        'api-error-badtoken': 'Bad token.'
      }
    },
    {
      submodules: {
        checktoken: 'checktoken',
        resetpassword: 'resetpassword',
        token: 'query+token'
      }
    },
    { imageinfo: [{ sha1: 'da39a3ee5e6b4b0d3255bfef95601890afd80709' }] },
    { query: { userinfo: { id: 0, name: '127.0.0.1', anon: '' } } },
    { query: { userinfo: { id: 0, name: '::1', anon: true } } },
    { query: { usercontribs: [{ user: '203.0.113.77', title: 'А' }] } }
  ])('leaves what is no secret: %j', (value) => {
    const { response, secrets } = redactResponse(answer(json(value)))
    expect(response.body).toEqual(json(value))
    expect(secrets).toEqual([])
  })

  it('replaces the own address wherever it stands in the answer, and no other', () => {
    const query = {
      recentchanges: [
        { user: '203.0.113.7' },
        { user: '203.0.113.77' },
        { title: 'Участник:203.0.113.7' }
      ],
      userinfo: { id: 0, name: '203.0.113.7', anon: '' }
    }
    expect(jsonOf({ query })).toEqual({
      query: {
        recentchanges: [
          { user: '192.0.2.1' },
          { user: '203.0.113.77' },
          { title: 'Участник:192.0.2.1' }
        ],
        userinfo: { id: 0, name: '192.0.2.1', anon: '' }
      }
    })
  })

  it('replaces IPv6 addresses, and addresses known from earlier answers', () => {
    const own = '2001:DB8:1:2:3:4:5:6'
    expect(
      jsonOf({
        query: { userinfo: { name: own }, x: `см. User talk:${own.toLowerCase()}.` }
      })
    ).toEqual({
      query: {
        userinfo: { name: '2001:DB8:0:0:0:0:0:1' },
        x: 'см. User talk:2001:DB8:0:0:0:0:0:1.'
      }
    })
    const known = [{ kind: 'address', value: '203.0.113.7', source: 'userinfo' }] as const
    const { response } = redactResponse(
      answer(json({ parse: { text: 'Подпись: 203.0.113.7 (обс.)' } })),
      known
    )
    expect(fileOf(response)).not.toContain('203.0.113.7')
  })

  it('replaces the address in the message to a blocked caller', () => {
    const info = 'Ваш IP-адрес — 203.0.113.7, блокировка № 5.'
    expect(jsonOf({ error: { code: 'blocked', info } })).toEqual({
      error: { code: 'blocked', info: info.replace('203.0.113.7', '192.0.2.1') }
    })
    expect(jsonOf({ error: { code: 'baduser', info } })).toEqual({
      error: { code: 'baduser', info }
    })
  })
})

describe('strings of JSON beside the secret fields', () => {
  it('replaces what one field shows to be secret in all other strings, in the same spelling', () => {
    const html = `<a href="/w/index.php?t=${encodeURIComponent(token)}">x</a>${session}`
    expect(jsonOf({ text: html, login: { sessionid: session, lgtoken: token } })).toEqual(
      {
        text: `<a href="/w/index.php?t=${zeros}%2B%5C">x</a>redacted-session`,
        login: { sessionid: 'redacted-session', lgtoken: `${zeros}+\\` }
      }
    )
  })

  it('keeps the order of members and the spelling of numbers', () => {
    const text = '{"query":{"pages":{"54":{"n":1.0},"9":{"edittoken":"+\\\\"}}}}'
    const { body } = redactResponse(page(text)).response
    expect(body).toEqual({ kind: 'text', text })
  })

  it('changes only the literals that hold secrets where the text must stay as it is spelled', () => {
    const text = `{ "csrftoken" : "${digits}+\\u005C", "a": "\\u0041\\/", "n": 1e2, "${digits}": 1 }`
    const { body } = redactResponse(
      answer({ kind: 'text', text, spelling: 'ascii' })
    ).response
    expect(body).toEqual({
      kind: 'text',
      spelling: 'ascii',
      text: `{ "csrftoken" : "${zeros}+\\\\", "a": "\\u0041\\/", "n": 1e2, "${digits}": 1 }`
    })
  })
})

describe('cookies', () => {
  const redacted = (name: string, value: string): string | undefined =>
    redactResponse(answer(json({}), {}, [cookie(name, value)])).response.cookies[0]?.value

  it.each([
    ['ru_session', session, 'redacted-session'],
    ['ruToken', digits.slice(0, 32), '0'.repeat(32)],
    ['ruUserID', '1', 'redacted-cookie'],
    ['ruUserName', 'Admin', 'Admin'],
    ['ruToken', 'deleted', 'deleted'],
    ['ruUserID', '', ''],
    ['ruLoggedOut', '1795226065', '(now)'],
    ['UseDC', 'master', 'redacted-cookie']
  ])('%s=%s becomes %s', (name, value, placeholder) => {
    expect(redacted(name, value)).toBe(placeholder)
    expect(
      ['', 'deleted', 'Admin'].includes(placeholder) || isPlaceholder(placeholder)
    ).toBe(true)
  })

  it('finds the value of a cookie in the body as well', () => {
    const known = [
      { kind: 'session', value: session, source: 'cookie ru_session' }
    ] as const
    const { response, bodyCounts: inBody } = redactResponse(
      page(`session: ${session}`),
      known
    )
    expect(response).toEqual(page(`session: redacted-session`))
    expect([...inBody]).toEqual([['session (cookie ru_session)', 1]])
    const unnamed = redactResponse(
      answer(json({ x: session }), {}, [cookie('ru_session', session)])
    ).response
    expect(fileOf(unnamed)).not.toContain(session)
  })

  it('does not tell names and numbers of users as secrets', () => {
    const cookies = [
      cookie('ruUserID', '12'),
      cookie('ruUserName', 'Long_User_Name_2026')
    ]
    expect(redactResponse(answer(json({}), {}, cookies)).secrets).toEqual([])
  })
})

describe('headers', () => {
  const location = (value: string): string | undefined =>
    redactResponse(answer(json({}), { location: value })).response.headers.get('location')

  it.each([
    ['https://u:hunter2@wiki.test/w/index.php?a=1', 'https://wiki.test/w/index.php?a=1'],
    [
      `/w/index.php?wpEditToken=${encodeURIComponent(token)}&x=1`,
      `/w/index.php?wpEditToken=${zeros}%2B%5C&x=1`
    ],
    ['/w?wpPassword=hunter2#frag', '/w?wpPassword=redacted-password#frag'],
    [
      'https://app.test/cb#access_token=abc&state=1',
      'https://app.test/cb#access_token=redacted-token&state=1'
    ],
    [
      `/w?returntoquery=token%3D${digits}%252B%255C`,
      `/w?returntoquery=token%3D${zeros}%252B%255C`
    ],
    ['/wiki/%D0%90?action=edit', '/wiki/%D0%90?action=edit']
  ])('location %s becomes %s', (value, expected) => {
    expect(location(value)).toBe(expected)
  })
})

const redacted = (text: string): string => textOfBody(redactResponse(page(text)).response)

describe('text bodies', () => {
  it.each([
    [
      `<api><tokens csrftoken="${token}" /></api>`,
      `<api><tokens csrftoken="${zeros}+\\" /></api>`
    ],
    [
      `<api><login sessionid="${session}"/></api>`,
      '<api><login sessionid="redacted-session"/></api>'
    ],
    [
      '<api><userinfo email="a&amp;b@wiki.test"/></api>',
      '<api><userinfo email="redacted@example.invalid"/></api>'
    ],
    [
      '<api><userinfo id="0" name="203.0.113.7" anon=""/><x user="203.0.113.7"/></api>',
      '<api><userinfo id="0" name="192.0.2.1" anon=""/><x user="192.0.2.1"/></api>'
    ],
    [
      `<input type="hidden" value="${token}" name="wpEditToken"/>`,
      `<input type="hidden" value="${zeros}+\\" name="wpEditToken"/>`
    ],
    [
      `<input name="wpLoginToken" value='${digits.slice(8)}'>`,
      `<input name="wpLoginToken" value='${'0'.repeat(32)}'>`
    ],
    [
      '<input name="wpemail" value="me@wiki.test">',
      '<input name="wpemail" value="redacted@example.invalid">'
    ],
    [
      `<a href="?action=rollback&amp;token=${digits}%2B%5C">`,
      `<a href="?action=rollback&amp;token=${zeros}%2B%5C">`
    ],
    [`  [sessionid] =&gt; ${session}\n`, '  [sessionid] =&gt; redacted-session\n'],
    [
      '<li id="pt-anonuserpage">203.0.113.7</li>',
      '<li id="pt-anonuserpage">192.0.2.1</li>'
    ]
  ])('%s', (text, expected) => {
    expect(redacted(text)).toBe(expected)
    expect(redacted(expected)).toBe(expected)
  })
})

describe('text bodies of other kinds', () => {
  it('of load.php have the tokens that it gives a caller', () => {
    const script = (value: string): string =>
      `mw.user.tokens.set({"patrolToken":"${value}+\\\\","csrfToken":"${value}+\\\\"});`
    const { response } = redactResponse(page(script(digits)), [], {
      ...rawContent,
      form: 'script'
    })
    expect(textOfBody(response)).toBe(script(zeros))
  })

  it('that show credentials have nothing random in them', () => {
    const shown = `<p>Your password is <strong>${session}</strong></p>`
    const { response } = redactResponse(page(shown), [], credentialPage)
    expect(textOfBody(response)).toBe(shown.replace(session, 'redacted-token'))
  })

  it.each([
    'var x = { token: mw.user.tokens.get( "csrfToken" ) };',
    'password: "Введите пароль", token="csrf", "token":"+\\\\"',
    '<input type="submit" name="wpPasswordReset" value="Сбросить пароль">',
    '{{Карточка|token=да|password=нет}} см. http://a.b/?token=123ABC',
    'Cookie: маленький файл; email: нет'
  ])('leaves source code, prose and forms without values: %s', (text) => {
    expect(redacted(text)).toBe(text)
  })

  it('writes the lengths of PHP strings anew, in bytes', () => {
    const s = (text: string): string => `s:${Buffer.byteLength(text)}:"${text}";`
    const login = (id: string, lgtoken: string): string =>
      `a:2:{${s('login')}a:3:{${s('sessionid')}${s(id)}${s('lgtoken')}${s(lgtoken)}i:0;d:1.5E+3;}${s('т')}a:2:{i:0;b:1;i:1;N;}}`
    expect(redacted(login(session, token))).toBe(login('redacted-session', `${zeros}+\\`))
  })

  it('takes PHP text that is cut off for any other text', () => {
    expect(redacted(`a:2:{s:9:"csrftoken";s:42:"${token}"`)).toBe(
      `a:2:{s:9:"csrftoken";s:42:"${zeros}+\\"`
    )
  })

  it('redacts text that came under a binary media type, and leaves bytes', () => {
    const bytes = Buffer.from(`{"csrftoken":"${digits}+\\\\"}`)
    const { body } = redactResponse(answer({ kind: 'binary', bytes })).response
    expect(body.kind === 'binary' && Buffer.from(body.bytes).toString()).toBe(
      `{"csrftoken":"${zeros}+\\\\"}`
    )
    const image = { kind: 'binary', bytes: Uint8Array.of(0x89, 0x50, 0xff, 0) } as const
    expect(redactResponse(answer(image)).response.body).toBe(image)
  })
})

it('gives the same answer for another run with other secrets', () => {
  const run = (csrftoken: string, sessionid: string): unknown =>
    redactResponse(
      answer(json({ login: { sessionid }, query: { tokens: { csrftoken } } }), {}, [
        cookie('ru_session', sessionid)
      ])
    ).response
  expect(run(token, session)).toEqual(run(other, 'v7q0t9j3m5k1s2u4e8f6g4h2i0a8b6c4'))
})

it('redacts nothing twice', () => {
  const value = {
    login: { sessionid: session, token },
    email: 'a@b.test',
    password: 'hunter2'
  }
  const once = redactResponse(answer(json(value)))
  const twice = redactResponse(once.response)
  expect(twice.response).toEqual(once.response)
  expect(twice.secrets).toEqual([])
})
