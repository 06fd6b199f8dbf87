/** Secrets by the ways in which a client sends them, places where a wiki may echo them, and spellings on the way. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { IncomingRequest } from '../../src/recorder/http/incoming-request.ts'
import type { WikiAnswer } from '../../src/recorder/wiki/answers/wiki-answer.ts'

/** One way to send a secret. */
export interface Sending {
  readonly name: string
  readonly secret: string
  readonly exchange: Pick<IncomingRequest, 'method' | 'target' | 'headers' | 'body'>
  /** What the wiki answers to it, where that is what holds the secret. */
  readonly issues?: Partial<WikiAnswer>
}

const password = 'Zx7-pelican_Qr42&ж'
const made = 'A7fK29sLq0Zx81Vb3nTe6Wd'
const session = '7v0kq3m5t9s1u2a4b6c8d0e2f4g6h8ij'
const digits = 'f3a9c0de11b24cd5e6f708192a3b4c5d6920f1ab'
const pin = '48213'
/** What a wiki mails to prove an address with, and what OAuth hands out (RFC 6749, 4.1.2; RFC 7519, 3.1). */
const mailed = '9f86d081884c7d659a2feaa0c55ad015'
const code = 'SplxlOBeZQQYbYS6WxSbIA'
const jwt =
  'eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLCJodHRwOi8vZXhhbXBsZSI6dHJ1ZX0.dBjftJeZ4CVPmB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const nested = (name: string, secret: string): string =>
  JSON.stringify({ a: JSON.stringify([JSON.stringify({ [name]: secret })]) })
const api = '/w/api.php'
const none = new Uint8Array()

const get = (
  target: string,
  headers: IncomingRequest['headers'] = {}
): Sending['exchange'] => ({
  method: 'GET',
  target,
  headers,
  body: none
})
const post = (target: string, type: string, body: string): Sending['exchange'] => ({
  method: 'POST',
  target,
  headers: { 'content-type': type },
  body: Buffer.from(body)
})
const form = (pairs: string, target = api): Sending['exchange'] =>
  post(target, 'application/x-www-form-urlencoded', pairs)
const multipart = (name: string, value: string): Sending['exchange'] =>
  post(
    api,
    'multipart/form-data; boundary=xyz',
    `--xyz\r\nContent-Disposition: form-data; name="action"\r\n\r\nlogin\r\n--xyz\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--xyz--\r\n`
  )
const sent = (name: string, secret: string, exchange: Sending['exchange']): Sending => ({
  name,
  secret,
  exchange
})
const q = encodeURIComponent

const named =
  'pwd pass pin otp apikey api_key jwt auth credential passphrase user[password]'.split(
    ' '
  )

export const sendings: readonly Sending[] = [
  sent(
    'session cookie',
    session,
    get(`${api}?action=query`, { cookie: `wiki_session=${session}; a=b` })
  ),
  sent('token cookie', made, get(`${api}?action=query`, { cookie: `wikiToken=${made}` })),
  sent('bearer', made, get(`${api}?action=query`, { authorization: `Bearer ${made}` })),
  sent(
    'basic',
    password,
    get(`${api}?action=query`, {
      authorization: `Basic ${Buffer.from(`Bob:${password}`).toString('base64')}`
    })
  ),
  sent(
    'OAuth 1',
    made,
    get(`${api}?action=query`, {
      authorization: `OAuth oauth_consumer_key="k", oauth_token="${made}"`
    })
  ),
  ...[
    'x-api-key',
    'x-upload-token',
    'x-client-secret',
    'x-my-session',
    'x-jwt',
    'x-private-key'
  ].map((header) =>
    sent(`header ${header}`, made, get(`${api}?action=query`, { [header]: made }))
  ),
  sent('lgpassword', password, form(`action=login&lgname=Bob&lgpassword=${q(password)}`)),
  sent(
    'lgpassword in the URL',
    password,
    get(`${api}?action=login&lgname=Bob&lgpassword=${q(password)}`)
  ),
  sent(
    'a parameter spelled in escapes',
    password,
    get(`${api}?action=login&lgn%61me=B&lg%70assword=${q(password)}`)
  ),
  sent('lgpassword in multipart', password, multipart('lgpassword', password)),
  sent('retype', password, form(`action=createaccount&username=X&retype=${q(password)}`)),
  sent(
    'token',
    `${digits}+\\`,
    form(`action=edit&title=A&text=b&token=${q(`${digits}+\\`)}`)
  ),
  sent('token in multipart', `${digits}+\\`, multipart('token', `${digits}+\\`)),
  sent('access_token', made, get(`${api}?action=query&access_token=${made}`)),
  ...named.map((name) =>
    sent(`parameter ${name}`, password, form(`action=x&${q(name)}=${q(password)}`))
  ),
  ...['code', 'assertion', 'signature'].map((name) =>
    sent(`parameter ${name}`, made, form(`action=x&${name}=${made}`))
  ),
  sent(
    'option',
    made,
    form(`action=options&change=${q(`gender=male|userjs-api_key=${made}`)}`)
  ),
  sent(
    'URL in a value',
    password,
    get(`${api}?action=x&url=${q(`https://bob:${q(password)}@host.test/x`)}`)
  ),
  sent(
    'pair of a URL in a value',
    made,
    get(`${api}?action=x&url=${q(`https://host.test/x?access_token=${made}`)}`)
  ),
  sent(
    'query of a page',
    password,
    get(`/w/index.php?title=X&wpPassword=${q(password)}`)
  ),
  sent(
    'escaped query of a page',
    password,
    get(`/w/index.php?title=X&wpPass%77ord=${q(password)}`)
  ),
  sent(
    'form of a page',
    password,
    form(`title=X&user%5Bpassword%5D=${q(password)}`, '/w/index.php')
  ),
  sent(
    'JSON',
    password,
    post('/w/rest.php/x', 'application/json', JSON.stringify({ a: [{ password }] }))
  ),
  sent('text', made, post('/w/rest.php/x', 'text/plain', `x\napi_key: "${made}"\n`)),
  sent(
    'untyped body',
    password,
    post('/w/rest.php/x', '', `grant=x&client_secret=${q(password)}`)
  ),
  sent('PIN', pin, form(`action=x&pin=${pin}`)),
  sent('PIN in JSON', pin, post('/w/rest.php/x', 'application/json', `{"pin":${pin}}`)),
  sent(
    'the value of an option',
    made,
    form(`action=options&optionname=userjs-api_key&optionvalue=${made}&token=%2B%5C`)
  ),
  sent('a path of a special page', mailed, get(`/wiki/Special:ConfirmEmail/${mailed}`)),
  sent(
    'a title of a special page',
    mailed,
    get(`/w/index.php?title=Special%3AConfirmEmail%2F${mailed}`)
  ),
  sent(
    'a title in another language',
    mailed,
    get(`/w/index.php?title=${q('Служебная:Подтвердить_e-mail/')}${mailed}`)
  ),
  sent(
    'one of several titles',
    mailed,
    get(`${api}?action=query&titles=${q(`A|Special:Invalidateemail/${mailed}`)}`)
  ),
  sent(
    'loginreturnurl',
    made,
    form(
      `action=clientlogin&username=B&loginreturnurl=${q(`https://app.test/back?visit=${made}`)}`
    )
  ),
  sent(
    'loginreturnurl without a host',
    made,
    form(`action=clientlogin&loginreturnurl=${q(`/back?token=${made}`)}`)
  ),
  sent(
    'query in a query in loginreturnurl',
    made,
    form(
      `action=clientlogin&loginreturnurl=${q(`https://app.test/?returntoquery=${q(`a=b&token=${made}`)}`)}`
    )
  ),
  sent('JWT in state', jwt, get(`/w/index.php?title=Special:Login&state=${jwt}`)),
  sent('JWT in state of the API', jwt, get(`${api}?action=query&state=${jwt}`)),
  sent(
    'recoverycode',
    'OAUW7KJ2',
    form('action=clientlogin&logincontinue=1&recoverycode=OAUW7KJ2')
  ),
  sent(
    'code_verifier',
    made,
    post(
      '/w/rest.php/oauth2/access_token',
      'application/x-www-form-urlencoded',
      `client_id=x&code_verifier=${made}`
    )
  ),
  sent(
    'code',
    code,
    post(
      '/w/rest.php/oauth2/access_token',
      'application/x-www-form-urlencoded',
      `grant_type=authorization_code&code=${code}`
    )
  ),
  sent(
    'code in a callback',
    code,
    get(`/w/index.php?title=Special:PluggableAuthLogin&code=${code}`)
  ),
  sent(
    'JSON in JSON in JSON',
    made,
    post('/w/rest.php/x', 'application/json', nested('token', made))
  ),
  sent(
    'JSON in JSON in JSON in a form',
    password,
    form(`action=x&data=${q(nested('password', password))}`)
  ),
  sent(
    'own address',
    '203.0.113.77',
    get(`${api}?action=query`, { 'x-forwarded-for': '203.0.113.77' })
  ),
  sent(
    'e-mail',
    'me@wiki.test',
    get(`${api}?action=query`, { 'user-agent': 'bot/1 (me@wiki.test)' })
  )
]

const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
const units = (text: string, before: string): string =>
  text
    .split('')
    .map((one) => `${before}${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
const entities = (text: string): string =>
  [...text].map((one) => `&#${one.codePointAt(0)};`).join('')
const base64 = (bytes: string | Uint8Array): string =>
  Buffer.from(bytes).toString('base64')

/** How a secret may be spelled on its way; those after the first eight hide whole values of numbers as well. */
export const spellings: readonly (readonly [string, (secret: string) => string])[] = [
  ['plain', (one) => one],
  ['percent', encodeURIComponent],
  ['percent, all', percent],
  ['percent, twice', (one) => encodeURIComponent(percent(one))],
  ['JSON escapes of all', (one) => units(one, '\\u')],
  ['JSON in JSON', (one) => JSON.stringify(JSON.stringify(one)).slice(3, -3)],
  ['entities', entities],
  ['entities in a URL', (one) => encodeURIComponent(entities(one))],
  ['form', (one) => new URLSearchParams({ x: one }).toString()],
  ['escape()', (one) => units(one, '%u')],
  ['hex', (one) => Buffer.from(`x=${one}; y`).toString('hex')],
  ['base64', (one) => base64(`user:${one}`)],
  ['base64 of JSON', (one) => base64(JSON.stringify({ longer: 'text', x: one }))],
  ['base64url', (one) => Buffer.from(`ab${one}cdefghijk`).toString('base64url')],
  ['base64 twice', (one) => base64(base64(`{"x":"${one}"}`))],
  ['base64 of hex', (one) => base64(Buffer.from(`{"x":"${one}"}`).toString('hex'))],
  ['zlib in base64', (one) => base64(deflateSync(`{"name":"x","value":"${one}"}`))],
  ['gzip in base64', (one) => base64(gzipSync(`{"name":"x","value":"${one}"}`))],
  [
    'gzip in gzip in base64',
    (one) => base64(gzipSync(gzipSync(`{"name":"x","value":"${one}"}`)))
  ],
  [
    'brotli in base64',
    (one) => base64(brotliCompressSync(`{"name":"some longer name","value":"${one}"}`))
  ],
  ['UTF-16 in base64', (one) => base64(Buffer.from(`{"x":"${one}"}`, 'utf16le'))]
]

/** What the wiki answers; `whole` places hold the echo as a value by itself. */
export interface Place {
  readonly name: string
  readonly whole: boolean
  readonly answer: (echo: string) => Partial<WikiAnswer>
}

const bytes = (text: string | Uint8Array): Uint8Array => Buffer.from(text)
const typed = (type: string, body: string | Uint8Array): Partial<WikiAnswer> => ({
  headers: new Map([['content-type', type]]),
  body: bytes(body)
})
const place = (name: string, whole: boolean, answer: Place['answer']): Place => ({
  name,
  whole,
  answer
})

export const places: readonly Place[] = [
  place('a member', true, (echo) => ({
    body: bytes(JSON.stringify({ query: { x: echo } }))
  })),
  place('prose', false, (echo) => ({
    body: bytes(JSON.stringify({ parse: { wikitext: `you sent ${echo} to us` } }))
  })),
  place('an error', true, (echo) => ({
    body: bytes(JSON.stringify({ error: { code: 'x', info: `Bad value "${echo}".` } }))
  })),
  place('raw JSON', true, (echo) => ({
    body: bytes(`{ "a" : ${JSON.stringify(echo)}, "n": 1.0 }`)
  })),
  place('a field that is called so', true, (echo) => ({
    body: bytes(JSON.stringify({ token: echo, password: echo, sessionid: echo }))
  })),
  place('a cookie', true, (echo) => ({
    setCookies: [`wiki_session=${encodeURIComponent(echo)}; path=/`]
  })),
  place('a location', true, (echo) => ({
    status: 302,
    headers: new Map([['location', `/w/index.php?x=${encodeURIComponent(echo)}`]])
  })),
  place('a page', true, (echo) =>
    typed(
      'text/html; charset=utf-8',
      `<p title="x">${echo}</p><input name="wpX" value="${echo}">`
    )
  ),
  place('a script', true, (echo) =>
    typed('text/javascript; charset=utf-8', `var x = {"a":"${echo}"};`)
  ),
  place('XML', true, (echo) =>
    typed('text/xml; charset=utf-8', `<api><a b="${echo}"/></api>`)
  ),
  place('bytes', true, (echo) =>
    typed('image/png', Buffer.concat([Buffer.of(255, 0), Buffer.from(`"${echo}"`)]))
  ),
  place('compressed bytes', true, (echo) =>
    typed('application/gzip', gzipSync(`{"x":"${echo}"}`))
  ),
  place('large bytes beside', true, (echo) =>
    typed(
      'image/png',
      Buffer.concat([Buffer.alloc(70_000, 255), Buffer.from(`"${echo}"`)])
    )
  )
]

const contentPlaces = new Set([
  'prose',
  'a page',
  'a script',
  'XML',
  'bytes',
  'compressed bytes',
  'large bytes beside'
])

/** The places in which a secret is searched for: in content, only one that is no word, no number and no public contact. */
export const placesFor = ({ name, secret }: Sending): readonly Place[] =>
  places.filter(({ name: place, whole }) => {
    const isWord = /^\d+$/.test(secret) || name === 'e-mail'
    return (whole || !/^\d+$/.test(secret)) && !(isWord && contentPlaces.has(place))
  })
