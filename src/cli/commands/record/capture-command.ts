/** `wikitape capture`: records without a client. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { EngineRegistry } from '../../../engine/registry/engine-registry.ts'
import { countsText } from '../../../engine/run-summary.ts'
import type { ApiUrl } from '../../../http/api-url.ts'
import { escapeControls } from '../../../text/escape-control-characters.ts'
import { plural } from '../../../text/plural.ts'
import { type Command, type Invocation, UsageError } from '../../args/command.ts'
import { addressArg, numberFlag } from '../../args/parse-args.ts'
import { CaptureRun } from '../../capture/capture-run.ts'
import { learnCaptureNoise, maxRepeats } from '../../capture/recapture-side.ts'
import { reportFailures } from '../../capture/request-failures.ts'
import { type RequestLine, readRequests } from '../../capture/requests-file.ts'
import { type Credentials, loggedInClient, readCredentials } from '../../capture/wiki-client.ts'
import { findApi } from '../../connect/find-api.ts'
import { politeUpstreamOptions, WaitStatus, warnIfNoContact } from '../../connect/wiki-upstream.ts'
import {
  cassetteFlag,
  cassetteToRecord,
  chosenMode,
  jsonFlag,
  liveFlags,
  movedFlag,
  refusesWrites,
} from '../../flags/cassette-flags.ts'
import { connectionFlags, ownRequestFlags } from '../../flags/connection-flags.ts'
import { printRedactions } from '../../serve/serve.ts'
import { showProgress } from '../../terminal/progress.ts'

export const captureCommand: Command = {
  name: 'capture',
  usage: '<api-url> --requests FILE [flags]',
  summary: 'Asks a live wiki each request of a file, one query string a line, and records the answers.',
  flags: [
    {
      name: 'requests',
      valueName: 'FILE',
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
      valueName: 'N',
      help: 'then ask all of it N times more, and write what varies by itself to noise.json in the cassette',
    },
    ...liveFlags,
    movedFlag,
    ...connectionFlags,
    ...ownRequestFlags,
    jsonFlag,
  ],
  examples: [
    "echo 'action=query&list=allpages' | wikitape capture https://ru.wikipedia.org/w/api.php --requests - --follow",
    'wikitape capture http://127.0.0.1:8143/w/api.php --requests calls.txt --cassette cassettes/mine',
  ],
  async run(call) {
    const address = addressArg(captureCommand, call)
    const api = await findApi(address, call)
    const credentials = await readCredentials(call)
    const waitStatus = new WaitStatus(call)
    const isOptional = ['complete', 'boundaries', 'describe'].some(call.isOn)
    const requests = isOptional && call.value('requests') === undefined ? [] : await readRequests(call)
    const { mode } = chosenMode(call)
    const repeats = numberFlag(call, 'repeat', 0, maxRepeats)
    const records = mode !== 'none' && mode !== 'passthrough'
    if (repeats > 0 && !records)
      throw new UsageError(`--repeat asks again what was recorded, and mode ${mode} records nothing`)
    if (call.isOn('describe') && !records)
      throw new UsageError(`--describe keeps what the wiki says, and mode ${mode} records nothing`)
    const cassette = cassetteToRecord(call, api)
    const isNew = !existsSync(path.join(cassette, 'cassette.json'))
    const engines = new EngineRegistry({
      cassette,
      mode,
      moved: call.isOn(movedFlag.name),
      live: politeUpstreamOptions(api, call, waitStatus),
      missStatus: 200,
      onMiss: 'synthesize',
      recordErrors: call.isOn('record-errors'),
      keepCookies: call.values('keep-cookie'),
      refuseWrites: refusesWrites(call),
      now: call.now,
      report: (line) => call.stderr(`wikitape: ${escapeControls(line)}\n`),
    })
    warnIfNoContact(api, call)
    const code = await captureAll(engines, requests, { api, credentials, waitStatus, call })
    if (repeats === 0) return code
    if (code === 0) await learnCaptureNoise(cassette, isNew, repeats, { api, credentials, call })
    else call.stderr('wikitape: what varies by itself was not learned, since not everything was recorded\n')
    return code
  },
}

interface CaptureJob {
  readonly api: ApiUrl
  readonly credentials: Credentials
  readonly waitStatus: WaitStatus
  readonly call: Invocation
}

async function captureAll(
  engines: EngineRegistry,
  requests: readonly RequestLine[],
  { api, credentials, waitStatus, call }: CaptureJob,
): Promise<number> {
  const engine = engines.get(undefined, undefined)
  const client = await loggedInClient(engine, api.path, credentials)
  const run = new CaptureRun(engine, client, (line) => call.stderr(`wikitape: ${escapeControls(line)}\n`))
  call
    .stopSignal()
    .then(() => {
      run.isStopped = true
    })
    .catch(() => undefined)
  let done = 0
  const progress = showProgress(
    call,
    () => waitStatus.text || `${done}/${plural(requests.length, 'request')}; ${countsText(engines.counts())}`,
  )
  try {
    for (const { params, follow } of requests) {
      await run.ask(params, follow)
      if (!run.isRunning) break
      done += 1
    }
    if (run.isRunning && call.isOn('describe')) await run.describeAll()
    if (run.isRunning && call.isOn('complete')) await run.closeGaps()
    if (run.isRunning && call.isOn('boundaries')) await run.walkBoundaries()
    if (run.isRunning) await run.keepPageStates()
  } finally {
    progress.stop()
    engines.close(run.isRunning ? undefined : 'the run was stopped')
  }
  const counts = engines.counts()
  const { failures } = run
  const { mode } = engines.get(undefined, undefined)
  const conflicts = mode === 'passthrough' ? [] : run.conflicts()
  for (const one of conflicts) call.stderr(`wikitape: conflict: ${one}\n`)
  reportFailures(failures, run.isRunning ? 0 : Math.max(0, requests.length - done - 1), mode, call)
  if (call.isOn('json'))
    call.stdout(
      `${JSON.stringify({ requests: requests.length, done, ...counts, lacks: failures, conflicts })}\n`,
    )
  else call.stderr(`wikitape: ${done} of ${plural(requests.length, 'request')} done; ${countsText(counts)}\n`)
  printRedactions(engines, call)
  // Whoever captures wants recordings: an answer that was only passed on is a failure here.
  const isIncomplete = mode !== 'passthrough' && failures.length > 0
  return Math.max(engines.exitCode(), isIncomplete ? 3 : run.isReadDenied ? 1 : 0)
}
