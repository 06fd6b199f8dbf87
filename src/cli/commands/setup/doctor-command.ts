/** `wikitape doctor`: checks this machine, the cassettes and a wiki. */
import { escapeControls } from '../../../text/escape-control-characters.ts'
import { UpstreamError } from '../../../upstream/upstream.ts'
import { type Command, expectArgs, type Invocation, numberFlag } from '../../args/command.ts'
import { findApi } from '../../connect/find-api.ts'
import { wikitapeUpstream } from '../../connect/wiki-upstream.ts'
import { cassettesFolder, jsonFlag } from '../../flags/cassette-flags.ts'
import { connectionFlags } from '../../flags/connection-flags.ts'
import { printJson } from '../../terminal/terminal-output.ts'
import {
  checkCassettes,
  checkCompanions,
  checkPort,
  checkWiki,
  type DoctorFinding,
  fine,
  wrong,
} from './doctor-checks.ts'

export const doctorCommand: Command = {
  name: 'doctor',
  usage: '[api-url] [flags]',
  summary:
    'Checks Node.js, packages, the port and cassettes. With an api-url, also checks whether the wiki answers, accepts the User-Agent and describes its modules. Exit code 1: something is wrong.',
  flags: {
    'port N': 'the port that should be free (default 4050)',
    ...connectionFlags,
    'timeout SECONDS': 'fail if the wiki sends no data for this long (default 60)',
    ...jsonFlag,
  },
  examples: [
    'wikitape doctor',
    'wikitape doctor https://ru.wikipedia.org/w/api.php --contact you@example.org',
  ],
  async run(call) {
    const [address] = expectArgs(doctorCommand, call, 1, 0)
    const findings = [
      // An older one than wikitape needs does not come here: start.cts stops it.
      fine('Node.js', process.version),
      ...checkCompanions(process.cwd(), process.version),
      await checkPort(numberFlag(call, 'port', 4050, 65_535)),
      ...checkCassettes(cassettesFolder),
      ...(address === undefined ? [] : await checkWikiAt(address, call)),
    ]
    if (call.isOn('json')) printJson(call, findings)
    else for (const finding of findings) call.stdout(findingText(finding))
    return findings.some((one) => one.state === 'wrong') ? 1 : 0
  },
}

/** A wiki that cannot be reached is a finding as well. @throws UsageError */
async function checkWikiAt(address: string, call: Invocation): Promise<readonly DoctorFinding[]> {
  try {
    const api = await findApi(address, call)
    const upstream = wikitapeUpstream(api, call)
    try {
      return await checkWiki(api, upstream)
    } finally {
      upstream.close()
    }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return [wrong('the wiki', error.message, 'docs/real-wikis.md: proxies, certificates, addresses')]
  }
}

function findingText({ about, state, says, next }: DoctorFinding): string {
  const label = { fine: 'ok', warning: '!!', wrong: 'NO' }[state]
  const text = `${label}  ${about}: ${escapeControls(says)}\n`
  return next === undefined ? text : `${text}    → ${escapeControls(next)}\n`
}
