/** `wikitape review`: whether the client that a cassette was recorded from uses the API as the manual says; `record --review`. */
import path from 'node:path'
import {
  reviewFormats,
  reviewWriters
} from '../../../drift/report/formats/review-report.ts'
import { wikiFactsOf } from '../../../recorder/engine/call.ts'
import type { EngineRegistry } from '../../../recorder/engine/registry/engine-registry.ts'
import { CassetteStore } from '../../../recorder/store/cassette-store.ts'
import { requireText } from '../../../recorder/store/files/whole-files.ts'
import { groupBy } from '../../../recorder/text/group-by.ts'
import { reviewTraffic } from '../../../review/review.ts'
import { reviewSeverities } from '../../../review/rules.ts'
import { type RunLogRequest, readExchange, readLogLine } from '../../../review/traffic.ts'
import {
  type Command,
  choiceFlag,
  type Invocation,
  orUsageError,
  UsageError
} from '../../args/command.ts'
import { writeText } from '../../files/text-files.ts'
import { openCassetteArg } from '../../flags/cassette-flags.ts'
import { packageVersion } from '../../package-version.ts'
import { logLine } from '../../serve/log-requests.ts'
import { writeUnescaped } from '../../terminal/terminal-output.ts'

const failOnValues = [...reviewSeverities, 'none'] as const

export const reviewCommand: Command = {
  name: 'review',
  async run(call) {
    const failOn = choiceFlag(call, 'fail-on', failOnValues) ?? 'error'
    const format = call.isOn('json')
      ? 'json'
      : (choiceFlag(call, 'format', reviewFormats) ?? 'text')
    const file = call.value('output')
    const log = call.value('log')
    const store = openCassetteArg(reviewCommand, call)
    const requests = log === undefined ? undefined : readLog(log, store.dir)
    const review = reviewCassette(store, requests)
    const text = reviewWriters[format](review, store.dir, packageVersion())
    if (file === undefined) writeUnescaped(call, text)
    else writeText(file, text)
    const lowest = failOn === 'none' ? -1 : failOnValues.indexOf(failOn)
    const ranks = review.findings.map(({ severity }) => failOnValues.indexOf(severity))
    return ranks.some((rank) => rank <= lowest) ? 1 : 0
  }
}

function reviewCassette(store: CassetteStore, log: readonly RunLogRequest[] | undefined) {
  const { lookup } = wikiFactsOf(store)
  const interactions = store
    .folders()
    .flatMap((folder) => [...store.interactionsIn(folder)])
  return reviewTraffic(
    interactions.flatMap((one) => readExchange(one, lookup, store.pathFor(one)) ?? []),
    log
  )
}

/** The requests for a cassette in a file of `--log`. @throws UsageError */
function readLog(file: string, cassette: string) {
  const text = orUsageError(`cannot read ${file}`, () => requireText(file))
  const lines = text.split('\n').flatMap((line, index) => {
    const found = readLogLine(line)
    if (!found && line !== '')
      throw new UsageError(
        `${file}:${index + 1} is not of a log that record or replay writes with --log FILE`
      )
    return found ?? []
  })
  const own = lines.filter((one) => path.resolve(one.cassette) === path.resolve(cassette))
  if (own.length > 0) return own
  const others = [...new Set(lines.map((one) => one.cassette))].join(', ')
  const rest = others === '' ? ', and no other' : `, but for: ${others}`
  throw new UsageError(`${file} has no request for ${cassette}${rest}`)
}

/** Collects the log of a run. @returns prints on stderr the review of each cassette that it used */
export function collectForReview({ feed }: EngineRegistry, call: Invocation): () => void {
  const lines: RunLogRequest[] = []
  const end = feed.subscribe(({ entry }) => {
    const line = readLogLine(logLine(entry))
    if (line) lines.push(line)
  })
  return () => {
    end()
    for (const [dir, log] of groupBy(lines, ({ cassette }) => cassette)) {
      const review = reviewCassette(CassetteStore.open(dir), log)
      call.stderr(reviewWriters.text(review, dir, packageVersion()))
    }
  }
}
