/** `wikitape capture`: records without a client. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { loadSide } from '../../../drift/inputs/load-side.ts'
import { mergeNoiseProfiles } from '../../../drift/noise/noise-profile.ts'
import { EngineRegistry } from '../../../recorder/engine/registry/engine-registry.ts'
import { countsText } from '../../../recorder/engine/run-summary.ts'
import { plural } from '../../../recorder/text/words.ts'
import { readLogs, saveTraffic } from '../../access-log/read-logs.ts'
import {
  type Command,
  type Invocation,
  numberFlag,
  UsageError
} from '../../args/command.ts'
import { CaptureRun } from '../../capture/capture-run.ts'
import type { RecaptureJob } from '../../capture/recapture.ts'
import { planRecapture } from '../../capture/recapture-plan.ts'
import { maxRepeats, measureNoise, recaptureSide } from '../../capture/recapture-side.ts'
import {
  type RequestLine,
  readRequests,
  reportFailures
} from '../../capture/request-run.ts'
import {
  identityOf,
  loggedInClient,
  readCredentials,
  type WikiClient
} from '../../capture/wiki-client.ts'
import { findApi } from '../../connect/find-api.ts'
import {
  politeUpstreamOptions,
  readRetryPolicy,
  warnIfNoContact
} from '../../connect/wiki-upstream.ts'
import { readNoise, saveNoise } from '../../files/drift-files.ts'
import { openToRecord } from '../../flags/cassette-flags.ts'
import { addressArg, chosenMode, recordingOptions } from '../../flags/connection-flags.ts'
import { printRedactions } from '../../serve/run-record.ts'
import {
  eventPrinter,
  printLine,
  printNote,
  showProgress
} from '../../terminal/terminal-output.ts'

export const captureCommand: Command = {
  name: 'capture',
  async run(call) {
    const api = await findApi(addressArg(captureCommand, call), call)
    const credentials = await readCredentials(call)
    const waitStatus = { text: '' }
    const isOptional = ['complete', 'boundaries', 'describe'].some(call.isOn)
    const log = call.values('log').length > 0 ? await readLogs(api.path, call) : undefined
    const hasRequests = call.value('requests') !== undefined
    if (log && hasRequests) throw new UsageError('--requests and --log: give one of them')
    const requests =
      log?.requests ?? (isOptional && !hasRequests ? [] : await readRequests(call))
    const repeats = numberFlag(call, 'repeat', 0, maxRepeats)
    const { mode } = chosenMode(call)
    if (
      (mode === 'none' || mode === 'passthrough') &&
      (repeats > 0 || call.isOn('describe'))
    )
      throw new UsageError(
        `--repeat and --describe need recordings, and mode ${mode} records nothing`
      )
    const { cassette, ...opened } = await openToRecord(api, call)
    if (opened.open && (log || repeats > 0))
      throw new UsageError(
        `--log and --repeat write files beside the recordings, and ${cassette} is no folder: capture into a folder, and push it`
      )
    const isNew = !existsSync(path.join(cassette, 'cassette.json'))
    const engines = new EngineRegistry({
      cassette,
      mode,
      ...opened,
      moved: call.isOn('moved'),
      live: politeUpstreamOptions(api, call, waitStatus),
      ...recordingOptions(call),
      now: call.now,
      onEvent: eventPrinter(call)
    })
    warnIfNoContact(api, call)
    const client = await loggedInClient(engines.first, api.path, credentials)
    const code = await captureAll(engines, client, requests, waitStatus, call)
    if (log && mode !== 'passthrough')
      saveTraffic(
        engines.first.store,
        log,
        identityOf(credentials, engines.first.store.manifest)
      )
    if (repeats === 0) return code
    if (code === 0)
      await learnCaptureNoise(cassette, isNew, repeats, { api, credentials, call })
    else printNote(call, 'noise.json was not written, since not everything was recorded')
    return code
  }
}

/** @returns the exit code */
async function captureAll(
  engines: EngineRegistry,
  client: WikiClient,
  requests: readonly RequestLine[],
  waitStatus: { readonly text: string },
  call: Invocation
) {
  const { mode } = chosenMode(call)
  const run = new CaptureRun(engines.first, client, call)
  let done = 0
  let conflicts: readonly string[] = []
  const started = call.now()
  const progress = () => {
    const minutes = Math.ceil(
      (((requests.length - done) / done) * (call.now() - started)) / 60_000
    )
    const left = minutes > 1 && done > 0 ? `, ${minutes} minutes left` : ''
    return `${done}/${plural(requests.length, 'request')}${left}; ${countsText(engines.counts())}`
  }
  const stopProgress = showProgress(call, () => waitStatus.text || progress())
  try {
    // A file may have requests that build on earlier ones; a log has no order that matters.
    const parallel = call.values('log').length > 0 ? readRetryPolicy(call).concurrency : 1
    await run.sendEach(requests, parallel, async ({ params, follow }) => {
      await run.send({ params, follow: follow ?? call.isOn('follow') })
      if (run.isRunning) done += 1
    })
    if (run.isRunning && call.isOn('describe')) await run.describeAll()
    if (run.isRunning && call.isOn('complete')) await run.closeGaps()
    if (run.isRunning && call.isOn('boundaries')) await run.walkBoundaries()
    if (run.isRunning) await run.recordPageStates()
  } finally {
    stopProgress()
    conflicts = mode === 'passthrough' ? [] : await run.conflicts()
    await engines.end(run.isRunning ? undefined : 'the run was stopped')
  }
  const counts = engines.counts()
  const { failures } = run
  const { length } = requests
  for (const one of conflicts) printNote(call, `conflict: ${one}`)
  reportFailures(failures, run.isRunning ? 0 : Math.max(0, length - done - 1), mode, call)
  if (call.isOn('json'))
    printLine(
      call,
      JSON.stringify({ requests: length, done, ...counts, lacks: failures, conflicts })
    )
  else
    printNote(call, `${done} of ${plural(length, 'request')} done; ${countsText(counts)}`)
  printRedactions(engines, call)
  // An answer that was only passed on is a failure of capture.
  const isIncomplete = mode !== 'passthrough' && failures.length > 0
  const denied = run.isReadDenied ? 1 : 0
  return Math.max(engines.exitCode(), isIncomplete ? 3 : denied)
}

/**
 * Repeats the requests of a cassette, and adds the fields that vary to its noise profile.
 * @param isNew true if all its answers are of today: older ones differ because the wiki was edited
 * @throws UpstreamError if answers are missing; nothing is then written
 */
async function learnCaptureNoise(
  dir: string,
  isNew: boolean,
  times: number,
  job: RecaptureJob
) {
  const { side, facts } = loadSide(dir)
  const plan = planRecapture(side.interactions, facts, {
    identity: identityOf(job.credentials, side.manifest)
  })
  if (plan.requests.length === 0)
    throw new UsageError(`${dir} has no request that can be sent again`)
  const first = isNew ? side : await recaptureSide(plan, side, job)
  const [fault] = first.faults ?? []
  if (fault !== undefined)
    throw new UsageError(`the fields that vary were not determined: ${fault}`)
  const learned = await measureNoise(first, times, plan, job)
  const known = readNoise(dir)
  // A field that varies seldom stays, although it did not vary this time.
  const noise = known ? mergeNoiseProfiles(undefined, learned, known) : learned
  saveNoise(dir, noise, job.call)
}
