/** `wikitape doctor`: what would stop somebody, before it does. */
import { visible } from '../../../text/escape-control-characters.ts'
import { UpstreamError } from '../../../upstream/upstream.ts'
import { type Given, numberFlag, type Shell, UsageError, type Verb } from '../../args/command.ts'
import { findApi } from '../../connect/find-api.ts'
import { following } from '../../connect/wiki-upstream.ts'
import { type Finding, wrong } from '../../doctor/doctor-finding.ts'
import { cassetteFindings, companionFindings, nodeFinding, portFinding } from '../../doctor/machine-checks.ts'
import { wikiFindings } from '../../doctor/wiki-checks.ts'
import { cassettesFolder, jsonFlag } from '../../flags/cassette-flags.ts'
import { reachFlags } from '../../flags/connection-flags.ts'

export const doctor: Verb = {
  name: 'doctor',
  args: '[api-url] [flags]',
  summary:
    'Looks whether everything is ready: Node.js, packages, port and cassettes here; with an api-url also whether the wiki answers, takes our User-Agent, and describes itself. Exit code 1 where something is wrong.',
  flags: [
    { name: 'port', value: 'N', help: 'the port that is to be free (default 4050)' },
    ...reachFlags,
    { name: 'timeout', value: 'SECONDS', help: 'how long the wiki may stay silent (default 60)' },
    jsonFlag,
  ],
  examples: [
    'wikitape doctor',
    'wikitape doctor https://ru.wikipedia.org/w/api.php --contact you@example.org',
  ],
  async run(given, shell) {
    if (given.positionals.length > 1)
      throw new UsageError('too many arguments; usage: wikitape doctor [api-url]')
    const [address] = given.positionals
    const findings = [
      nodeFinding(process.version),
      ...companionFindings(process.cwd(), process.version),
      await portFinding(numberFlag(given, 'port', 4050, 65_535)),
      ...cassetteFindings(cassettesFolder),
      ...(address === undefined ? [] : await ofWiki(address, given, shell)),
    ]
    if (given.on('json')) shell.out(`${JSON.stringify(findings, null, 2)}\n`)
    else for (const finding of findings) shell.out(lines(finding))
    return findings.some((one) => one.state === 'wrong') ? 1 : 0
  },
}

/** That the wiki cannot be reached is a finding too, not the end of the visit. @throws UsageError */
async function ofWiki(address: string, given: Given, shell: Shell): Promise<readonly Finding[]> {
  try {
    const api = await findApi(address, given, shell)
    const upstream = following(api, given, shell)
    try {
      return await wikiFindings(api, upstream)
    } finally {
      upstream.close()
    }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return [wrong('the wiki', error.message, 'docs/real-wikis.md: proxies, certificates, addresses')]
  }
}

const marks = { fine: 'ok', warning: '!!', wrong: 'NO' } as const

function lines({ about, state, says, next }: Finding): string {
  const said = `${marks[state]}  ${about}: ${visible(says)}\n`
  return next === undefined ? said : `${said}    → ${visible(next)}\n`
}
