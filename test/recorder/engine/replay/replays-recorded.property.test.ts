/**
 * What one session recorded it replays in the same order, byte for byte: whatever it asked in whatever order of
 * titles, however often the wiki changed its answer, with writes in between.
 */

import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EngineRegistry } from '../../../../src/recorder/engine/registry/engine-registry.ts'
import { readApiUrl } from '../../../../src/recorder/http/api-url.ts'
import type { Upstream } from '../../../../src/recorder/upstream/upstream.ts'
import { parseUrlencoded } from '../../../../src/recorder/wiki/parameters/request-params.ts'
import { description } from '../../../helpers/fake-wiki.ts'
import { temporaryFolder } from '../../../helpers/folders.ts'
import { answer } from '../../../helpers/recorded.ts'
import { rounds } from '../../../helpers/scale.ts'

/** One request, and the state of the wiki that answers it: a number that every page shows. */
interface Step {
  readonly query: string
  readonly version: number
}

const ids: ReadonlyMap<string, number> = new Map([
  ['A', 11],
  ['B', 12],
  ['C', 13]
])

/** Pages by id, missing ones by their place in the request: what MediaWiki says to `prop=info`. */
function pagesOf(titles: readonly string[], version: number): string {
  const missing = titles
    .filter((title) => !ids.has(title))
    .map((title, at) => [-1 - at, title] as const)
  const existing = [...ids].flatMap(([title, id]) =>
    titles.includes(title) ? [[id, title] as const] : []
  )
  const pages = [...missing, ...existing].map(([id, title]) => {
    const known = id < 0 ? '"missing":""' : `"pageid":${id},"touched":${version}`
    const members =
      id < 0 ? `"ns":0,"title":"${title}",${known}` : `${known},"ns":0,"title":"${title}"`
    return `"${id}":{${members}}`
  })
  return `{"batchcomplete":"","query":{"pages":{${pages.join(',')}}}}`
}

function said({ query, version }: Step): string {
  const params = parseUrlencoded(query)
  const title = params.get('title')
  if (params.get('action') === 'edit')
    return version === 0
      ? '{"error":{"code":"protectedpage","info":"no"}}'
      : `{"edit":{"result":"Success","pageid":${ids.get(title ?? '') ?? 14},"title":"${title}","newrevid":${version}}}`
  // With warnings an answer holds for its own order alone.
  const body = pagesOf((params.get('titles') ?? '').split('|'), version)
  return params.has('sha1') ? body.replace('{', '{"warnings":{"main":{"*":"no"}},') : body
}

const read = fc
  .tuple(
    fc.shuffledSubarray(['A', 'B', 'C', 'X', 'Y'], { minLength: 1, maxLength: 3 }),
    fc.boolean()
  )
  .map(
    ([titles, warned]) =>
      `action=query&format=json&prop=info&titles=${titles.join('%7C')}${warned ? '&sha1=' : ''}`
  )
const write = fc
  .constantFrom('A', 'B')
  .map((title) => `action=edit&format=json&title=${title}&text=x&token=%2B%5C`)
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    query: fc.oneof({ arbitrary: read, weight: 5 }, { arbitrary: write, weight: 1 }),
    version: fc.nat({ max: 2 })
  }),
  { maxLength: 14 }
)

/** What the session was told, step by step. */
async function through(
  cassette: string,
  all: readonly Step[],
  recording: boolean
): Promise<readonly string[]> {
  const api = readApiUrl('http://wiki.test/w/api.php')
  if (typeof api === 'string') throw new TypeError(api)
  let version = 0
  const upstream: Upstream = {
    ask({ target, body }) {
      const query = target.split('?')[1] ?? Buffer.from(body).toString()
      const own = description(parseUrlencoded(query))
      return Promise.resolve(answer(own ?? said({ query, version })))
    },
    close: () => undefined
  }
  const rack = new EngineRegistry({
    cassette,
    mode: recording ? 'all' : 'none',
    live: recording ? { api, upstream: () => upstream } : undefined,
    missStatus: 200,
    onMiss: 'error',
    recordErrors: false,
    now: () => 0,
    onEvent: () => undefined
  })
  const told: string[] = []
  for (const step of all) {
    version = step.version
    const posted = step.query.startsWith('action=edit')
    const { body } = await rack.get(undefined, undefined).handle({
      method: posted ? 'POST' : 'GET',
      target: posted ? '/w/api.php' : `/w/api.php?${step.query}`,
      headers: posted ? { 'content-type': 'application/x-www-form-urlencoded' } : {},
      body: Buffer.from(posted ? step.query : ''),
      session: '',
      signal: undefined
    })
    told.push(body.toString())
  }
  rack.close()
  return told
}

describe('a session', () => {
  it('replays what it recorded, in its order', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        if (all.length === 0) return
        const cassette = path.join(temporaryFolder(), 'tape')
        const recorded = await through(cassette, all, true)
        expect(recorded).toEqual(all.map(said))
        expect(await through(cassette, all, false)).toEqual(recorded)
      }),
      { numRuns: rounds(25) }
    )
  })
})
