/** `wikitape/nock`: a cassette answers for its wiki inside this process, with no port and no other URL. */

import type { Miss } from '../../engine/miss/miss-reply.ts'
import { type Counts, countsText } from '../../engine/run-summary.ts'
import type { Mode } from '../../playback/mode.ts'
import { mustBe, mustBeOptions, text } from '../../text/option-checks.ts'
import { Player, type Unused } from './in-process-engine.ts'
import { type InsertOptions, insertOptions, settle, watchOf } from './insert-options.ts'
import { Interception } from './nock-interceptor.ts'

export type { Miss } from '../../engine/miss/miss-reply.ts'
export type { Counts } from '../../engine/run-summary.ts'
export type { MissPolicy } from '../../playback/miss-policy.ts'
export type { Mode } from '../../playback/mode.ts'
export { CassetteError, type Unused } from './in-process-engine.ts'
export type { InsertOptions } from './insert-options.ts'

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

export interface InsertedCassette {
  readonly name: string
  /** Where it lies. */
  readonly folder: string
  readonly mode: Mode
  /** The api.php that it answers for. */
  readonly apiUrl: string
  summary(): Summary
  /** Waits for answers under way, writes everything, leaves the wiki's requests to themselves, and prints the summary. */
  close(): Promise<Summary>
}

/**
 * Answers every request of this process to the cassette's wiki, through node:http, node:https or fetch.
 * @throws TypeError where an option is none, Error where another cassette answers for the same wiki, StoreError where the cassette cannot be read
 */
export function insertCassette(name: string, options: InsertOptions = {}): InsertedCassette {
  mustBe('insertCassette: the name', name, text('lists-pages'))
  mustBeOptions('insertCassette', options, insertOptions)
  const settings = settle(name, options)
  const { api, folder, mode, report } = settings
  const player = new Player(settings)
  const interception = Interception.start({
    ...watchOf(settings, report),
    answer: (request) => player.answer(request),
  })
  const summary = (): Summary => summaryOf(player)
  let closed: Promise<Summary> | undefined
  const close = async (): Promise<Summary> => {
    try {
      await interception.stop()
    } finally {
      player.close(true)
    }
    const told = summary()
    report(`${folder}: ${told.text}`)
    return told
  }
  return { name, folder, mode, apiUrl: api.href, summary, close: () => (closed ??= close()) }
}

function summaryOf(player: Player): Summary {
  const counts = player.counts()
  return { counts, misses: player.misses(), unused: player.unused(), text: countsText(counts) }
}
