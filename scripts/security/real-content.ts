/**
 * `npx tsx scripts/security/real-content.ts [FOLDER…] [--wiki URL [--user]]`: files of a source tree as raw pages, articles, revisions and
 * exports, and pages and messages of a real wiki: none may be changed, and nothing learned from them; for a
 * user of the lab who is logged in, what people wrote may not. Prints what was.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { RecordedResponse } from '../../src/recorder/cassette/interaction.ts'
import {
  jsonObject,
  jsonString,
  withoutMember
} from '../../src/recorder/json/json-tree.ts'
import { readTree } from '../../src/recorder/json/read-json.ts'
import { writeCompact } from '../../src/recorder/json/write-json.ts'
import { answerOf } from '../../src/recorder/privacy/detect/scan-file.ts'
import { SecretRegistry } from '../../src/recorder/privacy/known/secret-registry.ts'
import { redactResponse } from '../../src/recorder/privacy/redact/redact-response.ts'
import { contentRanges } from '../../src/recorder/privacy/sources/page-parts.ts'
import { Client } from '../../test/helpers/stateful-wiki.ts'
import { labAccounts } from '../wiki/lab.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    wiki: { type: 'string', multiple: true, default: [] },
    count: { type: 'string', default: '2000' },
    user: { type: 'boolean', default: false }
  }
})
const count = Number(values.count)

/** A session that knows secrets, words among them. */
const registry = new SecretRegistry()
registry.learnFromRequest(
  new Map([
    ['lgpassword', 'password'],
    ['token', 'secret-token'],
    ['pin', '1234']
  ]),
  [
    [
      'cookie',
      'wiki_session=7v0kq3m5t9s1u2a4b6c8d0e2f4g6h8ij; lastPage=Battle_of_Stalingrad_1942'
    ],
    ['user-agent', 'bot/1 (mediawiki-l@lists.wikimedia.org)'],
    ['x-forwarded-for', '127.0.0.1, 10.0.0.1']
  ]
)

/** What people wrote of a page; all of any other text, less the lab's debugging notes. */
function writtenIn({ body }: RecordedResponse): string {
  if (body.kind === 'json')
    return writeCompact(withoutMember(body.tree, 'debuginfo'), 'utf8')
  if (body.kind !== 'text' || !/<html/i.test(body.text.slice(0, 500)))
    return bodyTextOf(body)
  return contentRanges(body.text)
    .map(([from, to]) => body.text.slice(from, to))
    .join('\n')
}

const bodyTextOf = (body: RecordedResponse['body']): string =>
  body.kind === 'text' ? body.text : ''

let judged = 0
let cookie = ''
const changed: string[] = []
function judge(
  name: string,
  request: ReadonlyMap<string, string>,
  response: RecordedResponse
): void {
  judged += 1
  const known = registry.callerIdentifiers()
  const { response: clean, secrets } = redactResponse(
    response,
    known,
    answerOf(request, response.headers, undefined)
  )
  const isSame = values.user
    ? writtenIn(clean) === writtenIn(response)
    : clean.body === response.body && secrets.length === 0
  if (!isSame)
    changed.push(
      `${name}: ${secrets.map(({ kind, source }) => `${kind} (${source})`).join(', ')}`
    )
}

const text = (type: string, body: string): RecordedResponse => ({
  status: 200,
  headers: new Map([['content-type', type]]),
  cookies: [],
  body: { kind: 'text', text: body }
})
const escaped = (body: string): string =>
  body.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const types: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.php': 'text/x-php',
  '.txt': 'text/plain',
  '.md': 'text/plain'
}

/** One file as each way serves it. */
function judgeFile(file: string, body: string): void {
  const type = types[path.extname(file)] ?? 'text/plain'
  judge(
    `${file} raw`,
    new Map([['plain target', '/w/index.php?title=A&action=raw']]),
    text(type, body)
  )
  judge(
    `${file} as an article`,
    new Map([['plain target', '/wiki/A']]),
    text(
      'text/html',
      `<!DOCTYPE html><html><body><div class="mw-parser-output"><pre>${escaped(body)}</pre></div></body></html>`
    )
  )
  judge(
    `${file} exported`,
    new Map([
      ['action', 'query'],
      ['export', ''],
      ['exportnowrap', '']
    ]),
    text('text/xml', `<mediawiki><text>${escaped(body)}</text></mediawiki>`)
  )
  const tree = jsonObject([
    [
      'query',
      jsonObject([
        ['pages', jsonObject([['1', jsonObject([['revisions', jsonString(body)]])]])]
      ])
    ]
  ])
  judge(
    `${file} as a revision`,
    new Map([
      ['action', 'query'],
      ['prop', 'revisions']
    ]),
    {
      ...text('application/json', ''),
      body: { kind: 'json', tree, spelling: 'utf8' }
    }
  )
}

function* filesBelow(folder: string): Generator<string> {
  for (const one of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, one.name)
    if (one.isDirectory()) yield* filesBelow(file)
    else if (path.extname(one.name) in types && statSync(file).size < 400_000) yield file
  }
}

let files = 0
for (const folder of positionals) {
  for (const file of filesBelow(folder)) {
    if (files >= count) break
    const body = readFileSync(file, 'utf8')
    if (!/token|password|secret|e-?mail/i.test(body) || body.includes('\ufffd')) continue
    files += 1
    judgeFile(path.relative(folder, file), body)
  }
}

/** An answer of a wiki, as it is recorded. */
async function judgeAnswer(origin: string, target: string): Promise<void> {
  const reply = await fetch(`${origin}${target}`, {
    redirect: 'manual',
    headers: { cookie }
  })
  const body = await reply.text()
  const [where = '', query = ''] = target.split('?')
  const isApi = where.endsWith('api.php')
  const request = isApi
    ? new Map(new URLSearchParams(query))
    : new Map([['plain target', target]])
  const type = reply.headers.get('content-type') ?? ''
  const tree = isApi && type.startsWith('application/json') ? readTree(body) : undefined
  const response = text(type, body)
  judge(
    target,
    request,
    tree === undefined
      ? response
      : { ...response, body: { kind: 'json', tree, spelling: 'utf8' } }
  )
}

for (const wiki of values.wiki) {
  const { origin, pathname } = new URL(wiki)
  const entry = pathname.replace(/api\.php$/, 'index.php')
  if (values.user) {
    const client = new Client(wiki)
    await client.login(labAccounts.bob.name, labAccounts.bob.password)
    cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }
  const ask = async (query: string): Promise<unknown> =>
    (await fetch(`${wiki}?${query}&format=json&formatversion=2`)).json()
  const titles: string[] = []
  // Pages, discussions, users, the project, files, messages, templates, categories.
  for (const namespace of [0, 1, 2, 4, 6, 8, 10, 14]) {
    const listed = (await ask(
      `action=query&list=allpages&apnamespace=${namespace}&aplimit=500`
    )) as { query: { allpages: { title: string }[] } }
    titles.push(...listed.query.allpages.map(({ title }) => title))
  }
  for (const title of titles.slice(0, count / 4)) {
    const name = encodeURIComponent(title)
    await judgeAnswer(origin, `${entry}?title=${name}&action=raw`)
    await judgeAnswer(origin, `${entry}?title=${name}`)
    await judgeAnswer(
      origin,
      `${pathname}?action=query&prop=revisions&rvprop=content|comment&titles=${name}&format=json`
    )
    await judgeAnswer(
      origin,
      `${pathname}?action=query&export&exportnowrap&titles=${name}`
    )
  }
  for (const query of [
    'action=query&meta=allmessages&format=json',
    'action=query&meta=siteinfo&siprop=general|namespaces|specialpagealiases&format=json',
    'action=paraminfo&modules=**&format=json'
  ])
    await judgeAnswer(origin, `${pathname}?${query}`)
}

process.stdout.write(
  `${judged} answers of ${files} files and ${values.wiki.length} wikis; changed: ${changed.length}\n`
)
for (const one of changed.slice(0, 30)) process.stdout.write(`  ${one}\n`)
process.exitCode = changed.length > 0 || judged === 0 ? 1 : 0
