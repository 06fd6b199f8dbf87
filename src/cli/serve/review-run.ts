/** A review of a cassette, with the log of a run: read from a file, or written by this process. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { EngineRegistry } from '../../engine/registry/engine-registry.ts'
import { wikiFactsOf } from '../../engine/wiki-facts.ts'
import { reviewReport } from '../../report/formats/review-report.ts'
import { type Review, reviewTraffic } from '../../review/review.ts'
import { type RunLogRequest, readExchange, readLogLine } from '../../review/traffic.ts'
import { CassetteStore } from '../../store/cassette-store.ts'
import { groupBy } from '../../text/group-by.ts'
import { type Invocation, orUsageError, UsageError } from '../args/command.ts'
import { packageVersion } from '../package-version.ts'
import { logLine } from './log-requests.ts'

export function reviewCassette(store: CassetteStore, log: readonly RunLogRequest[] | undefined): Review {
  const { lookup } = wikiFactsOf(store)
  const interactions = store.folders().flatMap((folder) => [...store.interactionsIn(folder)])
  return reviewTraffic(
    interactions.flatMap((one) => readExchange(one, lookup, store.pathFor(one)) ?? []),
    log,
  )
}

/** The requests for a cassette in a file of `--log`. @throws UsageError */
export function readLog(file: string, cassette: string): readonly RunLogRequest[] {
  const text = orUsageError(`cannot read ${file}`, () => readFileSync(file, 'utf8'))
  const lines = text.split('\n').flatMap((line, index) => {
    const found = readLogLine(line)
    const fault = `${file}:${index + 1} is not of a log that record or replay writes with --log FILE`
    if (found === undefined && line !== '') throw new UsageError(fault)
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
  const end = feed.subscribe(({ entry }) => void lines.push(...[readLogLine(logLine(entry)) ?? []].flat()))
  return () => {
    end()
    for (const [dir, log] of groupBy(lines, ({ cassette }) => cassette))
      call.stderr(reviewReport(reviewCassette(CassetteStore.open(dir), log), 'text', dir, packageVersion()))
  }
}
