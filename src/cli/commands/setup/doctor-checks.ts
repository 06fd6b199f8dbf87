/** Checks of this machine: Node.js, packages that wikitape works with, a port, the cassettes. */
import { existsSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { adviceFor } from '../../../engine/record/advice.ts'
import type { ApiUrl } from '../../../http/api-url.ts'
import { itemsOf, type JsonTree, memberAt, memberOf, textOf } from '../../../json/json-tree.ts'
import { readTree } from '../../../json/read-json.ts'
import { CassetteStore } from '../../../store/cassette-store.ts'
import { commandName, shellQuote } from '../../../store/command-name.ts'
import { cassettesIn } from '../../../store/files/cassette-folder.ts'
import { StoreError } from '../../../store/store-error.ts'
import { plural } from '../../../text/plural.ts'
import { whyUnusable } from '../../../upstream/answers/recordable.ts'
import type { Upstream } from '../../../upstream/upstream.ts'
import { bodyText, type WikiAnswer } from '../../../wiki/answers/wiki-answer.ts'
import { versionIn } from '../../package-version.ts'

export interface DoctorFinding {
  /** What was checked, in a word or two. */
  readonly about: string
  readonly state: 'fine' | 'warning' | 'wrong'
  readonly says: string
  readonly next?: string
}

export const fine = (about: string, says: string): DoctorFinding => ({ about, state: 'fine', says })
const fault =
  (state: 'warning' | 'wrong') =>
  (about: string, says: string, next: string): DoctorFinding => ({ about, state, says, next })
const warning = fault('warning')
export const wrong: ReturnType<typeof fault> = fault('wrong')

/** Packages that wikitape works with: from major version `newer` on they need Node.js `node`. */
const companionPackages = [
  { name: 'nock', newer: 15, node: 22 },
  { name: 'vitest', newer: 5, node: 22 },
]

/** @param dir of the project. @param node the version that runs, such as `v20.19.0` */
export function checkCompanions(dir: string, node: string): readonly DoctorFinding[] {
  return companionPackages.flatMap(({ name, newer, node: needed }) => {
    const version = versionIn(path.join(dir, 'node_modules', name, 'package.json'))
    if (version === undefined) return []
    const isTooNew = Number.parseInt(version, 10) >= newer && Number.parseInt(node.slice(1), 10) < needed
    const fault = `${version} needs Node.js ${needed}, and this is ${node}`
    return [
      isTooNew ? wrong(name, fault, `npm install --save-dev ${name}@${newer - 1}`) : fine(name, version),
    ]
  })
}

export function checkPort(port: number): Promise<DoctorFinding> {
  return new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      const fault = code === 'EADDRINUSE' ? 'port already in use' : `cannot be used: ${code}`
      resolve(warning(`port ${port}`, fault, 'stop it, or serve with --port N (0 takes any free one)'))
    })
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(fine(`port ${port}`, 'free'))))
  })
}

/** Opens each cassette of a folder; `wikitape check` reads its files. */
export function checkCassettes(dir: string): readonly DoctorFinding[] {
  if (!existsSync(dir)) return [fine('cassettes', `none under ${dir}/ yet`)]
  return cassettesIn(dir).map(checkCassette)
}

function checkCassette(dir: string): DoctorFinding {
  try {
    const { size, manifest } = CassetteStore.open(dir)
    return fine(dir, `${plural(size, 'interaction')} of ${manifest.upstream}`)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    const next = `${commandName} check ${shellQuote(dir)} names every file that is damaged`
    return wrong(dir, error.message, next)
  }
}

/** @throws UpstreamError if nobody answers */
export async function checkWiki(api: ApiUrl, upstream: Upstream): Promise<readonly DoctorFinding[]> {
  const request = { method: 'GET', headers: {}, body: new Uint8Array(), isRepeatable: true } as const
  const ask = (query: string): Promise<WikiAnswer> =>
    upstream.ask({ ...request, target: `${api.path}?${query}&format=json` })
  const siteinfo = 'action=query&meta=siteinfo&siprop=general'
  const site = await ask(siteinfo)
  const refused = refusalFinding(site)
  if (refused !== undefined) return [refused]
  const described = await ask('action=paraminfo&modules=query')
  const why = whyUnusable(await ask(`${siteinfo}&maxlag=5`))
  return [
    softwareFinding(readTree(bodyText(site))),
    ...descriptionFindings(readTree(bodyText(described))),
    why === undefined
      ? fine('load', 'no rate limit reached, no replication lag')
      : warning('load', `the wiki is busy: ${why}`, 'capture and refresh wait and retry; or come back later'),
  ]
}

function refusalFinding(answer: WikiAnswer): DoctorFinding | undefined {
  const advice = adviceFor(answer, true, {})
  if (advice !== undefined) return wrong('who asks', 'the wiki refuses to answer', advice)
  const why = whyUnusable(answer)
  if (why === undefined) return undefined
  const waits = answer.headers.get('retry-after')
  return waits === undefined
    ? wrong('the API', why, 'name the address of api.php as Special:Version of the wiki tells it')
    : wrong('rate limit', why, `wait ${waits} s; a contact (--contact) or a login raises the limit`)
}

function softwareFinding(tree: JsonTree | undefined): DoctorFinding {
  const generator = textOf(memberAt(tree, 'query', 'general', 'generator'))
  if (generator !== undefined) return fine('the API', `${generator} answers, and accepts our User-Agent`)
  const next = 'look at the answer to action=query&meta=siteinfo'
  return warning('the API', 'answers, but does not say what it is', next)
}

function descriptionFindings(tree: JsonTree | undefined): readonly DoctorFinding[] {
  const modules = memberAt(tree, 'paraminfo', 'modules')
  const next = 'wikitape’s own descriptions are used; what they do not know stays part of the key'
  const hasDebuginfo = memberOf(tree, 'debuginfo') !== undefined
  return [
    itemsOf(modules).length > 0
      ? fine('paraminfo', 'the wiki describes its own modules')
      : warning('paraminfo', 'the wiki does not describe its modules', next),
    fine('debuginfo', hasDebuginfo ? 'on; it is stripped from everything that is recorded' : 'off'),
  ]
}
