/** `wikitape doctor`: checks this machine, the cassettes and a wiki. */

import net from 'node:net'
import type { ApiUrl } from '../../../recorder/http/api-url.ts'
import { hasMember, itemsAt, textAt } from '../../../recorder/json/json-tree.ts'
import { readTree } from '../../../recorder/json/read-json.ts'
import { CassetteStore } from '../../../recorder/store/cassette-store.ts'
import { commandName, shellQuote } from '../../../recorder/store/command-name.ts'
import { cassettesIn } from '../../../recorder/store/files/paths-inside.ts'
import { StoreError } from '../../../recorder/store/store-error.ts'
import { plural } from '../../../recorder/text/words.ts'
import { adviceFor, whyUnusable } from '../../../recorder/upstream/answers/recordable.ts'
import { type Upstream, UpstreamError } from '../../../recorder/upstream/upstream.ts'
import { bodyText, type WikiAnswer } from '../../../recorder/wiki/answers/wiki-answer.ts'
import {
  type Command,
  expectArgs,
  type Invocation,
  numberFlag
} from '../../args/command.ts'
import { findApi } from '../../connect/find-api.ts'
import { getRequest, wikitapeUpstream } from '../../connect/wiki-upstream.ts'
import { cassettesFolder } from '../../flags/cassette-flags.ts'
import { looksLikeAddress } from '../../flags/connection-flags.ts'
import { printJson, printLine } from '../../terminal/terminal-output.ts'

export const doctorCommand: Command = {
  name: 'doctor',
  maxArgsBeforeChild: 1,
  isOwnArg: looksLikeAddress,
  async run(call) {
    const [address] = expectArgs(doctorCommand, call, 1, 0)
    const dirs = cassettesIn(cassettesFolder)
    const findings = [
      // An older one than wikitape needs does not come here: start.cts stops it.
      fine('Node.js', process.version),
      await checkPort(numberFlag(call, 'port', 4050, 65_535)),
      ...(dirs.length > 0
        ? dirs.map(checkCassette)
        : [fine('cassettes', `none under ${cassettesFolder}/ yet`)]),
      ...(address === undefined ? [] : await checkWikiAt(address, call)),
      ...(call.childCommand.length === 0 ? [] : await checkCommand(call))
    ]
    if (call.isOn('json')) printJson(call, findings)
    else
      for (const { about, state, says, next } of findings) {
        const label = { fine: 'ok', warning: '!!', wrong: 'NO' }[state]
        printLine(call, `${label}  ${about}: ${says}`)
        if (next !== undefined) printLine(call, `    → ${next}`)
      }
    return findings.some((one) => one.state === 'wrong') ? 1 : 0
  }
}

/** A wiki that cannot be reached is a finding as well. @throws UsageError */
async function checkWikiAt(address: string, call: Invocation) {
  let upstream: Upstream | undefined
  try {
    const api = await findApi(address, call)
    upstream = wikitapeUpstream(api, call)
    return await checkWiki(api, upstream)
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return [
      wrong(
        'the wiki',
        error.message,
        'docs/real-wikis.md: proxies, certificates, addresses'
      )
    ]
  } finally {
    upstream?.close()
  }
}

/** Whether its requests reach wikitape. @throws UsageError */
async function checkCommand(call: Invocation) {
  const { checkReach } = await import('./check-reach.ts')
  const { passed, refused, faults, exitCode } = await checkReach(call)
  const [name = ''] = call.childCommand
  const none = call.isOn('sealed')
    ? `it asks nothing of ports 80 and 443, or does not trust the certificate: ${runtimes}`
    : `try doctor --sealed, for programs that ignore proxy settings; or set what its runtime reads: ${runtimes}; or have it read WIKITAPE_API_URL`
  return [
    ...(passed === '' ? [] : [fine(name, `requests reached wikitape: ${passed}`)]),
    ...(passed + refused + faults.join('') === ''
      ? [wrong(name, 'no request reached wikitape', none)]
      : []),
    ...(refused === ''
      ? []
      : [warning(name, `refused, nothing was sent: ${refused}`, safety)]),
    ...faults.map((fault) => wrong(name, fault, messages)),
    ...(exitCode === 0
      ? []
      : [warning(name, `ended with exit code ${exitCode}`, 'see what it printed')])
  ]
}

const runtimes = 'docs/any-program.md#runtimes'
const messages = 'docs/troubleshooting.md says what the messages mean'
const safety = 'SECURITY.md says which addresses no program is led to'

interface DoctorFinding {
  /** What was checked, in a word or two. */
  readonly about: string
  readonly state: 'fine' | 'warning' | 'wrong'
  readonly says: string
  /** What to do; undefined if all is fine. */
  readonly next: string | undefined
}

const finding =
  (state: DoctorFinding['state']) => (about: string, says: string, next?: string) => ({
    about,
    state,
    says,
    next
  })
const fine = finding('fine')
const warning = finding('warning')
const wrong = finding('wrong')

function checkPort(port: number): Promise<DoctorFinding> {
  return new Promise((resolve) => {
    const server = net.createServer()
    const about = `port ${port}`
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      const fault =
        code === 'EADDRINUSE' ? 'port already in use' : `cannot be used: ${code}`
      resolve(
        warning(about, fault, 'stop it, or serve with --port N (0 takes any free one)')
      )
    })
    server.listen(port, '127.0.0.1', () =>
      server.close(() => resolve(fine(about, 'free')))
    )
  })
}

/** Opens it; `wikitape check` reads its files. */
function checkCassette(dir: string) {
  try {
    const { size, manifest } = CassetteStore.open(dir)
    return fine(dir, `${plural(size, 'interaction')} of ${manifest.upstream}`)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return wrong(
      dir,
      error.message,
      `${commandName} check ${shellQuote(dir)} names every file that is damaged`
    )
  }
}

/** @throws UpstreamError if nobody answers */
async function checkWiki(api: ApiUrl, upstream: Upstream) {
  const ask = (query: string) => {
    const request = getRequest(`${api.path}?${query}&format=json`)
    return upstream.ask({ ...request, isRepeatable: true })
  }
  const siteinfo = 'action=query&meta=siteinfo&siprop=general'
  const site = await ask(siteinfo)
  const refused = refusalFinding(site)
  if (refused) return [refused]
  const generator = textAt(readTree(bodyText(site)), 'query', 'general', 'generator')
  const described = readTree(bodyText(await ask('action=paraminfo&modules=query')))
  const why = whyUnusable(await ask(`${siteinfo}&maxlag=5`))
  const lookAt = 'look at the answer to action=query&meta=siteinfo'
  const ownDescriptions =
    'wikitape’s own descriptions are used; what they do not know stays part of the key'
  const hasDebuginfo = hasMember(described, 'debuginfo')
  return [
    generator === undefined
      ? warning('the API', 'answers, but does not say what it is', lookAt)
      : fine('the API', `${generator} answers, and accepts our User-Agent`),
    itemsAt(described, 'paraminfo', 'modules').length > 0
      ? fine('paraminfo', 'the wiki describes its own modules')
      : warning('paraminfo', 'the wiki does not describe its modules', ownDescriptions),
    fine(
      'debuginfo',
      hasDebuginfo ? 'on; it is stripped from everything that is recorded' : 'off'
    ),
    why === undefined
      ? fine('load', 'no rate limit reached, no replication lag')
      : warning(
          'load',
          `the wiki is busy: ${why}`,
          'capture and refresh wait and retry; or come back later'
        )
  ]
}

function refusalFinding(answer: WikiAnswer) {
  const advice = adviceFor(answer, true, undefined)
  if (advice !== undefined) return wrong('who asks', 'the wiki refuses to answer', advice)
  const why = whyUnusable(answer)
  if (why === undefined) return undefined
  const waits = answer.headers.get('retry-after')
  if (waits === undefined)
    return wrong(
      'the API',
      why,
      'name the address of api.php as Special:Version of the wiki tells it'
    )
  return wrong(
    'rate limit',
    why,
    `wait ${waits} s; a contact (--contact) or a login raises the limit`
  )
}
