/** `wikitape import`: makes cassettes of the recordings of browsers, other proxies and other recorders. */

import { cpSync, existsSync } from 'node:fs'
import { CassetteStore } from '../../../recorder/store/cassette-store.ts'
import { findRecordings } from '../../../transfer/find-recordings.ts'
import {
  type ImportJob,
  type ImportOutcome,
  runImport
} from '../../../transfer/import-job.ts'
import {
  type ImportResult,
  importJson,
  importLines,
  isIncomplete
} from '../../../transfer/import-report.ts'
import {
  type Command,
  expectArgs,
  type Invocation,
  UsageError
} from '../../args/command.ts'
import { politeUpstreamOptions } from '../../connect/wiki-upstream.ts'
import { withTemporaryCassette } from '../../files/temporary-cassette.ts'
import { assertLiveAllowed, readApiUrlArg } from '../../flags/connection-flags.ts'
import { printLine, printNote, showProgress } from '../../terminal/terminal-output.ts'
import { planImports } from './import-plan.ts'

export const importCommand: Command = {
  name: 'import',
  async run(call) {
    const [target = ''] = expectArgs(importCommand, call, 1)
    const openDescriptions = descriptionSource(call)
    const named = call.value('wiki')
    const base = named === undefined ? undefined : readApiUrlArg(named).origin
    let status = ''
    const stopProgress = showProgress(call, () => status)
    try {
      const onFile = (file: string) => {
        status = `reading ${file}`
      }
      const now = call.now()
      const found = await findRecordings(target, { now, base }, onFile)
      if (typeof found === 'string') throw new UsageError(found)
      const { jobs, unplaced } = planImports(found, target, call)
      const total = jobs.flatMap(({ files }) =>
        files.flatMap(({ entries }) => entries)
      ).length
      let done = 0
      const onEntry = () => {
        done += 1
        status = `${done} of ${total} entries`
      }
      const dryRun = call.isOn('dry-run')
      const moved = call.isOn('moved')
      const run = dryRun ? runInCopy : runImport
      const results: ImportOutcome[] = []
      for (const one of jobs) {
        const descriptionSource = openDescriptions()
        results.push(await run({ ...one, moved, descriptionSource, now, onEntry }))
      }
      stopProgress()
      const result: ImportResult = {
        files: results.flatMap((one) => one.files),
        otherSites: found.files.reduce(
          (sum, { readings }) => sum + readings.length,
          -total
        ),
        unreadable: [...found.unreadable, ...unplaced],
        undescribed: results.some((one) => one.undescribed),
        remarks: results.flatMap((one) => one.remarks),
        dryRun
      }
      if (call.isOn('json')) printLine(call, JSON.stringify(importJson(result)))
      else for (const line of importLines(result)) printNote(call, line)
      return Math.max(isIncomplete(result) ? 1 : 0, ...results.map((one) => one.exitCode))
    } finally {
      stopProgress()
    }
  }
}

function descriptionSource(call: Invocation) {
  const url = call.value('describe')
  const dir = call.value('describe-from')
  if (url !== undefined && dir !== undefined)
    throw new UsageError('--describe and --describe-from cannot be combined; name one')
  if (url === undefined)
    return () => (dir === undefined ? undefined : CassetteStore.open(dir))
  assertLiveAllowed(call)
  const api = readApiUrlArg(url)
  return () => politeUpstreamOptions(api, call, { text: '' }).upstream()
}

const runInCopy = (job: ImportJob) =>
  withTemporaryCassette(async (dir) => {
    if (existsSync(job.dir)) cpSync(job.dir, dir, { recursive: true })
    const result = await runImport({ ...job, dir })
    const files = result.files.map((one) => ({ ...one, cassette: job.dir }))
    return { ...result, files }
  })
