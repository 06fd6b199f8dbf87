/** `wikitape capture`: records without a client. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { Rack } from '../../../engine/registry/engine-registry.ts'
import { countsText } from '../../../engine/run-summary.ts'
import type { ApiUrl } from '../../../http/api-url.ts'
import { visible } from '../../../text/escape-control-characters.ts'
import { plural } from '../../../text/plural.ts'
import { addressArg, type Given, numberFlag, type Shell, UsageError, type Verb } from '../../args/command.ts'
import { CaptureRun } from '../../capture/capture-run.ts'
import { mostRepeats, repeatCapture } from '../../capture/recapture-side.ts'
import { tellLacks } from '../../capture/request-failures.ts'
import { type Asked, readRequests } from '../../capture/requests-file.ts'
import { type Credentials, credentialsOf, introduced } from '../../capture/wiki-client.ts'
import { findApi } from '../../connect/find-api.ts'
import { ownLiveSide, Waiting, warnOfNoContact } from '../../connect/wiki-upstream.ts'
import {
  cassetteFlag,
  chosenMode,
  jsonFlag,
  liveFlags,
  movedFlag,
  recordedCassette,
  refusesWrites,
} from '../../flags/cassette-flags.ts'
import { patienceFlags, reachFlags } from '../../flags/connection-flags.ts'
import { tellRedactions } from '../../serve/serve.ts'
import { showProgress } from '../../terminal/progress.ts'

export const capture: Verb = {
  name: 'capture',
  args: '<api-url> --requests FILE [flags]',
  summary: 'Asks a live wiki each request of a file, one query string a line, and records the answers.',
  flags: [
    {
      name: 'requests',
      value: 'FILE',
      help: 'the file, or - for stdin; # in front skips a line, + walks that one to its end',
    },
    {
      ...cassetteFlag,
      help: 'where to record to (default cassettes/<host>, with the path where it is not /w/)',
    },
    { name: 'follow', help: 'walk every continuation to its end' },
    { name: 'complete', help: 'then close the gaps of every listing in the cassette' },
    {
      name: 'boundaries',
      help: "then walk every listing at limit 1: each continue value is then the wiki's own",
    },
    {
      name: 'describe',
      help: 'then keep what the wiki says of all its modules, not only of those used: diff compares them',
    },
    {
      name: 'repeat',
      value: 'N',
      help: 'then ask all of it N times more, and write what varies by itself to noise.json in the cassette',
    },
    ...liveFlags,
    movedFlag,
    ...reachFlags,
    ...patienceFlags,
    jsonFlag,
  ],
  examples: [
    "echo 'action=query&list=allpages' | wikitape capture https://ru.wikipedia.org/w/api.php --requests - --follow",
    'wikitape capture http://127.0.0.1:8143/w/api.php --requests calls.txt --cassette cassettes/mine',
  ],
  async run(given, shell) {
    const address = addressArg(capture, given, shell)
    const api = await findApi(address, given, shell)
    const who = await credentialsOf(given, shell)
    const waiting = new Waiting(shell)
    const more = ['complete', 'boundaries', 'describe'].some(given.on)
    const requests = more && given.text('requests') === undefined ? [] : await readRequests(given, shell)
    const { mode } = chosenMode(given, shell)
    const repeats = numberFlag(given, 'repeat', 0, mostRepeats)
    const records = mode !== 'none' && mode !== 'passthrough'
    if (repeats > 0 && !records)
      throw new UsageError(`--repeat asks again what was recorded, and mode ${mode} records nothing`)
    if (given.on('describe') && !records)
      throw new UsageError(`--describe keeps what the wiki says, and mode ${mode} records nothing`)
    const cassette = recordedCassette(given, shell, api)
    const isNew = !existsSync(path.join(cassette, 'cassette.json'))
    const rack = new Rack({
      cassette,
      mode,
      moved: given.on(movedFlag.name),
      live: ownLiveSide(api, given, shell, waiting),
      missStatus: 200,
      onMiss: 'synthesize',
      recordErrors: given.on('record-errors'),
      keepCookies: given.texts('keep-cookie'),
      refuseWrites: refusesWrites(given),
      now: shell.now,
      report: (line) => shell.err(`wikitape: ${visible(line)}\n`),
    })
    warnOfNoContact(api, given, shell)
    const code = await captureAll(rack, requests, { api, who, waiting, given, shell })
    if (repeats === 0) return code
    if (code === 0) await repeatCapture(cassette, isNew, repeats, { api, who, given, shell })
    else shell.err('wikitape: what varies by itself was not learned, since not everything was recorded\n')
    return code
  },
}

interface Errand {
  readonly api: ApiUrl
  readonly who: Credentials
  readonly waiting: Waiting
  readonly given: Given
  readonly shell: Shell
}

async function captureAll(
  rack: Rack,
  requests: readonly Asked[],
  { api, who, waiting, given, shell }: Errand,
): Promise<number> {
  const engine = rack.engine(undefined, undefined)
  const asker = await introduced(engine, api.path, who)
  const run = new CaptureRun(engine, asker, (line) => shell.err(`wikitape: ${visible(line)}\n`))
  shell
    .stopped()
    .then(() => {
      run.stopped = true
    })
    .catch(() => undefined)
  let done = 0
  const progress = showProgress(
    shell,
    () => waiting.text || `${done}/${plural(requests.length, 'request')}; ${countsText(rack.counts())}`,
  )
  try {
    for (const { params, follow } of requests) {
      await run.ask(params, follow)
      if (!run.goesOn) break
      done += 1
    }
    if (run.goesOn && given.on('describe')) await run.describeAll()
    if (run.goesOn && given.on('complete')) await run.closeGaps()
    if (run.goesOn && given.on('boundaries')) await run.walkBoundaries()
    if (run.goesOn) await run.keepPageStates()
  } finally {
    progress.stop()
    rack.close(run.goesOn ? undefined : 'the run was stopped')
  }
  const counts = rack.counts()
  const { lacks } = run
  const { mode } = rack.engine(undefined, undefined)
  const conflicts = mode === 'passthrough' ? [] : run.contradictions()
  for (const one of conflicts) shell.err(`wikitape: conflict: ${one}\n`)
  tellLacks(lacks, run.goesOn ? 0 : Math.max(0, requests.length - done - 1), mode, shell)
  if (given.on('json'))
    shell.out(`${JSON.stringify({ requests: requests.length, done, ...counts, lacks, conflicts })}\n`)
  else shell.err(`wikitape: ${done} of ${plural(requests.length, 'request')} done; ${countsText(counts)}\n`)
  tellRedactions(rack, shell)
  // Whoever captures wants recordings: an answer that was only passed on is a failure here.
  const lacking = mode !== 'passthrough' && lacks.length > 0
  return Math.max(rack.exitCode(), lacking ? 3 : run.denied ? 1 : 0)
}
