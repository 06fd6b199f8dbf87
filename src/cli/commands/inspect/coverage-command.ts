/** `wikitape coverage`: which recorded listings are complete, where the gaps are, which continue rules are proven. */
import { describeRequest } from '../../../recorder/engine/miss/describe-request.ts'
import {
  captureCommandLine,
  captureLine,
  conflictsIn,
  refreshCommandLine
} from '../../../recorder/engine/miss/remedies.ts'
import { Synthesizer } from '../../../recorder/engine/replay/synthesizer.ts'
import { coverageLine, coverageText } from '../../../recorder/paging/coverage-text.ts'
import { coverageOf } from '../../../recorder/paging/listing-coverage.ts'
import { plural } from '../../../recorder/text/words.ts'
import { isRestListing } from '../../../recorder/wiki/effects/rest-routes.ts'
import { writeQuery } from '../../../recorder/wiki/parameters/request-params.ts'
import type { Command } from '../../args/command.ts'
import { requestsToComplete } from '../../capture/capture-run.ts'
import { openCassetteArg } from '../../flags/cassette-flags.ts'
import { readTrust } from '../../flags/server-flags.ts'
import { printLine } from '../../terminal/terminal-output.ts'

export const coverageCommand: Command = {
  name: 'coverage',
  async run(call) {
    const store = openCassetteArg(coverageCommand, call)
    const synthesizer = new Synthesizer(store, readTrust(call))
    const found = synthesizer.listings().map((listing) => ({
      coverage: coverageOf(listing),
      // One for each place where the recording breaks off; none for the listing of a session.
      commands:
        listing.conflicts.length > 0
          ? [refreshCommandLine(store)]
          : requestsToComplete(listing).map((one) =>
              captureCommandLine([captureLine(writeQuery([...one]), true)], store)
            ),
      conflicts: conflictsIn(listing, store).map(({ file, what }) => `${file} ${what}`)
    }))
    const total = found.length
    const complete = found.filter(({ coverage }) => coverage.complete).length
    if (call.isOn('json')) {
      const items = found.map(({ coverage, commands }) => ({ ...coverage, commands }))
      // An unknown value is null.
      printLine(
        call,
        JSON.stringify(items, (_, value: unknown) => value ?? null)
      )
    } else {
      const show = call.isOn('details') ? coverageText : coverageLine
      found.sort((a, b) => Number(a.coverage.complete) - Number(b.coverage.complete))
      for (const { coverage, commands, conflicts } of found)
        call.stdout(show(coverage, commands, conflicts))
      for (const one of store.interactionsIn('plain'))
        if (isRestListing(one.request.get('plain target') ?? ''))
          printLine(call, `as recorded       ${describeRequest(one)}`)
      printLine(
        call,
        `${complete} of ${plural(total, 'listing')} ${total === 1 ? 'is' : 'are'} complete`
      )
    }
    return call.isOn('require-complete') && complete < total ? 1 : 0
  }
}
