/** Secrets that a wiki issues, by the request for each and by the format of the answer. */
import type { WikiAnswer } from '../../src/recorder/wiki/answers/wiki-answer.ts'
import { digits, session } from './looks-secret.ts'
import type { Sending } from './planted-secrets.ts'

type Format = (path: readonly string[], secret: string) => Partial<WikiAnswer>

const typed = (type: string, body: string | Uint8Array): Partial<WikiAnswer> => ({
  headers: new Map([['content-type', type]]),
  body: Buffer.from(body)
})
const nested = (path: readonly string[], secret: string): unknown =>
  path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), secret)
const escaped = (one: string): string =>
  one.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

function xml(path: readonly string[], secret: string): string {
  const elements = path.slice(0, -1)
  const inner = `<${elements.at(-1)} ${path.at(-1)}="${escaped(secret)}" />`
  const whole = elements
    .slice(0, -1)
    .reduceRight((text, name) => `<${name}>${text}</${name}>`, inner)
  return `<?xml version="1.0"?><api>${whole}</api>`
}

const php = (path: readonly string[], secret: string): string =>
  path.reduceRight(
    (inner, name) => `a:1:{s:${Buffer.byteLength(name)}:"${name}";${inner}}`,
    `s:${Buffer.byteLength(secret)}:"${secret}";`
  )
const pretty = (text: string): Partial<WikiAnswer> =>
  typed(
    'text/html; charset=utf-8',
    `<!DOCTYPE html><html><pre class="api-pretty-content">${escaped(text)}</pre></html>`
  )

const formats: Readonly<Record<string, Format>> = {
  json: (path, secret) => typed('application/json', JSON.stringify(nested(path, secret))),
  xml: (path, secret) => typed('text/xml; charset=utf-8', xml(path, secret)),
  php: (path, secret) => typed('application/vnd.php.serialized', php(path, secret)),
  xmlfm: (path, secret) => pretty(xml(path, secret)),
  phpfm: (path, secret) => pretty(php(path, secret)),
  rawfm: (path, secret) => pretty(JSON.stringify(nested(path, secret), undefined, 4))
}

/** Where the Action API tells a caller something that identifies the caller. */
const members: readonly (readonly [string, readonly string[], string])[] = [
  ['action=query&meta=tokens', ['query', 'tokens', 'csrftoken'], `${digits}+\\`],
  ['action=login&lgname=Bob', ['login', 'token'], `${digits}+\\`],
  [
    'action=query&meta=userinfo',
    ['query', 'userinfo', 'options', 'watchlisttoken'],
    digits
  ],
  ['action=centralauthtoken', ['centralauthtoken', 'centralauthtoken'], session]
]
const issued = (
  name: string,
  target: string,
  secret: string,
  issues: Partial<WikiAnswer>
): Sending => ({
  name,
  secret: secret.replace(/\+\\$/, ''),
  exchange: { method: 'GET', target, headers: {}, body: new Uint8Array() },
  issues
})
const html = (body: string): Partial<WikiAnswer> =>
  typed(
    'text/html; charset=utf-8',
    `<!DOCTYPE html><html><body><div id="mw-content-text">${body}</div></body></html>`
  )

export const issuedSecrets: readonly Sending[] = [
  ...members.flatMap(([query, path, secret]) =>
    Object.entries(formats).map(([format, answer]) =>
      issued(
        `${path.at(-1)} of ${query} in ${format}`,
        `/w/api.php?${query}&format=${format}`,
        secret,
        answer(path, secret)
      )
    )
  ),
  issued(
    'the form of OAuth 1',
    '/w/index.php?title=Special:OAuth/token',
    session,
    typed('text/plain', `oauth_token=x&oauth_token_secret=${session}`)
  ),
  issued(
    'OAuth 1 in JSON',
    '/w/index.php?title=Special:OAuth/token&format=json',
    session,
    typed('application/json', JSON.stringify({ key: 'x', secret: session }))
  ),
  issued(
    'OAuth 2',
    '/w/rest.php/oauth2/access_token',
    session,
    typed(
      'application/json',
      JSON.stringify({ token_type: 'Bearer', access_token: session })
    )
  ),
  issued(
    'OAuth 2 in UTF-16',
    '/w/rest.php/oauth2/access_token',
    session,
    typed(
      'application/json; charset=utf-16',
      Buffer.from(JSON.stringify({ access_token: session }), 'utf16le')
    )
  ),
  issued(
    'a form of an action',
    '/w/index.php?title=A&action=watch',
    digits,
    html(`<input type="hidden" name="wpEditToken" value="${digits}+\\">`)
  ),
  issued(
    'a link of a history',
    '/w/index.php?title=A&action=history',
    digits,
    html(
      `<a href="/w/index.php?title=A&amp;action=rollback&amp;token=${digits}%2B%5C">x</a>`
    )
  ),
  issued(
    'a script of a page',
    '/wiki/A',
    digits,
    html(`</div><script>mw.user.tokens.set({"csrfToken":"${digits}+\\\\"});</script>`)
  ),
  issued(
    'a module of scripts',
    '/w/load.php?modules=user.options',
    digits,
    typed('text/javascript', `mw.user.tokens.set({"csrfToken":"${digits}+\\\\"});`)
  ),
  issued(
    'a page of tokens',
    '/wiki/Special:ResetTokens',
    digits,
    html(`<label>watchlisttoken: ${digits}</label>`)
  ),
  issued('a cookie', '/wiki/A', session, {
    setCookies: [`wiki_session=${session}; path=/`],
    ...html('x')
  })
]
