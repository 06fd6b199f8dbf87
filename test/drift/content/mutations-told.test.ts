/** Structure is never content: a wiki that answers otherwise is told of, in the same version as in another, as one cause. */
import { describe, expect, it } from 'vitest'
import { causesTold, isList, isRecord, type Mutation, reportOf, rows } from './mutating-wiki.ts'
import { mutationCases } from './mutation-cases.ts'

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
    row['pageid'] === 2 ? { ...row, lastrevid: 9000, touched: '2026-11-20T12:00:00Z', length: 4321 } : row,
  )(answer, request)
  if (!isRecord(after) || !isRecord(after['query']) || /rccontinue/.test(request)) return after
  const changes = after['query']['recentchanges']
  if (!isList(changes)) return after
  const ids = { pageid: 2, revid: 9000, old_revid: 13, rcid: 9000 }
  const newest = {
    type: 'edit',
    ns: 0,
    title: 'Волга',
    ...ids,
    user: 'Bob',
    timestamp: '2026-11-20T12:00:00Z',
  }
  return { ...after, query: { ...after['query'], recentchanges: [newest, ...changes.slice(0, -1)] } }
}

describe.each(['same', 'other'] as const)('in the %s version', (versions) => {
  const cases = mutationCases.map((one) => ({
    ...one,
    told: versions === 'same' ? (one.toldInOne ?? one.told) : one.told,
  }))

  it.each(cases)('$name: one cause', ({ told, change }) => {
    const causes = causesTold(reportOf(change, versions))
    expect(causes.map(([first]) => first)).toHaveLength(1)
    expect(causes[0]?.map(short)).toContainEqual(expect.stringMatching(new RegExp(`^${told}`)))
  })

  it.each(cases)('$name, undone: one cause', ({ change, isUndoneQuietly }) => {
    const causes = causesTold(reportOf(change, versions, {}, true))
    expect(causes.map(([first]) => first)).toHaveLength(isUndoneQuietly === true ? 0 : 1)
  })

  // Other markup of one version may come from an edit of what the page includes.
  const beyondEdits = cases.filter(({ toldInOne }) => versions === 'other' || toldInOne === undefined)

  it.each(beyondEdits)('$name, after an edit of one page', ({ told, change }) => {
    const { answer, ...rest } = typeof change === 'function' ? { answer: change } : change
    const after: Mutation = (one, request) => {
      const now = edited(one, request)
      return answer === undefined ? now : answer(now, request)
    }
    const lines = causesTold(reportOf({ ...rest, answer: after }, versions)).flat()
    expect(lines.filter((line) => isOf(told, line))).not.toEqual([])
  })

  it('nothing is told of the same answers', () => {
    expect(causesTold(reportOf((answer) => answer, versions))).toEqual([])
  })
})
