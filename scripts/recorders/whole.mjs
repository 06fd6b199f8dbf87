/**
 * The calls of a whole day of a client, for record.* and whole-node.mjs: node whole.mjs > calls.json. All calls of the
 * specification, a walk, a login with an edit and an upload, a 301, XML, an error with status
 * 403. `{token}` stands for the token that was told last; `session` for the cookies of that login.
 */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

const recorded = gunzipSync(
  readFileSync(new URL('../../test/fixtures/mw-1.25.4.ndjson.gz', import.meta.url))
)
const lines = recorded
  .toString('utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
const seeds = lines
  .filter(({ kind, q }) => kind === 'seed' && q.endsWith('&format=json'))
  .map(({ q }) => ({ path: `/w/api.php?${q}` }))

const api = '/w/api.php'
const walk = 'action=query&list=allpages&aplimit=100&format=json&formatversion=2'
const password = process.env.WIKI_PASSWORD ?? ''
const session = (form) => ({ path: api, form, session: true })
const read = {
  path: `${api}?action=query&prop=revisions&rvprop=content&rvslots=main&titles=%D0%9F%D0%B5%D1%80%D0%B5%D0%B5%D0%B7%D0%B4&format=json&formatversion=2`,
  session: true
}
const boundary = 'x7MA4YWxkTrZu0gW'
const part = (name, value, more = '') =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
const upload =
  part('action', 'upload') +
  part('format', 'json') +
  part('filename', 'Moving-in.svg') +
  part('ignorewarnings', '1') +
  part('token', '{rawtoken}') +
  part(
    'file',
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    '; filename="a.svg"'
  ) +
  `--${boundary}--\r\n`

const calls = [
  ...seeds,
  { path: `${api}?${walk}`, walk: true },
  { path: `${api}?action=query&meta=tokens&type=login&format=json`, session: true },
  session(
    `action=login&lgname=Admin&lgpassword=${encodeURIComponent(password)}&lgtoken={token}&format=json`
  ),
  { path: `${api}?action=query&meta=userinfo&format=json`, session: true },
  { path: `${api}?action=query&meta=tokens&format=json`, session: true },
  session(
    'action=edit&title=%D0%9F%D0%B5%D1%80%D0%B5%D0%B5%D0%B7%D0%B4&text=one&token={token}&format=json'
  ),
  read,
  session(
    'action=edit&title=%D0%9F%D0%B5%D1%80%D0%B5%D0%B5%D0%B7%D0%B4&text=two&token={token}&format=json'
  ),
  read,
  { ...session(upload), type: `multipart/form-data; boundary=${boundary}` },
  {
    path: `${api}?action=query&prop=imageinfo&iiprop=size%7Csha1&titles=File%3AMoving-in.svg&format=json`,
    session: true
  },
  { path: '/w/index.php?title=%D0%B2%D0%BE%D0%BB%D0%B3%D0%B0' },
  { path: `${api}?action=query&list=allpages&aplimit=3&format=xml` },
  { path: `${api}?action=query&format=json&origin=http%3A%2F%2Fx.test` }
]
process.stdout.write(`${JSON.stringify(calls, undefined, 1)}\n`)
