/** A walk that comes back to where it was ends with an error; walks that are made again do not. */
import { mkdtempSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextRequest } from '../../../../src/cli/capture/recorded-answers.ts'
import { readJson, readTree } from '../../../../src/recorder/json/read-json.ts'
import { writeCompact } from '../../../../src/recorder/json/write-json.ts'
import {
  LoopGuard,
  type WalkStep,
  walkStepOf
} from '../../../../src/recorder/playback/session/loop-guard.ts'
import { writeQuery } from '../../../../src/recorder/wiki/parameters/request-params.ts'
import { circle } from '../../../helpers/circle.ts'
import { fakeWiki } from '../../../helpers/fake-wiki.ts'
import { temporaryFolder } from '../../../helpers/folders.ts'
import { startProxy } from '../../../helpers/proxies.ts'
import { deriveQuery, facts, lettersWiki } from '../../paging/fake-wiki.ts'

const session = {}
const step = (listing: string, from: string, next: string): WalkStep => ({
  listing,
  from,
  next,
  nextText: next
})

/** Asks, and notes the step where it is taken. */
function advances(guard: LoopGuard, taken: WalkStep): boolean {
  if (guard.circleReason(session, taken) !== undefined) return false
  guard.note(session, taken)
  return true
}

describe('the guard', () => {
  test('lets a walk, its repetition and a retry pass', () => {
    const guard = new LoopGuard()
    for (let again = 0; again < 2; again += 1) {
      expect(advances(guard, step('list', 'start', 'a'))).toBe(true)
      expect(advances(guard, step('list', 'a', 'b'))).toBe(true)
      expect(advances(guard, step('list', 'a', 'b'))).toBe(true)
      expect(advances(guard, step('list', 'b', 'c'))).toBe(true)
    }
  })

  test('stops a step that leads back, each time, and one that leads nowhere', () => {
    const guard = new LoopGuard()
    expect(advances(guard, step('list', 'start', 'a'))).toBe(true)
    expect(advances(guard, step('list', 'a', 'b'))).toBe(true)
    expect(advances(guard, step('list', 'b', 'a'))).toBe(false)
    expect(advances(guard, step('list', 'b', 'a'))).toBe(false)
    expect(advances(guard, step('list', 'b', 'b'))).toBe(false)
    expect(advances(guard, step('other', 'b', 'a'))).toBe(true)
  })

  test('lets another batch size pass', () => {
    const guard = new LoopGuard()
    for (const [from, next] of [
      ['start', 'b'],
      ['b', 'd'],
      ['start', 'a'],
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'd']
    ] as const)
      expect(advances(guard, step('list', from, next))).toBe(true)
  })
})

test('of drawn steps it stops those, and only those, that close a circle', () => {
  const places = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
  fc.assert(
    fc.property(fc.array(fc.tuple(places, places), { maxLength: 30 }), (steps) => {
      const guard = new LoopGuard()
      const known = new Map<string, string>()
      for (const [from, next] of steps) {
        const onward = new Map([...known, [from, next]])
        const seen = new Set<string>()
        let at: string | undefined = from
        for (; at !== undefined && !seen.has(at); at = onward.get(at)) seen.add(at)
        const circle = at !== undefined
        expect(advances(guard, step('list', from, next))).toBe(!circle)
        if (!circle) known.set(from, next)
      }
    })
  )
})

test('to ask changes nothing', () => {
  const guard = new LoopGuard()
  guard.note(session, step('list', 'a', 'b'))
  for (let again = 0; again < 2; again += 1) {
    expect(guard.circleReason(session, step('list', 'b', 'a'))).toContain('in a circle')
    expect(guard.circleReason({}, step('list', 'b', 'a'))).toBeUndefined()
    expect(guard.circleReason(session, step('list', 'b', 'c'))).toBeUndefined()
  }
})

describe('the step of an answer', () => {
  const stepIn = (query: string, body: object): WalkStep | undefined => {
    const reading = readJson(JSON.stringify(body))
    return reading.ok ? walkStepOf(deriveQuery(query), reading.tree, facts) : undefined
  }
  const query = 'action=query&format=json&list=allpages'

  test('leads from its continuation parameters to those that it hands out', () => {
    const goOn = { continue: { apcontinue: 'B', continue: '-||' } }
    expect(stepIn(query, goOn)).toMatchObject({
      from: 'start',
      next: 'at [["apcontinue","B"]]'
    })
    const further = stepIn(`${query}&apcontinue=A&continue=-||`, goOn)
    expect(further).toMatchObject({
      from: 'at [["apcontinue","A"]]',
      next: 'at [["apcontinue","B"]]'
    })
  })

  test('keeps a generator where it is until its props are done', () => {
    const generator =
      'action=query&format=json&generator=allpages&prop=categories&rawcontinue='
    const inside = {
      'query-continue': {
        categories: { clcontinue: '1|A' },
        allpages: { gapcontinue: 'C' }
      }
    }
    const done = { 'query-continue': { allpages: { gapcontinue: 'C' } } }
    expect(stepIn(`${generator}&gapcontinue=B`, inside)).toMatchObject({
      from: 'at [["gapcontinue","B"]]',
      next: 'at [["clcontinue","1|A"],["gapcontinue","B"]]'
    })
    expect(stepIn(`${generator}&gapcontinue=B&clcontinue=1|A`, done)).toMatchObject({
      from: 'at [["clcontinue","1|A"],["gapcontinue","B"]]',
      next: 'at [["gapcontinue","C"]]'
    })
  })

  test('is none at the end, and none of what is no listing', () => {
    expect(stepIn(query, { batchcomplete: '' })).toBeUndefined()
    expect(
      stepIn('action=query&format=json&meta=x', { continue: { xcontinue: '1' } })
    ).toBeUndefined()
  })
})

/** The titles and the last answer of a walk; a walk without end is broken off. */
async function walk(
  api: string,
  first: string,
  headers: Record<string, string> = {}
): Promise<string[]> {
  const start = new Map([...new URLSearchParams(first)])
  const bodies: string[] = []
  for (
    let params: ReadonlyMap<string, string> | undefined = start;
    params !== undefined && bodies.length < 40;
  ) {
    const body: string = await (
      await fetch(`${api}?${writeQuery(params)}`, { headers })
    ).text()
    bodies.push(body)
    params = nextRequest(start, params, readTree(body))
  }
  return bodies
}

describe('through the proxy', () => {
  const model = lettersWiki()
  const first = 'action=query&format=json&list=allpages&aplimit=10&continue='

  test('an endless walk ends with an error that names the place', async () => {
    const { cassette } = await circle()
    const replaying = await startProxy(undefined, { cassette })
    const bodies = await walk(replaying.api, first)
    expect(bodies).toHaveLength(3)
    expect(bodies[2]).toContain('cassette-miss')
    expect(bodies[2]).toContain(
      'The walk would go in a circle: this answer continues at apcontinue=Page_K,'
    )
    // The same request again, by an impatient client, ends the same way; other sessions walk for themselves.
    expect((await walk(replaying.api, first)).at(-1)).toContain('circle')
    expect(
      await walk(replaying.api, first, { 'x-cassette-session': 'other' })
    ).toHaveLength(3)
  })

  test('walks made again, with retries and at other limits, are none', async () => {
    const wiki = await fakeWiki((params) => {
      const query = [...params].map((pair) => pair.join('=')).join('&')
      return writeCompact(model.answer(query), 'utf8')
    })
    const cassette = path.join(
      mkdtempSync(path.join(temporaryFolder(), 'walks-')),
      'tape'
    )
    const recording = await startProxy(wiki.api, { cassette })
    await walk(recording.api, first)
    await recording.close()
    const replaying = await startProxy(undefined, { cassette })
    for (const limit of [10, 10, 3, 7, 1, 3, 10]) {
      const bodies = await walk(replaying.api, first.replace('=10', `=${limit}`))
      expect(bodies).toHaveLength(Math.ceil(25 / limit))
      expect(bodies.at(-1)).not.toContain('cassette-miss')
    }
    const again = `${replaying.api}?${first.replace('=10', '=4')}`
    const answers = await Promise.all(
      Array.from({ length: 5 }, async () => (await fetch(again)).text())
    )
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toContain('Page_E')
  })
})
