/** `wikitape rehearse`: an upgrade tried with the requests of access logs: `capture` and `diff` in one run. */

import { hostFolderOf } from '../../../recorder/cassette/interaction-path.ts'
import {
  type Command,
  expectArgs,
  type Invocation,
  UsageError
} from '../../args/command.ts'
import { findApi } from '../../connect/find-api.ts'
import { anonymousUpstream, getRequest } from '../../connect/wiki-upstream.ts'
import { readAcceptances } from '../../files/drift-files.ts'
import { readApiUrlArg } from '../../flags/connection-flags.ts'
import { captureCommand } from '../record/capture-command.ts'
import { withWikiTrouble } from './compare-sides.ts'
import { diffCommand, readDriftOutput } from './diff-command.ts'

export const rehearseCommand: Command = {
  name: 'rehearse',
  async run(call) {
    const [before = '', ...after] = expectArgs(rehearseCommand, call, Infinity, 2)
    if (call.values('log').length === 0)
      throw new UsageError(
        '--log is missing; expected an access log, whose requests are rehearsed'
      )
    const cassette =
      call.value('cassette') ??
      `cassettes/rehearsal-${hostFolderOf(readApiUrlArg(before).host)}`
    const defaults: Readonly<Record<string, string>> = { cassette, format: 'clients' }
    const value = (name: string) => call.value(name) ?? defaults[name]
    // The one result is the report.
    const isOn = (name: string) => name !== 'json' && call.isOn(name)
    // What diff would refuse is refused before OLD is asked for minutes.
    readDriftOutput({ ...call, value })
    readAcceptances(call, 'accept')
    for (const one of after) await withWikiTrouble(assertReachable(one, call))
    const capture = { ...call, positionals: [before], value, isOn }
    const recorded = await captureCommand.run(capture)
    const diff = { ...call, positionals: [cassette, ...after], value }
    return Math.max(recorded, await diffCommand.run(diff))
  }
}

async function assertReachable(address: string, call: Invocation) {
  const { origin, href } = await findApi(address, call)
  const upstream = anonymousUpstream(origin, call)
  const path = href.slice(origin.length)
  await upstream.ask(getRequest(`${path}?action=query&meta=siteinfo&format=json`))
  upstream.close()
}
