/** Structure is never content: a wiki that answers otherwise is told of, in the same version as in another, as one cause. */
import { describe, expect, it } from 'vitest'
import { sampled } from '../../helpers/scale.ts'
import {
  causesTold,
  isList,
  isRecord,
  type Mutation,
  reportOf,
  rows,
  type Versions,
  type WikiChange
} from './mutating-wiki.ts'
import { type MutationCase, mutationCases } from './mutation-cases.ts'

/** `breaking type.changed revid` of `breaking type.changed query.pages[*].revisions[*].revid`. */
const short = (line: string): string => {
  const [severity, kind, place = ''] = line.split(' ')
  const field = place.replace(/\[\*\]|\.\*$/g, '').replace(/^.*\./, '')
  return `${severity} ${kind} ${field}`
}
const isOf = (told: string, line: string): boolean =>
  short(line) === told || short(line).startsWith(`${told} `)

/** A page edited, and the newest of the recent changes, in front of the first batch. */
const edited: Mutation = (answer, request) => {
  const after = rows('lastrevid', (row) =>
    row['pageid'] === 2
      ? { ...row, lastrevid: 9000, touched: '2026-11-20T12:00:00Z', length: 4321 }
      : row
  )(answer, request)
  if (!isRecord(after) || !isRecord(after['query']) || /rccontinue/.test(request))
    return after
  const changes = after['query']['recentchanges']
  if (!isList(changes)) return after
  const ids = { pageid: 2, revid: 9000, old_revid: 13, rcid: 9000 }
  const newest = {
    type: 'edit',
    ns: 0,
    title: 'Волга',
    ...ids,
    user: 'Bob',
    timestamp: '2026-11-20T12:00:00Z'
  }
  return {
    ...after,
    query: { ...after['query'], recentchanges: [newest, ...changes.slice(0, -1)] }
  }
}

/** The same mutation of answers of a wiki where a page was edited. */
function afterEdit(change: WikiChange): WikiChange {
  const { answer, ...rest } = typeof change === 'function' ? { answer: change } : change
  const after: Mutation = (one, request) => {
    const now = edited(one, request)
    return answer === undefined ? now : answer(now, request)
  }
  return { ...rest, answer: after }
}

const versions = ['same', 'other'] as const

const toldIn = ({ told, toldInOne }: MutationCase, version: Versions): string =>
  version === 'same' ? (toldInOne ?? told) : told

/** A mutation by its place among all, also of a wiki where a page was edited. */
interface Mutated extends MutationCase {
  readonly at: number
  readonly changeAfterEdit: WikiChange
}
const mutated = mutationCases.map(
  (one, at): Mutated => ({ ...one, at, changeAfterEdit: afterEdit(one.change) })
)

/** What is seen of a mutation, and whether it is of this one in this version. */
interface Sight {
  readonly name: string
  readonly isSeen?: (one: MutationCase, version: Versions) => boolean
  readonly check: (one: Mutated, version: Versions) => void
}

const sights: readonly Sight[] = [
  {
    name: 'one cause',
    check(one, version) {
      const causes = causesTold(reportOf(one.change, version))
      expect(causes.map(([first]) => first)).toHaveLength(1)
      const told = new RegExp(`^${toldIn(one, version)}`)
      expect(causes[0]?.map(short)).toContainEqual(expect.stringMatching(told))
    }
  },
  {
    name: 'undone, one cause',
    check({ change, isUndoneQuietly }, version) {
      const causes = causesTold(reportOf(change, version, {}, true))
      expect(causes.map(([first]) => first)).toHaveLength(
        isUndoneQuietly === true || isUndoneQuietly === version ? 0 : 1
      )
    }
  },
  {
    name: 'told after an edit of one page',
    // Other markup of one version may come from an edit of what the page includes.
    isSeen: ({ isContentAfterEdits, toldInOne }, version) =>
      isContentAfterEdits !== true && (version === 'other' || toldInOne === undefined),
    check(one, version) {
      const lines = causesTold(reportOf(one.changeAfterEdit, version)).flat()
      expect(lines.filter((line) => isOf(toldIn(one, version), line))).not.toEqual([])
    }
  }
]

describe.each(mutated)('$name', (one) => {
  const seen = versions.flatMap((version) =>
    sights
      .filter(({ isSeen }) => isSeen?.(one, version) !== false)
      .map(({ name, check }) => [version, name, check] as const)
  )
  // Each mutation is seen in every run, one after the other in another way.
  it.each(sampled(seen, sights.length, one.at))(
    'in the %s version: %s',
    (version, _, check) => {
      check(one, version)
    }
  )
})

it.each(versions)('nothing is told of the same answers in the %s version', (version) => {
  expect(causesTold(reportOf((answer) => answer, version))).toEqual([])
})
