/** A live wiki with a cassette in front of it: what `record` and `exec --record` run. */

import { Rack } from '../../engine/registry/engine-registry.ts'
import { goesOut } from '../../playback/mode.ts'
import { visible } from '../../text/escape-control-characters.ts'
import { type Given, numberFlag, type Shell } from '../args/command.ts'
import { findApi } from '../connect/find-api.ts'
import { liveSide, tellIfUnreachable } from '../connect/wiki-upstream.ts'
import {
  chosenMode,
  matchesStrictly,
  movedFlag,
  recordedCassette,
  refusesWrites,
  rewriteFlag,
  trustIn,
} from '../flags/cassette-flags.ts'
import type { Service } from './serve.ts'

/**
 * @param address of the wiki's api.php
 * @param stage names where to record meanwhile, for recordings that may not stay. @throws UsageError, StoreError
 */
export async function recordingService(
  address: string,
  given: Given,
  shell: Shell,
  stage?: (dir: string) => string,
): Promise<Service> {
  const api = await findApi(address, given, shell)
  const { mode, allowControl } = chosenMode(given, shell)
  const cassette = recordedCassette(given, shell, api)
  const rack = new Rack({
    cassette,
    mode,
    allowControl,
    moved: given.on(movedFlag.name),
    ...(stage === undefined ? {} : { stage }),
    live: liveSide(api, given, shell),
    missStatus: numberFlag(given, 'miss-status', 200, 599),
    trust: trustIn(given),
    onMiss: 'synthesize',
    recordErrors: given.on('record-errors'),
    keepCookies: given.texts('keep-cookie'),
    strict: matchesStrictly(given),
    refuseWrites: refusesWrites(given),
    rewriteUrls: given.on(rewriteFlag.name),
    now: shell.now,
    report: (line) => shell.err(`wikitape: ${visible(line)}\n`),
  })
  const whenListening = (): void => {
    if (goesOut(mode)) tellIfUnreachable(api, given, shell).catch(() => undefined)
  }
  return { word: 'recording', cassette, apiPath: api.path, rack, whenListening }
}
