/** What a run did not use of its cassettes: written by the verbs that serve, read by `prune` and `check`. */

import { rmSync } from 'node:fs'
import path from 'node:path'
import type { EngineRegistry } from '../../engine/registry/engine-registry.ts'
import { toPlain } from '../../json/plain-json.ts'
import { readJson } from '../../json/read-json.ts'
import { parseRequestKey, type RequestKey } from '../../request/request-key.ts'
import { readText } from '../../store/files/whole-files.ts'
import type { Store } from '../../store/store.ts'
import { type Invocation, orUsageError, UsageError } from '../args/command.ts'
import { writeText } from '../files/drift-files.ts'
import { usageFilesFlag, usageFlag } from '../flags/server-flags.ts'

/** One run as one cassette saw it. */
export interface RunUsage {
  /** Where it was written down, for messages. */
  readonly source: string
  /** What the run ended with: 0 where nothing failed and nothing was missed. */
  readonly exitCode: number
  readonly missed: number
  /** Recordings that it used. */
  readonly used: number
  /** Recordings that lay there when it ended, and neither were used nor may have helped to prove an answer. */
  readonly unused: ReadonlySet<RequestKey>
}

interface CassetteUsage extends Omit<RunUsage, 'source' | 'exitCode'> {
  readonly dir: string
}

/** What one rack used of each of its cassettes. */
export function usageByCassette(engines: EngineRegistry): readonly CassetteUsage[] {
  const stores = new Set(engines.all().map(({ store }) => store))
  return [...stores].map((store) => {
    const summaries = engines.all().flatMap((engine) => (engine.store === store ? [engine.summary] : []))
    const used = new Set(summaries.flatMap((one) => [...one.used]))
    const proofs = new Set(summaries.flatMap((one) => [...one.proofs]))
    return {
      dir: store.dir,
      missed: summaries.reduce((sum, { missed }) => sum + missed, 0),
      used: used.size,
      unused: new Set(unusedRecordings(store, used, proofs)),
    }
  })
}

/**
 * An answer that was synthesised leans on what the other recordings of its folder taught, e.g. how continue values
 * are built: where one was, the whole folder counts as used.
 */
function* unusedRecordings(
  store: Store,
  used: ReadonlySet<RequestKey>,
  proofs: ReadonlySet<RequestKey>,
): IterableIterator<RequestKey> {
  const all = [...store.paths()]
  const proving = new Set(all.flatMap(([key, file]) => (proofs.has(key) ? [path.posix.dirname(file)] : [])))
  for (const [key, file] of all) if (!used.has(key) && !proving.has(path.posix.dirname(file))) yield key
}

/** Takes away what an earlier run wrote: a run that is broken off must not leave its word for it. @throws UsageError */
export function deleteUsageFile(call: Invocation): void {
  const file = call.value(usageFlag.name)
  if (file !== undefined) orUsageError(`cannot write ${file}`, () => rmSync(file, { force: true }))
}

/** Writes what `--usage` asks for. Folders are told as seen from the file, so that both may move together. @throws StoreError */
export function writeUsageFile(engines: EngineRegistry, exitCode: number, call: Invocation): void {
  const file = call.value(usageFlag.name)
  if (file === undefined) return
  const cassettes = usageByCassette(engines).map(({ dir, missed, used, unused }) => ({
    cassette: path.relative(path.dirname(file), dir).split(path.sep).join('/'),
    missed,
    used,
    unused: [...unused].sort(),
  }))
  writeText(file, `${JSON.stringify({ usage: { exitCode, cassettes } }, null, 2)}\n`)
}

/** What the files of `--usage` say of this cassette. @throws UsageError */
export const readUsageFiles = (call: Invocation, dir: string): readonly RunUsage[] =>
  call.values(usageFilesFlag.name).map((file) => readUsageFile(file, dir))

/** What no run used. */
export function unusedByAll(usages: readonly RunUsage[]): ReadonlySet<RequestKey> {
  const [first, ...more] = usages.map(({ unused }) => unused)
  return new Set([...(first ?? [])].filter((key) => more.every((one) => one.has(key))))
}

/** Why a run cannot be relied on to have used everything that is needed. */
export function unreliableReason(usages: readonly RunUsage[], dir: string): string | undefined {
  for (const { source, exitCode, missed } of usages) {
    if (missed > 0) return `${source} asked ${missed} times for what is not recorded`
    if (exitCode !== 0) return `${source} ended with exit code ${exitCode}`
  }
  if (usages.some(({ used }) => used > 0)) return undefined
  return `${usages.map(({ source }) => source).join(', ')} used nothing of ${dir}`
}

/** @throws UsageError */
function readUsageFile(file: string, dir: string): RunUsage {
  const text = readUsageText(file)
  const reading = readJson(text)
  if (!reading.ok) {
    const { line, column, message } = reading.fault
    throw new UsageError(
      `${file}:${line}:${column}: ${message}; expected what wikitape replay --usage FILE writes`,
    )
  }
  const usage = decodeUsageFile(toPlain(reading.tree))
  const one = usage?.cassettes.find(
    (cassette) => path.resolve(path.dirname(file), cassette.dir) === path.resolve(dir),
  )
  if (usage === undefined)
    throw new UsageError(`${file} is not what wikitape replay --usage FILE writes; write it again`)
  if (one === undefined) {
    const others = usage.cassettes.map((cassette) => path.join(path.dirname(file), cassette.dir))
    throw new UsageError(`${file} tells of ${others.join(', ') || 'no cassette'}, not of ${dir}`)
  }
  return { ...one, source: file, exitCode: usage.exitCode }
}

function readUsageText(file: string): string {
  const text = orUsageError(`cannot read ${file}`, () => readText(file))
  if (text !== undefined) return text
  throw new UsageError(`there is no file ${file}; wikitape replay --usage ${file} -- CMD writes it`)
}

type UsageJson = Readonly<Record<string, unknown>>
const isUsageObject = (value: unknown): value is UsageJson => typeof value === 'object' && value !== null
const isCount = (value: unknown): value is number => typeof value === 'number' && value >= 0

function decodeUsageFile(
  value: unknown,
): { readonly exitCode: number; readonly cassettes: readonly CassetteUsage[] } | undefined {
  const usage = isUsageObject(value) ? value['usage'] : undefined
  if (!isUsageObject(usage) || !isCount(usage['exitCode']) || !Array.isArray(usage['cassettes']))
    return undefined
  const cassettes = usage['cassettes'].map(decodeCassetteUsage)
  return cassettes.every((one) => one !== undefined) ? { exitCode: usage['exitCode'], cassettes } : undefined
}

function decodeCassetteUsage(value: unknown): CassetteUsage | undefined {
  if (!isUsageObject(value)) return undefined
  const { cassette, missed, used, unused } = value
  if (typeof cassette !== 'string' || !isCount(missed) || !isCount(used) || !Array.isArray(unused))
    return undefined
  const keys = unused.map((one) => (typeof one === 'string' ? parseRequestKey(one) : undefined))
  return keys.every((one) => one !== undefined)
    ? { dir: cassette, missed, used, unused: new Set(keys) }
    : undefined
}
