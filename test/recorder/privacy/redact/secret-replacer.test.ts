/** What is taken out of one answer, how often, and in which spellings; what `check` sees in what is left. */
import { describe, expect, it } from 'vitest'
import { scanBody, scanFile } from '../../../../src/recorder/privacy/detect/scan-file.ts'
import { scanText } from '../../../../src/recorder/privacy/detect/scan-text.ts'
import {
  undoEscapes,
  unescapeHtml
} from '../../../../src/recorder/privacy/encodings/spellings.ts'
import {
  apiAnswer,
  redactResponse
} from '../../../../src/recorder/privacy/redact/redact-response.ts'
import { redactText } from '../../../../src/recorder/privacy/redact/redact-text.ts'
import { SecretReplacer } from '../../../../src/recorder/privacy/redact/secret-replacer.ts'
import {
  addressesIn,
  isAddress,
  isLocalAddress,
  isWholeToken,
  mapAddresses
} from '../../../../src/recorder/privacy/secrets/secret.ts'
import {
  answerSecretKind,
  cookieKind,
  headerSecrets,
  isCredential,
  isEmail,
  mayBeSecretHeader,
  nameSecretKind,
  requestSecretKind,
  secretPairs
} from '../../../../src/recorder/privacy/secrets/secret-names.ts'
import type { AnswerSource } from '../../../../src/recorder/privacy/sources/answer-source.ts'
import { answer, cookie, json, page, rawContent, textOfBody, tree } from '../answers.ts'

const digits = 'f3a9c0de11b24cd5e6f708192a3b4c5d'
const random = 'aB3dE6gH9jK2mN5p'
const session = '7v0kq3m5t9s1u2a4b6c8d0e2f4g6h8ij'
const base64 = (text: string): string => Buffer.from(text).toString('base64')

describe('a vault', () => {
  const secret = { kind: 'oauth', value: random, source: 'x' } as const

  it('has one placeholder for one value, and counts each that it replaces', () => {
    const vault = new SecretReplacer([])
    expect(vault.redact('token', random, 'a')).toBe('redacted-token')
    expect(vault.redact('session', random, 'b')).toBe('redacted-token')
    expect(vault.replaceKnown(`${random} and ${random}`)).toBe(
      'redacted-token and redacted-token'
    )
    expect([...vault.drainCounts()]).toEqual([
      ['token (a)', 3],
      ['session (b)', 1]
    ])
    expect([...vault.drainCounts()]).toEqual([])
    expect(vault.secrets()).toEqual([{ kind: 'token', value: random, source: 'a' }])
  })

  it('looks for what is known beforehand, and tells of it only what it found itself', () => {
    const vault = new SecretReplacer([secret])
    expect(vault.replaceKnown(`x ${random}`)).toBe('x redacted-oauth')
    expect(vault.secrets()).toEqual([])
  })

  it('looks for 64 secrets in the rest of their answer', () => {
    const many = Array.from({ length: 65 }, (_, at) => ({
      ...secret,
      value: `${random}${at + 10}x`
    }))
    const vault = new SecretReplacer(many)
    const replaced = many.map(({ value }) => vault.replaceKnown(value) !== value)
    expect(replaced.lastIndexOf(true)).toBe(63)
    expect(replaced.indexOf(false)).toBe(64)
  })

  it('looks for no word that may be anybody’s', () => {
    expect(
      new SecretReplacer([{ ...secret, value: 'abcdefg' }]).replaceKnown('abcdefg')
    ).toBe('abcdefg')
  })
})

describe('a vault of addresses and tokens', () => {
  it('replaces addresses in any spelling, and counts them', () => {
    const vault = new SecretReplacer([])
    for (const value of ['198.51.100.4', '2001:db8::9'])
      vault.note({ kind: 'address', value, source: 'me' })
    expect(vault.replaceKnown('198.51.100.4 2001:DB8:0:0:0:0:0:9 198.51.100.5')).toBe(
      '192.0.2.1 2001:DB8:0:0:0:0:0:1 198.51.100.5'
    )
    expect([...vault.drainCounts()]).toEqual([['address (me)', 2]])
    const placeholder = new SecretReplacer([
      { kind: 'address', value: '192.0.2.1', source: 'me' }
    ])
    expect(placeholder.replaceKnown('192.0.2.1')).toBe('192.0.2.1')
    expect([...placeholder.drainCounts()]).toEqual([])
    expect(
      new SecretReplacer([
        { kind: 'address', value: 'nowhere', source: 'me' }
      ]).replaceKnown('nowhere')
    ).toBe('nowhere')
  })

  it('takes tokens out of a text and leaves the rest, before, between and behind', () => {
    const vault = new SecretReplacer([])
    const zeros = '0'.repeat(32)
    const other = digits.replace('f', 'a')
    expect(vault.redactTokens(`a ${digits}+\\ b ${other.toUpperCase()}%2B%5C c`)).toBe(
      `a ${zeros}+\\ b ${zeros}%2B%5C c`
    )
    expect([...vault.drainCounts()]).toEqual([['token (text)', 2]])
    expect(vault.secrets().map(({ value }) => value)).toEqual([
      digits,
      other.toUpperCase()
    ])
  })

  it('takes random values with a secret’s name out of query strings', () => {
    const vault = new SecretReplacer([])
    expect(vault.redactText(`/w?token=${random}&title=A`)).toBe(
      '/w?token=redacted-token&title=A'
    )
    expect(vault.redactText('/w?token=abc&title=A')).toBe('/w?token=abc&title=A')
    expect(vault.redactText('nothing')).toBe('nothing')
  })
})

describe('an answer', () => {
  it('says how often something was taken out of its body, cookies and headers aside', () => {
    const secrets = { token: random, other: [random] }
    const { bodyCounts: inBody, secrets: found } = redactResponse(
      answer(json(secrets), { location: `/w?lgpassword=hunter2&x=${random}` }, [
        cookie('a', `b${random}`)
      ])
    )
    expect([...inBody]).toEqual([['token (token)', 2]])
    expect(found.map(({ kind }) => kind).sort()).toEqual(['cookie', 'password', 'token'])
  })

  it('is the very same where nothing was taken out', () => {
    const whole = answer(json({ a: 1 }), { location: '/w' }, [
      cookie('wikiUserName', 'Bob')
    ])
    expect(redactResponse(whole).response).toBe(whole)
    const cookies = answer(json({ a: 1 }), {}, [cookie('x', random)])
    expect(redactResponse(cookies).response).not.toBe(cookies)
    const headers = answer(json({ a: 1 }), { location: '//u:hunter2@wiki.test' })
    expect(redactResponse(headers).response).not.toBe(headers)
  })

  it('has the time in a cookie that says when somebody left, and nothing else of it', () => {
    const left = (value: string) =>
      redactResponse(answer(json({}), {}, [cookie('wikiLoggedOut', value)])).response
        .cookies[0]?.value
    expect([left('1795226065'), left('12345678'), left('never')]).toEqual([
      '(now)',
      'redacted-cookie',
      'redacted-cookie'
    ])
  })

  it('has no secret in other headers than that of the way on', () => {
    const other = redactResponse(
      answer(json({}), { 'x-y': `a?token=${random}` })
    ).response.headers.get('x-y')
    expect(other).toBe('a?token=redacted-token')
    const short = redactResponse(
      answer(json({}), { 'x-y': 'https://me:hunter2@wiki.test?lgpassword=abc' })
    )
    expect(short.secrets).toEqual([])
  })
})

describe('an answer by its format', () => {
  it('that is a page keeps what its text says, and an answer of the API does not', () => {
    const text = `sessionid=${session}`
    expect(textOfBody(redactResponse(page(text), [], apiAnswer).response)).toBe(
      'sessionid=redacted-session'
    )
    expect(textOfBody(redactResponse(page(text), [], rawContent).response)).toBe(text)
    const bytes = { kind: 'binary', bytes: Buffer.from(text) } as const
    const { body } = redactResponse(answer(bytes), [], rawContent).response
    expect(body).toBe(bytes)
  })

  it('under a binary media type is JSON or other text as it begins', () => {
    const redacted = (text: string) => {
      const { body } = redactResponse(
        answer({ kind: 'binary', bytes: Buffer.from(text) })
      ).response
      return body.kind === 'binary' ? Buffer.from(body.bytes).toString() : body.kind
    }
    expect(redacted('{"lgtoken":"abcdef"}')).toBe('{"lgtoken":"redacted-token"}')
    expect(redacted(`sessionid=${session}`)).toBe('sessionid=redacted-session')
  })

  it('is JSON where that is announced, or where it begins so within 64 signs', () => {
    const text = (space: number): string => `${' '.repeat(space)}{"lgtoken":"abcdef"}`
    const clean = (space: number): string =>
      text(space).replace('abcdef', 'redacted-token')
    const redacted = (space: number, spelling?: 'ascii'): string =>
      textOfBody(
        redactResponse(
          answer({ kind: 'text', text: text(space), ...(spelling && { spelling }) })
        ).response
      )
    expect([redacted(64), redacted(65), redacted(65, 'ascii')]).toEqual([
      clean(64),
      text(65),
      clean(65)
    ])
  })

  it('that is XML keeps the spelling of what stays', () => {
    const xml = (token: string): string =>
      `<api><a t="&lt;b&gt; &amp; &#039;" u="é"/><b lgtoken="${token}"/></api>`
    expect(textOfBody(redactResponse(page(xml('abcdef'))).response)).toBe(
      xml('redacted-token')
    )
  })

  it('brings scripts of the wiki itself only outside of what people wrote', () => {
    const form = `<script>x={"wpEditToken":"${digits}+\\\\"}</script>`
    const redacted = (value: unknown) => redactResponse(answer(json(value))).secrets
    expect(redacted({ parse: { headhtml: form } })).not.toEqual([])
    expect(redacted({ parse: { text: form } })).toEqual([])
    expect(redacted({ query: { text: form } })).toEqual([])
  })

  it('tells the address of who is blocked, in one error or several', () => {
    const info = 'You are 198.51.100.4.'
    const redacted = (value: unknown) =>
      JSON.stringify(redactResponse(answer(json(value))).response.body)
    expect(redacted({ error: { code: 'blocked', info } })).not.toContain('198.51')
    expect(
      redacted({ errors: [{ code: 'x' }, { code: 'autoblocked', text: info }] })
    ).not.toContain('198.51')
    expect(redacted({ errors: [{ code: 'x', text: info }] })).toContain('198.51')
    expect(redacted({ error: { info } })).toContain('198.51')
    const spelled = `{ "error": {"code":"blocked","info":"${info}"} }`
    expect(textOfBody(redactResponse(page(spelled)).response)).not.toContain('198.51')
  })
})

describe('escapes', () => {
  it('are undone five deep, and no deeper', () => {
    const levels = [
      '%41',
      '&#37;41',
      '%26#37;41',
      '&#37;26#37;41',
      '%26#37;26#37;41',
      '&#37;26#37;26#37;41'
    ]
    expect(levels.map(undoEscapes)).toEqual([...Array(5).fill('A'), '%41'])
  })

  it('are those of all kinds', () => {
    expect(
      undoEscapes(String.raw`\u0041\x42\u{43}\t\n\\&#68;&#x45;&amp;&equals;%u0046%47`)
    ).toBe('ABC\t\nDE&=FG')
    expect(undoEscapes('&#1114111;&#1114112;&#0;%00a\0b')).toBe('\u{10ffff}ab')
    expect(undoEscapes('&#1;')).toBe('\u0001')
    expect(undoEscapes('&nothing; 100 %')).toBe('&nothing; 100 %')
  })
})

describe('names and values', () => {
  it('of fields give away what they hold', () => {
    expect(answerSecretKind('authorization', `Bearer ${random}`)).toBe('credentials')
    expect(answerSecretKind('authorization', 'none')).toBeUndefined()
    expect(answerSecretKind('my_secret_thing', random)).toBe('oauth')
    expect(answerSecretKind('my_secret_thing', 'a word')).toBeUndefined()
    expect(answerSecretKind('title', random)).toBeUndefined()
    expect(answerSecretKind('lgtoken', random)).toBe('token')
  })

  it('of secrets are of a kind', () => {
    expect(
      [
        'sessid',
        'x_session_id',
        'passphrase',
        'otp',
        'retype',
        'wpEmail',
        'api_key',
        'oauth_x'
      ].map(nameSecretKind)
    ).toEqual([
      ...[
        'session',
        'session',
        'password',
        'password',
        'password',
        'email',
        'oauth',
        'oauth'
      ]
    ])
  })

  it('that a client sends are of a kind, unless they are none', () => {
    expect(requestSecretKind('pin', '1')).toBe('password')
    expect(requestSecretKind('email', 'nobody')).toBeUndefined()
    expect(requestSecretKind('email', 'me@wiki.test')).toBe('email')
    expect(requestSecretKind('token', 'token')).toBeUndefined()
    expect(requestSecretKind('token', '+\\')).toBeUndefined()
    expect(requestSecretKind('title', random)).toBeUndefined()
    expect(requestSecretKind('code', '123456')).toBeUndefined()
    expect(requestSecretKind('code', random)).toBe('oauth')
  })

  it('of cookies say whose they are', () => {
    expect(
      ['aLoggedOut', 'aUserName', 'aUserID', 'aUser', 'a_session', 'x'].map(cookieKind)
    ).toEqual([...['logged-out', 'user-name', 'user', 'user', 'session', 'cookie']])
  })

  it('are credentials where they have a scheme, a name or look random', () => {
    for (const value of ['Basic abcd', 'a=bcde', random])
      expect(isCredential(value)).toBe(true)
    for (const value of [
      'Basic abc',
      'a=bcd',
      'a=deleted',
      'Bearer redacted-oauth',
      'cookie',
      '(token)'
    ])
      expect(isCredential(value)).toBe(false)
  })

  it('are mail addresses up to 320 characters', () => {
    expect(isEmail(`${'a'.repeat(64)}@${'b'.repeat(255)}`)).toBe(true)
    expect(isEmail(`${'a'.repeat(65)}@${'b'.repeat(10)}`)).toBe(false)
    expect(isEmail('a@b')).toBe(false)
  })

  it('of headers may carry a secret', () => {
    expect(
      ['x-my-token', 'x-auth', 'x-cache-key', 'sec-token', 'accept'].map(
        mayBeSecretHeader
      )
    ).toEqual([...[true, true, false, false, false]])
  })
})

describe('pairs in running text', () => {
  const pairs = (text: string) =>
    [...secretPairs(text)].map(({ value, start, end }) => [value, text.slice(start, end)])

  it('are found with their values where they stand, quoted or bare', () => {
    expect(pairs(`{"csrfToken":"${random}", "x":1}`)).toEqual([[random, random]])
    expect(pairs(`token=${random}&a=b`)).toEqual([[random, random]])
    expect(pairs(`'token' => '${random}==', token: ${random}`)).toEqual([
      [`${random}==`, `${random}==`],
      [random, random]
    ])
    expect(pairs(`"token":"${random}\\\\"`)).toEqual([[`${random}\\`, `${random}\\\\`]])
    expect(pairs(`"token":"${random}\\/x"`)).toEqual([[`${random}/x`, `${random}\\/x`]])
    expect(pairs(`"token":"${random}`)).toEqual([[random, random]])
    expect(pairs('{"token":"aB3dE6gH:9jK2mN5p"}')).toEqual([
      Array(2).fill('aB3dE6gH:9jK2mN5p')
    ])
    expect(pairs(`title=${random}`)).toEqual([])
  })

  it('are of header lines too, and begin behind the name', () => {
    const text = `Cookie: a_session=abcdef; b=${random}`
    expect(
      [...headerSecrets(text)].map(({ source, start, end }) => [
        source,
        text.slice(start, end)
      ])
    ).toEqual([
      ['cookie a_session', 'abcdef'],
      ['cookie b', random]
    ])
    expect([...headerSecrets('basic bm9jb2xvbg==')]).toEqual([])
    expect([...headerSecrets('token aaaaaaaaaaaaaaaaaaaa')]).toEqual([])
  })

  it('have the entities that MediaWiki writes undone', () => {
    expect(unescapeHtml('&lt;&gt;&quot;&#39;&#039;&#43;&#92;&amp;amp;&unknown;')).toBe(
      "<>\"''+\\&amp;&unknown;"
    )
    expect(unescapeHtml('plain')).toBe('plain')
  })
})

describe('what a page hands out', () => {
  const issued = (html: string, form: AnswerSource['form'] = 'page') => {
    const vault = new SecretReplacer([])
    redactText(html, vault, { ...rawContent, form }, false)
    return vault.secrets().map(({ kind, value, source }) => `${kind} ${value} ${source}`)
  }

  it('stands in fields of forms, whatever the order and the quotes', () => {
    expect(issued(`<input name="wpEditToken" value='${random}'>`)).toEqual([
      `token ${random} wpEditToken`
    ])
    expect(issued(`<meta content=${random} name=csrf-token>`)).toEqual([
      `token ${random} csrf-token`
    ])
    expect(issued('<input name="wpEditToken" value="abcdef">')).toEqual([])
    expect(issued('<input name="wpEditToken" value="abcde">')).toEqual([])
    expect(issued(`<input value="${random}">`)).toEqual([])
    expect(issued(`<input name="wpTitle" value="${random}">`)).toEqual([])
    expect(issued(`<input type="submit" name="wpEditToken" value="${random}">`)).toEqual(
      []
    )
    expect(issued(`<input name="wpEditToken" value="${digits}+\\">`)).toEqual([
      `token ${digits} wpEditToken`
    ])
  })

  it('stands in scripts, links and the menu of who is not logged in', () => {
    expect(issued(`<script>x={"csrfToken":"${random}"}</script>`)).toEqual([
      `token ${random} csrfToken`
    ])
    expect(issued(`<a href="/w?token=${digits}%2B%5C">`)).toEqual([
      `token ${digits} link`
    ])
    expect(issued(`<a href="https://other.test/?token=${digits}%2B%5C">`)).toEqual([])
    expect(issued('<li id="pt-anonuserpage">198.51.100.4</li>')).toEqual([
      'address 198.51.100.4 personal menu'
    ])
    expect(issued(`<strong>${session}</strong>`)).toEqual([])
    expect(issued(`tokens.set({"csrfToken":"${random}"})`, 'script')).toEqual([
      `token ${random} csrfToken`
    ])
  })
})

describe('addresses', () => {
  it('are told from what only looks like some, and from those of nobody', () => {
    expect(
      ['198.51.100.4', '::1', '999.1.1.1', 'Bob', `::${'0'.repeat(50)}`].map(isAddress)
    ).toEqual([true, true, false, false, false])
    expect(
      ['127.0.0.1', '127.9.9.9', '0.0.0.0', '::', '::1', '::2', '128.0.0.1', 'x'].map(
        isLocalAddress
      )
    ).toEqual([...[true, true, true, true, true, false, false, false]])
    expect(addressesIn('198.51.100.4, 127.0.0.1, 192.0.2.1, 2001:db8::9')).toEqual([
      '198.51.100.4',
      '2001:db8::9'
    ])
    expect(
      mapAddresses('a 300.1.1.1 b 198.51.100.4', (_, canonical) => `<${canonical}>`)
    ).toBe('a 300.1.1.1 b <198.51.100.4>')
  })

  it('are no tokens, which are digits and a suffix', () => {
    expect(
      [
        `${digits}+\\`,
        `${digits}01234567+\\`,
        `${digits}0+\\`,
        digits,
        `${'0'.repeat(32)}+\\`
      ].map(isWholeToken)
    ).toEqual([...[true, true, false, false, false]])
  })
})

const scan = (content: string | Uint8Array, name = 'a.json') =>
  scanFile(name, content).map(
    ({ where, kind, named }) => `${where}: ${kind}${named ? '' : ' perhaps'}`
  )

describe('what check sees', () => {
  it('in text that is no secret of anybody is one in the documentation’s examples alone', () => {
    const url = { url: 'api.php?action=login&lgpassword=hunter2&' }
    expect(scan(JSON.stringify({ examples: [url] }))).toEqual([])
    expect(scan(JSON.stringify({ sample: [url] }))).toEqual([
      'sample[0].url: password perhaps'
    ])
    expect(scan(`examples\n?lgpassword=hunter2&`)).toEqual(['line 2: password perhaps'])
    expect(scan(JSON.stringify({ examples: `?token=${random}&` }))).toEqual([
      'examples: token perhaps'
    ])
  })

  it('in what is packed is told so, four deep', () => {
    const wrap = (times: number): string => {
      let text = '?lgname=Admin&lgpassword=hunter2&'
      for (let time = 0; time < times; time += 1) text = base64(text)
      return text
    }
    const counts = (look: (text: string) => readonly unknown[]): readonly number[] =>
      [1, 2, 3, 4, 5].map((times) => look(wrap(times)).length)
    for (const look of [
      (text: string) => scan(text),
      (text: string) => scan(Buffer.from(text)),
      (text: string) => scan(JSON.stringify({ x: text })),
      (text: string) => scan(JSON.stringify({ base64: text })),
      (text: string) => scanBody({ kind: 'text', text }),
      (text: string) => scanBody({ kind: 'binary', bytes: Buffer.from(text) }),
      (text: string) => scanBody(json({ x: text }))
    ])
      expect(counts(look)).toEqual([1, 1, 1, 1, 0])
  })

  it('in a body is told line by line, or by member', () => {
    expect(scanBody({ kind: 'text', text: `one\ntoken ${digits}+\\\n` })).toMatchObject([
      { where: 'line 2' }
    ])
    expect(scanBody(json({ a: { lgtoken: random } }))).toMatchObject([
      { where: 'a.lgtoken', named: true }
    ])
    expect(
      scanBody({ kind: 'binary', bytes: Buffer.from(`x ${digits}+\\`) })
    ).toMatchObject([{ where: '' }])
  })

  it('is doubtful where no field says what it is', () => {
    const found = scanBody(json({ a: `see ${digits}+\\`, lgtoken: random }), apiAnswer)
    expect(found.map(({ where, named }) => [where, named])).toEqual([
      ['a', false],
      ['lgtoken', true]
    ])
  })
})

describe('what check counts, and how it shows it', () => {
  it('in JSON inside of a text is content, too', () => {
    expect(scan(JSON.stringify({ text: JSON.stringify({ lgtoken: random }) }))).toEqual([
      'text.lgtoken: token perhaps'
    ])
    expect(scan(JSON.stringify({ lgtoken: random }))).toEqual(['lgtoken: token'])
  })

  it('is shown by an eighth on either side, four characters at most', () => {
    const shown = (value: string) =>
      scanFile('a', JSON.stringify({ lgtoken: value }))[0]?.excerpt
    expect(shown('abcdefg')).toBe('…')
    expect(shown('abcdefgh')).toBe('a…h')
    expect(shown(`abcdef${'x'.repeat(60)}uvwxyz`)).toBe('abcd…wxyz')
  })

  it('in one text are hits that do not overlap, a hundred at most', () => {
    const one = `?token=${digits}%2B%5C&`
    expect(scanText(one)).toHaveLength(1)
    const many = Array.from(
      { length: 120 },
      (_, at) => `${digits.slice(3)}${at + 100}+\\`
    ).join(' ')
    expect(scanText(many)).toHaveLength(100)
    expect(scanText(`user=Bob&lgpassword=hunter2`)).toMatchObject([
      { value: 'hunter2', start: 20 }
    ])
    expect(scanText('?lgpassword=hunter2&').map(({ start }) => start)).toEqual([12])
    expect(scanText('?email=me@wiki.test& ?email=none&')).toMatchObject([
      { value: 'me@wiki.test' }
    ])
    expect(scanText('?email=me%40wiki.test& ?email=no%40&')).toMatchObject([
      { value: 'me%40wiki.test' }
    ])
  })

  it('is called by the `name` beside it, and known again by a digest', () => {
    expect(scan(JSON.stringify([{ id: 'x', name: 'lgtoken', value: random }]))).toEqual([
      '[0].value: token'
    ])
    expect(scan(JSON.stringify([{ id: 'lgtoken', name: 'x', value: random }]))).toEqual(
      []
    )
    const [found] = scanFile('a', JSON.stringify({ lgtoken: random }))
    expect(found?.digest).toMatch(/^[0-9a-f]{12}$/)
  })

  it('is no member of a tree that is content', () => {
    expect(tree({ a: 1 }).kind).toBe('object')
    expect(
      scan(JSON.stringify({ cookies: [{ name: 'wikiUserID', value: random }] }))
    ).toEqual([])
    expect(scan(JSON.stringify({ cookies: [{ name: 'x', value: 'abc' }] }))).toEqual([
      'cookies[0].value: cookie'
    ])
  })
})
