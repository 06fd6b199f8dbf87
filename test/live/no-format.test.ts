/**
 * Every module that wikitape has a description of, asked without a format on real wikis: answers of other kinds are the
 * same bytes live, in record and in replay; of debugging pages, which are made here, the type and the JSON that they show.
 */
import { expect, it } from 'vitest'
import { labUrl, labVersions, wikiAnswering } from '../../scripts/wiki/lab.ts'
import { dataFile } from '../../src/recorder/knowledge/data-file.ts'
import type { ModuleData } from '../../src/recorder/knowledge/known-modules.ts'
import { withoutDebuginfo } from '../helpers/debug-cut.ts'
import { ask, type HttpReply } from '../helpers/http-client.ts'
import { startProxy } from '../helpers/proxies.ts'
import { shareOf } from '../helpers/scale.ts'

const { modules } = dataFile('modules') as ModuleData
// Lists that are drawn by lot have no second answer.
const described = Object.keys(modules)
  .filter((path) => path !== 'query+random')
  .map((path) => {
    const name = path.replace(/^query\+/, '')
    if (name === path) return `action=${name}`
    const { is } = modules[path] ?? {}
    const group = JSON.stringify(is).match(/"group":"(prop|list|meta)"/)?.[1] ?? 'list'
    return `action=query&${group}=${name}&titles=Волга`
  })

/** With all that a module wants for more than an error, and in every option of JSON. */
const more = [
  '',
  ...[
    '',
    '&callback=fn.x',
    '&origin=*',
    '&formatversion=2',
    '&utf8=1',
    '&requestid=7'
  ].flatMap((options) => [
    `action=opensearch&search=Во${options}`,
    `action=templatedata&titles=Шаблон:Box A${options}`
  ]),
  ...['xml', 'json', 'php'].map(
    (format) => `action=opensearch&search=Во&format=${format}`
  ),
  ...[
    'opensearch&assert=user',
    'opensearch&search=Во&errorformat=nix',
    'rsd&format=json',
    'rsd&assert=user'
  ].map((call) => `action=${call}`),
  ...['', '&feedformat=atom', '&format=json'].map(
    (options) => `action=feedcontributions&user=Admin${options}`
  ),
  ...['&modules=rsd|query+info', '&wrap=1', '&modules=nix', '&format=json'].map(
    (options) => `action=help${options}`
  ),
  ...['', '&format=json'].map(
    (options) => `action=query&titles=Волга&export=1&exportnowrap=1${options}`
  )
]
/** Usually every third call is made, another third of each wiki; all of them with `WIKITAPE_TESTS=full`. */
const callsOf = (wiki: number): readonly string[] =>
  [described, more]
    .flatMap((calls) => shareOf(calls, wiki, labVersions.length))
    .map((call) => encodeURI(call))

/** What two live answers never share. */
const withoutVolatile = (text: string): string =>
  text
    .replace(/<debuginfo.*<\/debuginfo>/s, '')
    .replace(/mw\.config\.set\(\{\\?"debugInfo\\?":.*?\}\);/gs, '')
    .replace(/"debugInfo":\{\}|mw\.config\.set\(\{\}\);/g, '')
    .replace(
      /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ|\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/g,
      'TIME'
    )
    .replace(/\\?"wg(?:RequestId|BackendResponseTime)\\?":(?:\\?"[^"]*"|\d+)/g, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/"curtimestamp":"[^"]*"|"time":"[^"]*"/g, '')

const typeOf = ({ headers }: HttpReply): string =>
  (headers['content-type'] ?? '').toLowerCase()

/** The JSON that a debugging page shows; undefined where it is none. */
function shownBy(reply: HttpReply): unknown {
  if (!typeOf(reply).startsWith('text/html')) return undefined
  const shown = /<pre class="api-pretty-content">([\s\S]*?)<\/pre>/.exec(reply.text)?.[1]
  if (shown === undefined) return undefined
  const marks = { lt: '<', gt: '>', quot: '"', amp: '&', '#039': "'" } as const
  const json = shown.replace(
    /&(lt|gt|quot|amp|#039);/g,
    (_, name: keyof typeof marks) => marks[name]
  )
  const { debuginfo: _, ...rest } = JSON.parse(json)
  return rest
}

/** Status, type and error; then what is shown, or else the text. */
function told(reply: HttpReply): string {
  const shown = shownBy(reply)
  const text = shown === undefined ? withoutDebuginfo(reply.text) : JSON.stringify(shown)
  return `${reply.status} ${typeOf(reply)} ${reply.headers['mediawiki-api-error'] ?? ''} ${withoutVolatile(text)}`
}

/** Where two texts part, with what stands around it. */
function parting(one: string, other: string): string {
  const at = [...one].findIndex((_, place) => one[place] !== other[place])
  return [one, other]
    .map((text) => text.slice(Math.max(0, at - 60), at + 120))
    .join(' <> ')
}

it.each(labVersions)('%s', async (version) => {
  const answering = await wikiAnswering(labUrl(version))
  expect(
    answering,
    `MediaWiki ${version} must run: npm run wiki -- up ${version}`
  ).toBeDefined()
  const calls = callsOf(labVersions.indexOf(version))
  const recording = await startProxy(labUrl(version))
  const direct: string[] = []
  const recorded: HttpReply[] = []
  for (const call of calls) {
    direct.push(told(await ask(`${labUrl(version)}?${call}`)))
    recorded.push(await ask(`${recording.api}?${call}`))
  }
  await recording.close()
  const replay = await startProxy(undefined, { cassette: recording.cassette })
  const [passed, wrong]: [string[], string[]] = [[], []]
  for (const [at, call] of calls.entries()) {
    const [wiki = '', record, replayed] = [
      direct[at],
      recorded[at],
      await ask(`${replay.api}?${call}`)
    ]
    if (record === undefined || wiki !== told(record))
      wrong.push(`${call}: ${parting(wiki, record === undefined ? '' : told(record))}`)
    if (record?.headers['x-cassette-status'] === 'passthrough') {
      passed.push(call)
      if (replayed.headers['x-cassette-status'] !== 'miss')
        wrong.push(`${call}: not recorded, and yet replayed`)
    } else if (record?.text !== replayed.text)
      wrong.push(`${call}: ${parting(record?.text ?? '', replayed.text)}`)
  }
  process.stdout.write(
    `MediaWiki ${answering}: ${calls.length} calls without a format, ${wrong.length} other than the wiki says; not recorded: ${passed.join(' ')}\n`
  )
  expect(wrong).toEqual([])
  // Errors: in which form they are told only the wiki knows, and of a page that shows `debuginfo` nothing is kept.
  expect(passed.every((call) => /^action=(?:opensearch|feed)/.test(call))).toBe(true)
})
