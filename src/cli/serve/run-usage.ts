/** What a run did not use of its cassettes: written with `--usage` by commands that serve, read by `prune` and `check`; and which of it can be deleted. */
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { EngineRegistry } from '../../recorder/engine/registry/engine-registry.ts'
import { isPlainObject, plainItems, plainTexts } from '../../recorder/json/plain-json.ts'
import { parseRequestKey, type RequestKey } from '../../recorder/request/request-key.ts'
import type { CassetteStore } from '../../recorder/store/cassette-store.ts'
import { shellQuote } from '../../recorder/store/command-name.ts'
import { plural } from '../../recorder/text/words.ts'
import { type Invocation, orUsageError, UsageError } from '../args/command.ts'
import { readJsonFile, writeText } from '../files/text-files.ts'

export interface RunUsage {
  /** The file or command, for messages. */
  readonly source: string
  /** The exit code of the run: 0 if nothing failed and nothing was missed. */
  readonly exitCode: number
  readonly missed: number
  readonly used: number
  /** Recordings that it neither used nor may have needed to prove an answer. */
  readonly unused: ReadonlySet<RequestKey>
}

interface CassetteUsage extends Omit<RunUsage, 'source' | 'exitCode'> {
  readonly dir: string
}

export const usageByCassette = (engines: EngineRegistry): readonly CassetteUsage[] =>
  [...engines.summaries()].map(([store, summaries]) => {
    const used = engines.usedOf(store)
    const proofs = new Set(summaries.flatMap((one) => [...one.proofs]))
    const all = [...store.paths()]
    // A synthesized answer rests on all recordings of its folder (e.g. how continue values are built): all count as used.
    const folderOf = (file: string) => path.posix.dirname(file)
    const proving = new Set(
      all.flatMap(([key, file]) => (proofs.has(key) ? [folderOf(file)] : []))
    )
    const unused = all.filter(
      ([key, file]) => !used.has(key) && !proving.has(folderOf(file))
    )
    return {
      dir: store.dir,
      missed: summaries.reduce((sum, { counts }) => sum + counts.missed, 0),
      used: used.size,
      unused: new Set(unused.map(([key]) => key))
    }
  })

/** Deletes the file of an earlier run, which must not speak for a run that is aborted. @throws UsageError */
export function deleteUsageFile(call: Invocation): void {
  const file = call.value('usage')
  if (file !== undefined)
    orUsageError(`cannot write ${file}`, () => rmSync(file, { force: true }))
}

/** Folders are relative to the file, so that both may move together. @throws StoreError */
export function writeUsageFile(
  engines: EngineRegistry,
  exitCode: number,
  call: Invocation
): void {
  const file = call.value('usage')
  if (file === undefined) return
  const cassettes = usageByCassette(engines).map(({ dir, missed, used, unused }) => ({
    cassette: path.relative(path.dirname(file), dir).split(path.sep).join('/'),
    missed,
    used,
    unused: [...unused].sort()
  }))
  writeText(file, `${JSON.stringify({ usage: { exitCode, cassettes } }, null, 2)}\n`)
}

/** Why the runs may not have used everything that is needed; undefined if they are reliable. */
export function unreliableReason(
  usages: readonly RunUsage[],
  dir: string
): string | undefined {
  for (const { source, exitCode, missed } of usages) {
    if (missed > 0) return `${source} had ${plural(missed, 'missed request')}`
    if (exitCode !== 0) return `${source} ended with exit code ${exitCode}`
  }
  if (usages.some(({ used }) => used > 0)) return undefined
  return `${usages.map(({ source }) => source).join(', ')} used no recording of ${dir}`
}

/** What the files of `--usage` say of this cassette. @throws UsageError */
export const readUsageFiles = (call: Invocation, dir: string): readonly RunUsage[] =>
  call.values('usage').map((file) => {
    const absent = `file not found: ${file}; wikitape replay --usage ${shellQuote(file)} -- CMD writes it`
    if (!existsSync(file)) throw new UsageError(absent)
    const usage = decodeUsageFile(readJsonFile(file))
    if (!usage)
      throw new UsageError(
        `${file} is not what wikitape replay --usage FILE writes; write it again`
      )
    const folderOf = (one: CassetteUsage) => path.join(path.dirname(file), one.dir)
    const found = usage.cassettes.find(
      (one) => path.resolve(folderOf(one)) === path.resolve(dir)
    )
    if (found) return { ...found, source: file, exitCode: usage.exitCode }
    const others = usage.cassettes.map(folderOf).join(', ') || 'no cassette'
    throw new UsageError(`${file} is about ${others}, not about ${dir}`)
  })

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0

function decodeUsageFile(value: unknown) {
  const usage = isPlainObject(value) ? value['usage'] : undefined
  if (!isPlainObject(usage) || !isCount(usage['exitCode'])) return undefined
  const cassettes = plainItems(usage['cassettes']).map((one) => {
    const { cassette, missed, used, unused } = isPlainObject(one) ? one : {}
    const keys = plainTexts(unused).flatMap((key) => parseRequestKey(key) ?? [])
    if (typeof cassette !== 'string' || !isCount(missed) || !isCount(used))
      return undefined
    if (!Array.isArray(unused) || keys.length < unused.length) return undefined
    return { dir: cassette, missed, used, unused: new Set(keys) }
  })
  return cassettes.every((one) => one !== undefined)
    ? { exitCode: usage['exitCode'], cassettes }
    : undefined
}

interface RemovableRecordings {
  readonly removable: readonly { readonly key: RequestKey; readonly path: string }[]
  /** Unused as well, but kept, since they cannot be read. */
  readonly broken: readonly string[]
}

/** What no run used. Reads every file. A recording is kept if, without it, a more general one would be served in its place. */
export function findRemovable(
  store: CassetteStore,
  usages: readonly RunUsage[]
): RemovableRecordings {
  const [first, ...more] = usages.map((one) => one.unused)
  const unused = new Set(
    [...(first ?? [])].filter((key) => more.every((one) => one.has(key)))
  )
  const usedRequests = new Set<string>()
  const candidates: {
    key: RequestKey
    path: string
    general: string
    isNarrowed: boolean
  }[] = []
  const broken: string[] = []
  for (const [key, path] of store.paths()) {
    const found = store.get(key)
    if (found.kind === 'broken' && unused.has(key)) broken.push(path)
    if (found.kind !== 'found') continue
    const { request } = found.interaction
    const rest = [...request].filter(([name]) => !narrowingParams.test(name))
    const general = JSON.stringify(rest)
    if (unused.has(key))
      candidates.push({ key, path, general, isNarrowed: rest.length < request.size })
    else usedRequests.add(general)
  }
  const removable = candidates.filter(
    ({ isNarrowed, general }) => !isNarrowed || !usedRequests.has(general)
  )
  return { removable: removable.map(({ key, path }) => ({ key, path })), broken }
}

/** Members of a canonical request for what else its answer depended on. */
const narrowingParams =
  /^(?:after writes|in session|refused (?:origin|maxlag))$| in order$/
