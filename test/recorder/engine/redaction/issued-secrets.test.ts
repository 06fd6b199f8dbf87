/** What a wiki tells its caller about the caller: none of it is on the disk, in messages or in the log. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { entryLine } from '../../../../src/recorder/engine/request-log.ts'
import { type FakeAnswer, fakeWiki } from '../../../helpers/fake-wiki.ts'
import { ask } from '../../../helpers/http-client.ts'
import { traces, writtenIn } from '../../../helpers/needles.ts'
import { startProxy } from '../../../helpers/proxies.ts'

const oauthToken = 'b7e23ec29af22b0b4e41da31e868d572'
const oauthSecret = '9c1185a5c5e9fc54612808977ee8f548b2258d31'
const watchlistToken = '3f786850e387550fdab836ed7e6dc881de23001b'
const tokens = [
  '5294473f3324b586507901b0fce5ae556955bd62',
  '2a6f8699c434d54e5d1ac84ee7043b436955bd56',
  'ed2a185fb7cf67523e2af6e78ef64d006955bd62'
]
const address = '203.0.113.77'
const part = (value: object): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url')
const jwt = `${part({ typ: 'JWT', alg: 'HS256' })}.${part({ sub: 7, email: 'me@wiki.test', realname: 'Jane Roe' })}.dBjftJeZ4CVPmB92K27uhbUJU1p1r_wW1gFWFOEjXk`
const key = 'JBSW Y3DP EHPK 3PXP'
const recovery = ['OAUW 7KJ2 QX3M L5TZ', 'B7QK 2MZX W4RT Y6PL']

const typed = (type: string, body: string | Uint8Array): FakeAnswer => ({
  body,
  headers: { 'content-type': type }
})
const html = (body: string): FakeAnswer =>
  typed('text/html; charset=UTF-8', `<!DOCTYPE html><html><body>${body}</body></html>`)
const json = (body: unknown): FakeAnswer =>
  typed('application/json', JSON.stringify(body))
const oauthForm = `oauth_token=${oauthToken}&oauth_token_secret=${oauthSecret}&oauth_callback_confirmed=true`

/** What is asked, what is answered, and what of it is a secret. */
const scenes: readonly (readonly [string, string, FakeAnswer, readonly string[]])[] = [
  ...['text/plain', 'text/html', 'application/x-www-form-urlencoded'].flatMap((type) =>
    [
      '/w/index.php?title=Special:OAuth/token',
      '/w/index.php?title=Special%3AOAuth%2Finitiate&oauth_callback=oob',
      '/wiki/Special:OAuth/token',
      '/w/index.php/Special:OAuth/initiate',
      '/wiki/%D0%A1%D0%BB%D1%83%D0%B6%D0%B5%D0%B1%D0%BD%D0%B0%D1%8F:OAuth/token'
    ].map(
      (target) =>
        [
          `OAuth 1 as ${type} at ${target}`,
          target,
          typed(type, oauthForm),
          [oauthToken, oauthSecret]
        ] as const
    )
  ),
  [
    'OAuth 1 as JSON',
    '/w/index.php?title=Special:OAuth/token&format=json',
    json({ key: oauthToken, secret: oauthSecret }),
    [oauthToken, oauthSecret]
  ],
  [
    'who the caller of OAuth 1 is',
    '/w/index.php?title=Special:OAuth/identify',
    typed('text/html', jwt),
    [jwt, jwt.split('.')[1] ?? '', 'me@wiki.test']
  ],
  [
    'who the caller of OAuth 2 is',
    '/w/rest.php/oauth2/resource/profile',
    json({ sub: 7, username: 'Jane', email: 'me@wiki.test', realname: 'Jane Roe' }),
    ['me@wiki.test', 'Jane Roe']
  ],
  [
    'a token of OAuth 2',
    '/w/rest.php/oauth2/access_token',
    json({
      token_type: 'Bearer',
      expires_in: 14400,
      access_token: jwt,
      refresh_token: `def502${oauthSecret}`
    }),
    [jwt, oauthSecret]
  ],
  [
    'the keys of a consumer',
    '/wiki/Special:OAuthConsumerRegistration/propose',
    html(
      `<p>Your consumer token is: <b>${oauthToken}</b>, the secret ${oauthSecret}.</p>`
    ),
    [oauthToken, oauthSecret]
  ],
  [
    'the token of a watchlist in a link of a feed',
    '/wiki/Special:Watchlist',
    html(
      `<link rel="alternate" href="/w/api.php?action=feedwatchlist&amp;wltoken=${watchlistToken}">`
    ),
    [watchlistToken]
  ],
  [
    'the token of a watchlist where it is reset',
    '/wiki/Special:ResetTokens',
    html(`<label>watchlisttoken: ${watchlistToken}</label>`),
    [watchlistToken]
  ],
  [
    'the token of a watchlist and an e-mail in highlighted XML',
    '/w/api.php?action=query&meta=userinfo&uiprop=options|email&format=xmlfm',
    html(
      `<pre class="api-pretty-content"><span class="nt">&lt;?xml version="1.0"?&gt;&lt;api&gt;&lt;query&gt;&lt;userinfo</span> <span class="na">email=</span><span class="s">&quot;me@wiki.test&quot;</span><span class="nt">&gt;&lt;options</span> <span class="na">watchlisttoken=</span><span class="s">&quot;${watchlistToken}&quot;</span> <span class="nt">/&gt;&lt;/userinfo&gt;&lt;/query&gt;&lt;/api&gt;</span></pre>`
    ),
    ['me@wiki.test', watchlistToken]
  ],
  ...['xmlfm', 'phpfm'].map(
    (format) =>
      [
        `the tokens in the head of a page of ${format}`,
        `/w/api.php?action=query&format=${format}`,
        typed(
          'text/html',
          `<head><script>(RLQ=window.RLQ||[]).push(function(){mw.loader.implement("user.options@12s5i",function($,jQuery,require,module){mw.user.tokens.set({"patrolToken":"${tokens[0]}+\\\\","watchToken":"${tokens[1]}+\\\\","csrfToken":"${tokens[2]}+\\\\"});});});</script></head>` +
            `<pre class="api-pretty-content">${format === 'xmlfm' ? '&lt;?xml version="1.0"?>\n&lt;api batchcomplete="" />' : 'a:1:{s:13:"batchcomplete";s:0:"";}'}</pre>`
        ),
        tokens
      ] as const
  ),
  ...[
    '/wiki/Special:Manage_Two-factor_authentication',
    '/w/index.php?title=Special:OATH&action=enable',
    '/wiki/Spécial:Two-factor_authentication?module=totp',
    '/wiki/Special:AccountSecurity'
  ].map(
    (target) =>
      [
        `the key of an authenticator app and recovery codes at ${target}`,
        target,
        html(
          `<kbd>${key}</kbd><script>RLCONF={"oathauth-recoverycodes":"* ${recovery.join('\\n* ')}"}</script>` +
            `<a href="data:text/plain;charset=utf-8,${encodeURIComponent(recovery.join('\n'))}">x</a><pre>${recovery.join('\n')}</pre>`
        ),
        [key, key.replaceAll(' ', ''), ...recovery]
      ] as const
  ),
  ...[
    `<div data-mw-qrcode-url="otpauth://totp/wiki:Bob?secret=${oauthSecret}&amp;issuer=w"></div>`,
    `<p>otpauth://totp/wiki:Bob?issuer=w&secret=${oauthSecret}</p>`,
    `<img src="https://login.test/wiki/Special:CentralAutoLogin/start?type=1x1&amp;token=${oauthSecret}">`,
    `<a href="https://app.test/back?access_token=${oauthSecret}">back</a>`
  ].map(
    (tag) =>
      [
        `a pair of an address in ${tag.slice(0, 24)} …`,
        '/wiki/Special:OATHManage?action=enable',
        html(`<div id="mw-content-text">${tag}</div>`),
        [oauthSecret]
      ] as const
  ),
  ...[
    'Special:Preferences',
    'Служебная:Настройки',
    'Special:ChangeEmail',
    'Spezial:Einstellungen'
  ].map(
    (page) =>
      [
        `the caller's e-mail on ${page}`,
        `/w/index.php?title=${encodeURIComponent(page)}`,
        html(
          '<div id="mw-htmlform"><label>E-mail:</label> me@wiki.test (<a href="#">change</a>)</div>'
        ),
        ['me@wiki.test']
      ] as const
  ),
  [
    'JSON in UTF-16 that is UTF-8, too',
    '/w/rest.php/oauth2/access_token',
    typed(
      'application/json',
      Buffer.from(JSON.stringify({ access_token: oauthSecret }), 'utf16le')
    ),
    [oauthSecret, [...oauthSecret].join('\\u0000')]
  ],
  [
    'JSON in UTF-16',
    '/w/rest.php/oauth2/access_token',
    typed(
      'application/json; charset=utf-16le',
      Buffer.from(JSON.stringify({ access_token: oauthSecret }), 'utf16le')
    ),
    [oauthSecret]
  ],
  ...(['name', 'type'] as const).map(
    (member) =>
      [
        `a password beside its ${member}`,
        '/w/api.php?action=query&meta=authmanagerinfo&format=json',
        JSON.stringify({
          query: { fields: [{ [member]: 'password', value: 'tart-pear-42' }] }
        }),
        ['tart-pear-42']
      ] as const
  )
]

async function recorded(target: string, answer: FakeAnswer): Promise<readonly string[]> {
  const wiki = await fakeWiki(() => answer)
  const proxy = await startProxy(wiki.api)
  const log: string[] = []
  proxy.rack.feed.subscribe(({ entry }) => void log.push(entryLine(entry)))
  await ask(proxy.origin + target.replace(/[^\x20-\x7e]+/g, encodeURIComponent))
  await proxy.close()
  return [...writtenIn(proxy.cassette), ...proxy.reports, ...log]
}

describe('is nowhere in what a run writes', () => {
  it.each(scenes)('%s', async (_, target, answer, secrets) => {
    const texts = await recorded(target, answer)
    for (const secret of secrets) expect(traces(secret, texts)).toEqual([])
  })
})

describe("the caller's own address where nobody has asked for userinfo", () => {
  const talk = `/wiki/User_talk:${address}`
  const answers: readonly (readonly [string, string, FakeAnswer])[] = [
    [
      'in Location',
      '/wiki/Special:MyTalk',
      { status: 302, body: '', headers: { location: talk } }
    ],
    [
      'in redirects',
      '/w/api.php?action=query&titles=Special:MyTalk&redirects&format=json',
      JSON.stringify({
        query: { redirects: [{ from: 'Special:MyTalk', to: `User talk:${address}` }] }
      })
    ],
    [
      'in a signature',
      '/w/api.php?action=parse&text=~~~~&pst=1&format=json',
      JSON.stringify({ parse: { text: { '*': `<a href="${talk}">${address}</a>` } } })
    ],
    [
      'in a history',
      '/w/index.php?title=A&action=history',
      html(`<a href="/wiki/Special:Contributions/${address}"><bdi>${address}</bdi></a>`)
    ],
    [
      'in a notice of a block',
      '/w/index.php?title=A&action=edit',
      html(`Your IP address is ${address}`)
    ],
    [
      'in a notice of a block in XML',
      '/w/api.php?action=query&list=x&format=xml',
      typed(
        'text/xml',
        `<?xml version="1.0"?><api><error code="blocked" info="${address} is blocked"/></api>`
      )
    ],
    [
      'in intestactionsdetail',
      '/w/api.php?action=query&prop=info&intestactions=edit&intestactionsdetail=full&titles=A&format=json',
      JSON.stringify({
        query: {
          pages: {
            1: {
              actions: {
                edit: [{ code: 'blocked', '*': `Your IP address, ${address}` }]
              }
            }
          }
        }
      })
    ],
    [
      'in formatted XML',
      '/w/api.php?action=query&list=x&format=xmlfm',
      html(
        `<pre class="api-pretty-content">&lt;api&gt;&lt;x user=&quot;${address}&quot;/&gt;&lt;/api&gt;</pre>`
      )
    ],
    [
      'on a page of the edge',
      '/error',
      typed('text/html', `<p>Request from ${address} via cp3066</p>`)
    ]
  ]
  it.each(answers)('%s', async (_, target, answer) => {
    const wiki = await fakeWiki(
      (params) =>
        params.get('meta') === 'userinfo'
          ? JSON.stringify({ query: { userinfo: { id: 0, name: address, anon: true } } })
          : answer,
      true
    )
    const proxy = await startProxy(wiki.api)
    await ask(`${proxy.origin}${target}`)
    await proxy.close()
    expect(traces(address, [...writtenIn(proxy.cassette), ...proxy.reports])).toEqual([])
  })
})

it('a page of credentials is known by the name that the wiki alone has for it', async () => {
  const wiki = await fakeWiki(() => html(`<kbd>${key}</kbd>`))
  const first = await startProxy(wiki.api)
  await ask(`${first.api}?action=query&format=json`)
  await first.close()
  const file = path.join(first.cassette, 'cassette.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { site: object }
  const specialpages = { 'zwei-faktor-anmeldung': 'OATHManage' }
  writeFileSync(
    file,
    JSON.stringify({ ...manifest, site: { ...manifest.site, specialpages } })
  )
  const second = await startProxy(wiki.api, { cassette: first.cassette })
  await ask(`${second.origin}/wiki/Spezial:Zwei-Faktor-Anmeldung`)
  await second.close()
  expect(traces(key, [...writtenIn(first.cassette), ...second.reports])).toEqual([])
})
