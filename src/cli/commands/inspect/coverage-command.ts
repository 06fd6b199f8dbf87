/** `wikitape coverage`: which listings a cassette holds whole, where the gaps are, and which continue rules it proves. */

import { conflictsIn } from '../../../engine/miss/conflicts.ts'
import { captureCommand, refreshCommand } from '../../../engine/miss/explain-miss.ts'
import { Synthesiser } from '../../../engine/replay/synthesiser.ts'
import { jsonArray } from '../../../json/json-tree.ts'
import { writeCompact } from '../../../json/write-json.ts'
import type { Listing } from '../../../paging/joining/listing.ts'
import { coverageOf } from '../../../paging/listing-coverage.ts'
import { coverageJson, coverageText } from '../../../report/coverage-text.ts'
import { CassetteStore } from '../../../store/cassette-store.ts'
import { plural } from '../../../text/plural.ts'
import { writeQuery } from '../../../wiki/parameters/request-params.ts'
import { type Command, UsageError } from '../../args/command.ts'
import { requestsToComplete } from '../../capture/missing-requests.ts'
import { cassetteFlag, existingCassette, jsonFlag } from '../../flags/cassette-flags.ts'
import { readTrust, trustFlag } from '../../flags/server-flags.ts'

export const coverageCommand: Command = {
  name: 'coverage',
  usage: '[DIR] [flags]',
  summary: 'Shows each recorded listing: items, intervals, gaps, and the continue rule that holds.',
  flags: [
    cassetteFlag,
    trustFlag,
    jsonFlag,
    { name: 'require-complete', help: 'exit with 1 where a listing has a gap or a conflict' },
  ],
  examples: [
    'wikitape coverage cassettes/ru-1.43',
    'wikitape coverage cassettes/ru-1.43 --json --require-complete',
  ],
  async run(call) {
    if (call.positionals.length > 1)
      throw new UsageError('too many arguments; usage: wikitape coverage [DIR]')
    const store = CassetteStore.open(existingCassette(call, call.positionals[0]))
    const synthesiser = new Synthesiser(store, readTrust(call))
    const listings = store.folders().flatMap((folder) => synthesiser.listingsIn(folder).all())
    const found = listings.map((one) => [coverageOf(one), captureCommands(one, store)] as const)
    const conflicts = listings.map((one) =>
      conflictsIn(one, store).map(({ file, what }) => `${file} ${what}`),
    )
    const whole = found.filter(([{ complete }]) => complete).length
    if (call.isOn('json'))
      call.stdout(`${writeCompact(jsonArray(found.map((one) => coverageJson(...one))), 'utf8')}\n`)
    else {
      for (const [at, one] of found.entries()) call.stdout(coverageText(...one, conflicts[at] ?? []))
      call.stdout(
        `${whole} of ${plural(found.length, 'listing')} ${found.length === 1 ? 'is' : 'are'} complete\n`,
      )
    }
    return call.isOn('require-complete') && whole < found.length ? 1 : 0
  },
}

/** One for each place where the recording breaks off; none where only its own client could ask. */
const captureCommands = (listing: Listing, store: CassetteStore): readonly string[] =>
  listing.conflicts.length > 0
    ? [refreshCommand(store)]
    : requestsToComplete(listing).map((ask) => captureCommand(writeQuery([...ask]), store, true))
