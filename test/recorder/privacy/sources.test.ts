/**
 * Where a text comes from decides what is a secret in it: each secret in each format at each place of the wiki's own is gone,
 * and the same characters in what people wrote come back byte for byte, and teach nothing.
 */
import { describe, expect, it } from 'vitest'
import type { RecordedResponse } from '../../../src/recorder/cassette/interaction.ts'
import { answerOf } from '../../../src/recorder/privacy/detect/scan-file.ts'
import { SecretRegistry } from '../../../src/recorder/privacy/known/secret-registry.ts'
import { redactResponse } from '../../../src/recorder/privacy/redact/redact-response.ts'
import { placeholderFor } from '../../../src/recorder/privacy/secrets/secret.ts'
import type { CanonicalRequest } from '../../../src/recorder/request/request-key.ts'
import { digits, session, spellings, values } from '../../helpers/looks-secret.ts'
import { answer, fileOf, json, page } from './answers.ts'

const text = (type: string, body: string): RecordedResponse =>
  page(body, { 'content-type': type })
const escapeXml = (one: string): string =>
  one.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

interface Way {
  readonly name: string
  readonly request: CanonicalRequest
  readonly serve: (written: string) => RecordedResponse
}
const plain = (name: string, target: string, serve: Way['serve']): Way => ({
  name,
  request: new Map([['plain target', target]]),
  serve
})
const api = (name: string, query: string, serve: Way['serve']): Way => ({
  name,
  request: new Map(new URLSearchParams(query)),
  serve
})

/** The ways in which what people wrote is served. */
const ways: readonly Way[] = [
  plain('a raw page', '/w/index.php?title=A&action=raw', (one) =>
    text('text/x-wiki', one)
  ),
  plain('a raw page of JSON', '/w/index.php?title=A.json&action=raw', (one) =>
    text('application/json', one)
  ),
  plain('a raw script', '/w/index.php?title=MediaWiki:Common.js&action=raw', (one) =>
    text('text/javascript', one)
  ),
  plain('a file', '/w/images/a/ab/A.json', (one) =>
    answer({ kind: 'binary', bytes: Buffer.from(one) })
  ),
  plain('an article', '/wiki/A', (one) =>
    text(
      'text/html',
      `<html><body><div class="mw-parser-output">${escapeXml(one)}</div></body></html>`
    )
  ),
  plain('a feed', '/w/index.php?title=A&feed=atom', (one) =>
    text('application/atom+xml', `<feed>${escapeXml(one)}</feed>`)
  ),
  api('an export', 'action=query&export=&exportnowrap=', (one) =>
    text('text/xml', `<mediawiki><text token="x">${escapeXml(one)}</text></mediawiki>`)
  ),
  api('revisions', 'action=query&prop=revisions', (one) =>
    answer(json({ query: { pages: { 1: { revisions: [{ '*': one, comment: one }] } } } }))
  ),
  api('wikitext of a parse', 'action=parse&prop=wikitext', (one) =>
    answer(json({ parse: { wikitext: one } }))
  ),
  api('a search', 'action=query&list=search', (one) =>
    answer(json({ query: { search: [{ snippet: one, title: one }] } }))
  ),
  api('page properties', 'action=query&prop=pageprops', (one) =>
    answer(json({ query: { pages: { 1: { pageprops: { token: one, email: one } } } } }))
  ),
  api('data that people named', 'action=jsondata&title=A.tab', (one) =>
    answer(
      json({
        jsondata: {
          token: one,
          email: one,
          password: one,
          schema: { name: 'token', value: one }
        }
      })
    )
  ),
  api('revisions in XML', 'action=query&prop=revisions&format=xml', (one) =>
    text(
      'text/xml',
      `<?xml version="1.0"?><api><query><rev comment="${escapeXml(one)}">${escapeXml(one)}</rev></query></api>`
    )
  ),
  api('revisions in formatted XML', 'action=query&prop=revisions&format=xmlfm', (one) =>
    text(
      'text/html',
      `<html><pre class="api-pretty-content">${escapeXml(`<?xml version="1.0"?><api><query><rev>${escapeXml(one)}</rev></query></api>`)}</pre></html>`
    )
  )
]

const cells = ways.flatMap((way) =>
  spellings.flatMap((one) => values.map((value) => [way, one, value] as const))
)

it(`is content in ${cells.length} cells, unchanged, and nothing is learned from it`, () => {
  expect(cells.length).toBeGreaterThan(600)
  const changed: string[] = []
  for (const [
    { name, request, serve },
    [spelling, spell],
    [secretName, value]
  ] of cells) {
    const response = serve(spell(secretName, value))
    const redacted = redactResponse(
      response,
      [],
      answerOf(request, response.headers, undefined)
    )
    const isSame =
      redacted.response.body === response.body && redacted.secrets.length === 0
    if (!isSame) changed.push(`${secretName}=${value} as ${spelling} in ${name}`)
  }
  expect(changed).toEqual([])
})

/** Places of the wiki's own, with the kind that they mean. */
const ownPlaces: readonly Way[] = [
  api('tokens', 'action=query&meta=tokens', (one) =>
    answer(json({ query: { tokens: { csrftoken: one } } }))
  ),
  api('a login', 'action=login', (one) =>
    answer(json({ login: { result: 'NeedToken', token: one } }))
  ),
  api('a login in XML', 'action=login&format=xml', (one) =>
    text('text/xml', `<api><login token="${escapeXml(one)}"/></api>`)
  ),
  api('options', 'action=query&meta=userinfo', (one) =>
    answer(json({ query: { userinfo: { options: { watchlisttoken: one } } } }))
  ),
  api('options in formatted XML', 'action=query&meta=userinfo&format=xmlfm', (one) =>
    text(
      'text/html',
      `<html><pre class="api-pretty-content">${escapeXml('<?xml version="1.0"?><api><query><userinfo><options watchlisttoken="')}<span>${escapeXml(escapeXml(one))}</span>${escapeXml('"/></userinfo></query></api>')}</pre></html>`
    )
  ),
  api('a pair beside its name', 'action=x', (one) =>
    answer(json({ fields: [{ name: 'password', value: one }] }))
  ),
  plain(
    'the form that OAuth 1 answers with',
    '/w/index.php?title=Special:OAuth/token',
    (one) =>
      text(
        'text/plain',
        `oauth_token=${encodeURIComponent(one)}&oauth_token_secret=${encodeURIComponent(one)}`
      )
  ),
  plain(
    'the key of a consumer',
    '/w/index.php?title=Special:OAuth/initiate&format=json',
    (one) => text('application/json', JSON.stringify({ key: one, secret: one }))
  ),
  plain('a page that shows a token', '/wiki/Special:ResetTokens', (one) =>
    text('text/html', `<p>Your token: <b>${one}</b></p>`)
  ),
  plain('a link of a feed', '/wiki/Special:Watchlist', (one) =>
    text(
      'text/html',
      `<link rel="alternate" href="/w/api.php?action=feedwatchlist&amp;wltoken=${one}"/>`
    )
  )
]

describe.each(ownPlaces)('$name', ({ request, serve }) => {
  it.each([digits, session])('keeps no %s', (secret) => {
    const response = serve(secret)
    const { response: clean } = redactResponse(
      response,
      [],
      answerOf(request, response.headers, undefined)
    )
    expect(fileOf(clean)).not.toContain(secret)
  })
})

it('the key of an authenticator app and its recovery codes are on no page, whatever the language', () => {
  const key = 'JBSW Y3DP EHPK 3PXP'
  const codes = ['OAUW 7KJ2 QX3M L5TZ', 'B7QK 2MZX W4RT Y6PL']
  const html = `<kbd>${key}</kbd><img class="mw-oauth-qrcode" src="data:image/svg+xml;base64,PHN2Zz4="/><script>RLCONF={"oathauth-recoverycodes":"* ${codes.join('\\n* ')}"}</script><a href="data:text/plain;charset=utf-8,${encodeURIComponent(codes.join('\n'))}">x</a>`
  for (const title of [
    'Special:Manage_Two-factor_authentication',
    'Служебная:AccountSecurity'
  ]) {
    const request = new Map([
      ['plain target', `/w/index.php?title=${encodeURIComponent(title)}&action=enable`]
    ])
    const response = text('text/html', html)
    const clean = fileOf(
      redactResponse(response, [], answerOf(request, response.headers, undefined))
        .response
    )
    for (const one of [key, ...codes]) {
      expect(clean).not.toContain(one)
      expect(clean).not.toContain(encodeURIComponent(one))
    }
    expect(clean).not.toContain('PHN2Zz4')
  }
})

it("the caller's own e-mail is on no page of preferences", () => {
  const request = new Map([['plain target', '/wiki/Special:Preferences']])
  const response = text(
    'text/html',
    '<div id="mw-htmlform"><label>E-mail</label> me@wiki.test<br/></div>'
  )
  const { response: clean } = redactResponse(
    response,
    [],
    answerOf(request, response.headers, undefined)
  )
  expect(fileOf(clean)).not.toContain('me@wiki.test')
})

it('the address of a vandal in an error about a block is not taken for that of the caller', () => {
  const info = 'The IP address 203.0.113.9 is already blocked.'
  for (const code of ['alreadyblocked', 'cantunblock']) {
    const response = answer(json({ error: { code, info } }))
    const { response: clean, secrets } = redactResponse(response)
    expect(clean).toBe(response)
    expect(secrets).toEqual([])
  }
})

describe('what is known of this run', () => {
  const sent = (
    params: Readonly<Record<string, string>>,
    headers: readonly (readonly [string, string])[] = []
  ) => {
    const registry = new SecretRegistry()
    registry.learnFromRequest(new Map(Object.entries(params)), headers)
    return registry
  }

  it('is replaced in an article only where no word could be it', () => {
    const article = (one: string): RecordedResponse =>
      answer(json({ parse: { wikitext: `see ${one} there` } }))
    const kept = (registry: SecretRegistry, one: string): boolean => {
      const response = article(one)
      return redactResponse(response, registry.findSecrets(one)).response === response
    }
    const random = 'A7fK29sLq0Zx81Vb3nTe6Wd'
    expect(kept(sent({ token: random }), random)).toBe(false)
    expect(kept(sent({ lgpassword: 'tartpear' }), 'tartpear')).toBe(true)
    expect(
      kept(
        sent({}, [['cookie', 'lastPage=Battle_of_Stalingrad_1942']]),
        'Battle_of_Stalingrad_1942'
      )
    ).toBe(true)
    expect(
      kept(
        sent({}, [['user-agent', 'bot/1 (press@museum.example)']]),
        'press@museum.example'
      )
    ).toBe(true)
    expect(kept(sent({}, [['x-forwarded-for', '192.168.0.1']]), '192.168.0.1')).toBe(true)
    expect(kept(sent({}, [['x-forwarded-for', '203.0.113.77']]), '203.0.113.77')).toBe(
      false
    )
  })

  it('is a contact in a User-Agent however it is spelled, and a field of OAuth without quotes', () => {
    expect(
      sent({}, [['user-agent', 'bot/1 (me%40wiki.test)']]).findSecrets('me@wiki.test')
    ).toHaveLength(1)
    const oauth = sent({}, [
      ['authorization', `OAuth oauth_token=${session}, oauth_signature=x`]
    ])
    expect(oauth.findSecrets(session)).toHaveLength(1)
  })

  it('is no token of letters, which tests send to be refused', () => {
    expect(sent({ token: 'badtoken' }).size).toBe(0)
  })
})

it('a placeholder is never a secret again', () => {
  for (const [kind, value] of [
    ['token', `${digits}+\\`],
    ['session', session]
  ] as const) {
    const response = answer(
      json({ query: { tokens: { csrftoken: placeholderFor(kind, value) } } })
    )
    expect(redactResponse(response).response).toBe(response)
  }
})

describe('the head of a page in an answer of the API', () => {
  const script = `<script>mw.user.tokens.set({"patrolToken":"${digits}+\\\\"});</script>`
  const head = `<head>${script}</head>`
  it.each<[string, string, RecordedResponse]>([
    ['JSON', 'json', answer(json({ parse: { headhtml: { '*': head } } }))],
    [
      'XML',
      'xml',
      text(
        'text/xml',
        `<?xml version="1.0"?><api><parse><headhtml xml:space="preserve">${escapeXml(head)}</headhtml></parse></api>`
      )
    ]
  ])('has no tokens in %s', (_, format, response) => {
    const request = new Map(
      new URLSearchParams(`action=parse&prop=headhtml&format=${format}`)
    )
    const { response: clean } = redactResponse(
      response,
      [],
      answerOf(request, response.headers, undefined)
    )
    expect(fileOf(clean)).not.toContain(digits)
  })
})

it.each([
  ['/wiki/Special:ResetTokens', `<p>Token: ${digits}</p>`, digits],
  ['/wiki/Special:Preferences', '<label>E-mail</label> me@wiki.test', 'me@wiki.test'],
  [
    '/w/index.php?title=A&action=watch',
    `<input name="wpEditToken" value="${digits}+\\">`,
    digits
  ],
  [
    '/w/index.php?title=A&action=history',
    `<a href="/w/index.php?title=A&amp;action=rollback&amp;token=${digits}%2B%5C">rollback</a>`,
    digits
  ]
])('the body of a page of the wiki is no content: %s', (target, body, secret) => {
  const response = text(
    'text/html',
    `<html><body><div id="mw-content-text" class="mw-body-content">${body}</div></body></html>`
  )
  const request = new Map([['plain target', target]])
  const { response: clean } = redactResponse(
    response,
    [],
    answerOf(request, response.headers, undefined)
  )
  expect(fileOf(clean)).not.toContain(secret)
})
