/** No text of a wiki or a client begins a line of the output: CI obeys lines that begin with `::error::`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { CassetteStore } from '../../../src/recorder/store/cassette-store.ts'
import { temporaryFolder } from '../../helpers/folders.ts'
import { run } from '../../helpers/program.ts'
import { interactionOf, jsonBody, response } from '../../helpers/recorded.ts'

const forged =
  'A\nforged\n::error::forged\r\n##[error]forged\n::set-output name=x::forged'

/** A cassette in which every text of a wiki and a client has such lines. */
function makeCassette(folder: string, version: string): string {
  const dir = path.join(folder, `tape-${version}`)
  const store = CassetteStore.openOrCreate(dir, 'http://wiki.test/w/api.php')
  store.setManifest({
    ...store.manifest,
    site: {
      generator: `MediaWiki ${version}\n::error::forged`,
      lang: 'en',
      namespaces: []
    },
    engine: `mediawiki\n::error::forged`
  })
  const rows = (from: string, to: string): string =>
    JSON.stringify({
      batchcomplete: '',
      continue: { apcontinue: `${to}${forged}`, continue: '-||' },
      query: {
        allpages: [from, to].map((one, at) => ({
          pageid: at,
          ns: 0,
          title: one + forged
        }))
      },
      warnings: { allpages: { '*': forged } },
      error: { code: forged, info: forged }
    })
  const asked = { action: 'query', list: 'allpages', format: 'json', aplimit: '2' }
  store.put(interactionOf(asked, [response(jsonBody(rows('A', version)))]))
  store.put(
    interactionOf({ ...asked, apfrom: `Z${forged}` }, [
      response(jsonBody(rows('Z', 'Z')))
    ])
  )
  store.put(
    interactionOf({ action: `x${forged}`, [forged]: forged, page: forged }, [
      response(
        jsonBody(
          JSON.stringify({
            [forged]: forged,
            token: `f3a9c0de11b24cd5e6f708192a3b4c5d6920f1ab+\\`
          })
        ),
        {
          status: 500,
          headers: new Map([['x-a', forged]])
        }
      )
    ])
  )
  mkdirSync(path.join(dir, 'query'), { recursive: true })
  writeFileSync(
    path.join(dir, 'query', 'x\n::error::forged.0123456789ab.json'),
    '{"request": '
  )
  return dir
}

interface Made {
  readonly folder: string
  readonly first: string
  readonly second: string
  readonly log: string
}

function make(): Made {
  const folder = temporaryFolder()
  const log = path.join(folder, 'access.log')
  writeFileSync(
    log,
    '1.2.3.4 - - [x] "GET /w/api.php?action=query%0A::error::forged HTTP/1.1" 200 1\n'
  )
  return {
    folder,
    first: makeCassette(folder, '1.39.0'),
    second: makeCassette(folder, '1.43.0'),
    log
  }
}

const commands: readonly (readonly [string, (made: Made) => readonly string[]])[] = [
  ['ls', (made) => ['ls', made.first]],
  [
    'show',
    (made) => [
      'show',
      `action=query&list=allpages&aplimit=2&apfrom=${encodeURIComponent(`Z${forged}`)}`,
      '--cassette',
      made.first
    ]
  ],
  [
    'explain',
    (made) => [
      'explain',
      `action=query&list=allpages&apfrom=${encodeURIComponent(forged)}`,
      '--cassette',
      made.first
    ]
  ],
  ['coverage', (made) => ['coverage', made.first]],
  ['review', (made) => ['review', made.first]],
  ['diff', (made) => ['diff', made.first, made.second]],
  [
    'diff in Markdown',
    (made) => ['diff', made.first, made.second, '--format', 'markdown']
  ],
  ['check', (made) => ['check', made.first]],
  ['prune', (made) => ['prune', made.first]],
  ['normalize', (made) => ['normalize', made.first]],
  ['doctor', (made) => ['doctor', made.first]],
  ['rehearse', (made) => ['rehearse', made.first, made.second, '--log', made.log]],
  ['import', (made) => ['import', made.log, '--cassette', path.join(made.folder, 'new')]],
  ['push', (made) => ['push', made.first, path.join(made.folder, 'pushed')]]
]

describe('no line of the output is forged by', () => {
  it.each(commands)('%s', async (_, args) => {
    const made = make()
    const { stdout, stderr } = await run(args(made), { cwd: made.folder })
    const lines = `${stdout}\n${stderr}`.split(/[\n\r\u0085\u2028\u2029]/)
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.filter((line) => /^\s*::|##\[/.test(line))).toEqual([])
    expect(lines.filter((line) => /^forged/.test(line))).toEqual([])
  })
})
