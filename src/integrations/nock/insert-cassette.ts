/**
 * `wikitape/nock`: a cassette answers for its wiki inside this process, with no port and no other URL. Requests pass through
 * nock, by its public interface only, so that nock 14 and 15 both work: they are answered beneath it. A test's own mocks of
 * the wiki come first with nock 14; nock 15 sees what wikitape leaves.
 */
import '../../supported-node.ts'
import nock from 'nock'
import type { Miss } from '../../recorder/engine/miss/miss-reply.ts'
import { type Counts, countsText } from '../../recorder/engine/run-summary.ts'
import type { TroubleOptions } from '../../recorder/playback/trouble.ts'
import {
  assertOptions,
  assertValue,
  textOption
} from '../../recorder/text/option-checks.ts'
import { checkNockVersion, isNock15 } from '../../recorder/upstream/connection/agent.ts'
import { interceptBeneath } from '../in-process/direct-interceptor.ts'
import { InProcessEngine, type Unused } from '../in-process/in-process-engine.ts'
import { callAll, originOf } from '../in-process/in-process-request.ts'
import {
  type InsertOptions,
  insertOptions,
  requestWatchOf,
  resolveInsertOptions
} from '../in-process/insert-options.ts'
import {
  exemptFromChecks,
  Interceptor,
  isIntercepted
} from '../in-process/interceptors.ts'
import { type CassetteHandle, startTrouble } from '../in-process/overrides.ts'

export type { Miss } from '../../recorder/engine/miss/miss-reply.ts'
export type { Counts } from '../../recorder/engine/run-summary.ts'
export type { MissPolicy, Mode } from '../../recorder/playback/decide.ts'
export { CassetteError, type Unused } from '../in-process/in-process-engine.ts'
export type { InsertOptions } from '../in-process/insert-options.ts'
export type { OverrideParams, OverrideReply } from '../in-process/overrides.ts'

/** What happened while a cassette was inserted. */
export interface Summary {
  readonly counts: Counts
  /** The distinct misses. */
  readonly misses: readonly Miss[]
  /** Recordings that nothing asked for. */
  readonly unused: readonly Unused[]
  /** One line, as the command line prints it. */
  readonly text: string
}

export interface InsertedCassette extends CassetteHandle {
  summary(): Summary
  /** Waits for pending answers, writes everything, stops intercepting, and prints the summary. */
  close(): Promise<Summary>
}

/**
 * Answers every request of this process to the cassette's wiki, through node:http, node:https or fetch.
 * @throws TypeError for a wrong option, Error if another cassette answers for the same wiki, StoreError if the cassette cannot be read
 */
export function insertCassette(
  name: string,
  options: InsertOptions = {}
): InsertedCassette {
  assertValue('insertCassette: the name', name, textOption('lists-pages'))
  assertOptions('insertCassette', options, insertOptions)
  const settings = resolveInsertOptions(name, options)
  const { api, folder, mode, report } = settings
  const engine = new InProcessEngine(settings)
  checkNockVersion(nock)
  if (isNock15(nock)) exemptFromChecks(hasMocks)
  const interceptor = new Interceptor(
    { ...requestWatchOf(settings, report), answer: (request) => engine.answer(request) },
    () => callAll([addPassingScope(api.origin), interceptBeneath()])
  )
  const summary = () => {
    const counts = engine.engines.counts()
    return {
      counts,
      misses: engine.engines.misses(),
      unused: engine.unused(),
      text: countsText(counts) + settings.overrides.text()
    }
  }
  let closed: Promise<Summary> | undefined
  const close = async () => {
    try {
      await interceptor.stop()
    } finally {
      engine.engines.close()
    }
    const result = summary()
    report(`${folder}: ${result.text}`)
    return result
  }
  const trouble = (given: string | TroubleOptions) => startTrouble(settings, given)
  const answer: InsertedCassette['answer'] = (params, reply) =>
    settings.overrides.add(params, reply)
  return {
    name,
    folder,
    mode,
    apiUrl: api.href,
    summary,
    trouble,
    answer,
    close: () => (closed ??= close())
  }
}

let scopeCount = 0

/**
 * A scope that matches nothing, and that `nock.disableNetConnect()` does not concern. Its name is another one, since nock
 * never forgets a host that it once mocked; where a test mocks the wiki itself, nock wants both in one place.
 */
function addPassingScope(origin: string) {
  scopeCount += 1
  const scope = hasMocks(origin)
    ? nock(origin, { allowUnmocked: true })
    : nock(`http://cassette-${scopeCount}.wikitape.invalid`, {
        allowUnmocked: true,
        filteringScope: (base: string) =>
          originOf(base) === origin && isIntercepted(origin)
      })
  const nothing = scope
    .persist()
    .intercept(() => false, 'GET')
    .optionally()
  nothing.reply(200)
  return () => void nock.removeInterceptor(nothing)
}

const hasMocks = (origin: string) =>
  nock.activeMocks().some((mock) => originOfMock(mock) === origin)

/** From nock's name of a mock, e.g. `GET https://ru.wikipedia.org:443/w/api.php`. */
const originOfMock = (mock: string) =>
  originOf(/^\S+ (https?:\/\/[^/]+)/.exec(mock)?.[1] ?? '')
