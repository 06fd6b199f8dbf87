/** `wikitape check`: faults, secrets, unused recordings and the age of cassettes. */
import path from 'node:path'
import { decodeNoiseProfile } from '../../../drift/noise/noise-profile.ts'
import { paraminfoFolder } from '../../../recorder/cassette/interaction-path.ts'
import type { CassetteIssue } from '../../../recorder/cassette-check/cassette-issue.ts'
import {
  cassetteIssues,
  passingErrorIn
} from '../../../recorder/cassette-check/cassette-issues.ts'
import { tryParsePlain } from '../../../recorder/json/plain-json.ts'
import { harmlessBy, placeText } from '../../../recorder/settings/judgements.ts'
import { CassetteStore } from '../../../recorder/store/cassette-store.ts'
import { commandName } from '../../../recorder/store/command-name.ts'
import { cassettesIn, textInside } from '../../../recorder/store/files/paths-inside.ts'
import { readOrElse } from '../../../recorder/text/error-text.ts'
import { plural } from '../../../recorder/text/words.ts'
import { type Command, type Invocation, UsageError } from '../../args/command.ts'
import { noiseName } from '../../files/drift-files.ts'
import { existingCassette } from '../../flags/cassette-flags.ts'
import { expiryReason } from '../../flags/server-flags.ts'
import { orphansIn, orphanText } from '../../serve/orphans.ts'
import { findRemovable, readUsageFiles, unreliableReason } from '../../serve/run-usage.ts'
import { printJson, printLine } from '../../terminal/terminal-output.ts'

export const checkCommand: Command = {
  name: 'check',
  async run(call) {
    if (call.isOn('repair'))
      throw new UsageError('--repair is for a cassette on a server (redis://…)')
    const dirs = call.positionals.length > 0 ? call.positionals : [existingCassette(call)]
    // What the shell makes of `cassettes/*` has the shared descriptions of a suite in it.
    const named = dirs.filter(
      (dir) => dirs.length === 1 || path.basename(dir) !== paraminfoFolder
    )
    // A folder without any is no cassette either: opening it says so.
    const below = named.map((dir) => [dir, cassettesIn(dir)] as const)
    const found = [
      ...new Set(below.flatMap(([dir, inside]) => (inside.length > 0 ? inside : [dir])))
    ]
    const isHarmless = harmlessBy(call.settings)
    const notes: CassetteNote[] = []
    const all = found
      .flatMap((dir) => checkCassette(CassetteStore.open(dir), call, notes))
      .filter(
        ({ judgeable: one }) =>
          one === undefined || !isHarmless(one.file, one.where, one.digest)
      )
      .map((one) => withJudgement(one, call))
    const orphans = orphansIn(call, found).map((one) => ({
      kind: 'orphan' as const,
      file: one.dir,
      what: `${orphanText(one)}; ${commandName} prune --suite deletes it`
    }))
    // Cassettes that share a damaged file have the same complaint.
    const complaints = [
      ...new Map(
        [...all, ...orphans].map((one) => [`${one.file}: ${one.what}`, one])
      ).values()
    ]
    if (call.isOn('json')) printJson(call, { complaints, notes })
    else {
      for (const { file, what } of notes) printLine(call, `${file}: note: ${what}`)
      for (const { file, kind, what } of complaints)
        printLine(call, `${file}: ${kind}: ${what}`)
      const faults =
        complaints.length === 0 ? 'no faults' : plural(complaints.length, 'fault')
      const number =
        found.length > dirs.length ? ` (${plural(found.length, 'cassette')})` : ''
      printLine(call, `${faults} in ${dirs.join(', ')}${number}`)
    }
    if (complaints.some(({ kind }) => kind === 'secret')) return 4
    return complaints.length > 0 ? 1 : 0
  }
}

/** Says how a person can say that a text is none. */
function withJudgement({ judgeable, ...issue }: CassetteIssue, call: Invocation) {
  if (!judgeable) return issue
  const { file, where, digest } = judgeable
  const place = placeText(call.settings?.file, file, where)
  const judgement = JSON.stringify({ digest, place, reason: '…' })
  return {
    ...issue,
    what: `${issue.what}; or, if it is none, add to "harmless" in wikitape.config.json: ${judgement}`
  }
}

/** What is said of a recording that is no fault. */
type CassetteNote = Pick<CassetteIssue, 'file' | 'what'>

/** @param notes gets more of them */
function checkCassette(
  store: CassetteStore,
  call: Invocation,
  notes: CassetteNote[]
): readonly CassetteIssue[] {
  const age = expiryReason(store, call)
  const expired = { kind: 'expired', file: store.dir, what: age ?? '' } as const
  return [
    ...cassetteIssues(store, (interaction, file) => {
      const what = passingErrorIn(interaction)
      if (what !== undefined) notes.push({ file, what })
    }),
    ...noiseIssues(store.dir),
    ...unusedIssues(store, call),
    ...(age === undefined ? [] : [expired])
  ]
}

/** A profile that `diff` would refuse; one that is no JSON is told already. */
function noiseIssues(dir: string): readonly CassetteIssue[] {
  const file = path.join(dir, noiseName)
  const profile = tryParsePlain(
    readOrElse(undefined, () => textInside(dir, noiseName)) ?? ''
  )
  const what = profile === undefined ? undefined : decodeNoiseProfile(profile)
  return typeof what === 'string' ? [{ kind: 'unreadable', file, what }] : []
}

function unusedIssues(store: CassetteStore, call: Invocation): readonly CassetteIssue[] {
  const usages = readUsageFiles(call, store.dir)
  if (usages.length === 0) return []
  const reason = unreliableReason(usages, store.dir)
  const what = `unused recordings are not known: ${reason}`
  if (reason !== undefined) return [{ kind: 'unused', file: store.dir, what }]
  return findRemovable(store, usages).removable.map((one) => ({
    kind: 'unused',
    file: path.join(store.dir, one.path),
    what: 'no run used it; wikitape prune drops it'
  }))
}
