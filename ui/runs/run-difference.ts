/** What differs between two runs: requests added and gone, changed in which parameter, and those that were answered in another way. */
import type { RunLine } from '../../src/pages/run-views.ts'

export interface ParamChange {
  readonly name: string
  /** Undefined where it was not sent. */
  readonly before: string | undefined
  readonly after: string | undefined
}

export interface RunDifference {
  readonly kind: 'added' | 'gone' | 'changed' | 'answered otherwise'
  /** Of the run where it is; of the newer one if it is in both. */
  readonly line: RunLine
  /** The same request in the older run. */
  readonly before?: RunLine
  readonly changes: readonly ParamChange[]
}

/** Requests of a module that are compared each with each: beyond, they are added and gone. */
const maxPaired = 300

/** @returns in the order of the newer run, what is gone last */
export function differencesOf(
  older: readonly RunLine[],
  newer: readonly RunLine[]
): readonly RunDifference[] {
  const waiting = new Map<string, RunLine[]>()
  for (const one of older) addTo(waiting, identityOf(one), one)
  const added: RunLine[] = []
  const found: RunDifference[] = []
  for (const line of newer) {
    const before = waiting.get(identityOf(line))?.shift()
    if (before === undefined) added.push(line)
    else if (answerOf(before) !== answerOf(line))
      found.push({ kind: 'answered otherwise', line, before, changes: [] })
  }
  const gone = [...waiting.values()].flat()
  found.push(...pair(added, gone))
  return found.sort(
    (a, b) =>
      Number(a.kind === 'gone') - Number(b.kind === 'gone') || a.line.id - b.line.id
  )
}

/** Those of a module, user and test that differ in the fewest parameters belong together. */
function pair(
  added: readonly RunLine[],
  gone: readonly RunLine[]
): readonly RunDifference[] {
  const groups = new Map<string, RunLine[]>()
  for (const one of gone) addTo(groups, groupOf(one), one)
  const changed = added.map((line): RunDifference => {
    const group = groups.get(groupOf(line)) ?? []
    const ranked = group
      .slice(0, maxPaired)
      .map((before) => ({ before, changes: changesOf(before, line) }))
      .sort((a, b) => a.changes.length - b.changes.length)
    const [best] = ranked
    const isLike =
      best !== undefined && best.changes.length * 2 <= sizeOf(best.before, line)
    if (!isLike) return { kind: 'added', line, changes: [] }
    group.splice(group.indexOf(best.before), 1)
    return { kind: 'changed', line, ...best }
  })
  const left = [...groups.values()].flat()
  return [
    ...changed,
    ...left.map((line): RunDifference => ({ kind: 'gone', line, changes: [] }))
  ]
}

function addTo(map: Map<string, RunLine[]>, name: string, line: RunLine): void {
  const all = map.get(name)
  if (all) all.push(line)
  else map.set(name, [line])
}

const groupOf = ({ method, module, user, test }: RunLine): string =>
  [method, module, user, test].join('\n')

/** What was asked by whom; the order of parameters does not count. */
const identityOf = (line: RunLine): string =>
  JSON.stringify([
    groupOf(line),
    line.sent.path,
    line.sent.params.map(({ name, value }) => `${name}=${value}`).sort()
  ])

const answerOf = ({ outcome, status, error, answer }: RunLine): string =>
  [outcome, status, error, answer].join(' ')

function changesOf(before: RunLine, after: RunLine): readonly ParamChange[] {
  const [a, b] = [before, after].map(
    ({ sent }) => new Map(sent.params.map(({ name, value }) => [name, value]))
  )
  const names = new Set([...(a?.keys() ?? []), ...(b?.keys() ?? [])])
  return [...names]
    .map((name) => ({ name, before: a?.get(name), after: b?.get(name) }))
    .filter((one) => one.before !== one.after)
}

const sizeOf = (a: RunLine, b: RunLine): number =>
  Math.max(a.sent.params.length, b.sent.params.length)
