/** Parts of a list by name, recorded as other parts of it, also where the wiki filters after its limit (miser mode). */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Interaction } from '../../../src/recorder/cassette/interaction.ts'
import { rounds } from '../../helpers/scale.ts'
import { tapeOf } from './tape.ts'

interface Page {
  readonly title: string
  readonly isRedirect: boolean
}

interface Asked {
  readonly from?: string
  readonly to?: string
  readonly prefix?: string
  readonly dir?: 'ascending' | 'descending'
  readonly filterredir?: 'all' | 'redirects' | 'nonredirects' | 'bogus'
  readonly limit: number
  readonly formatversion?: 2
}

/** What ApiQueryAllPages answers in miser mode. */
function answerOf(pages: readonly Page[], asked: Asked): object {
  const { from, to, prefix = '', dir, filterredir = 'all', limit } = asked
  const isDown = dir === 'descending'
  const [low, high] = isDown ? [to, from] : [from, to]
  const within = pages.filter(
    ({ title }) =>
      title.startsWith(prefix) &&
      (low === undefined || title >= low) &&
      (high === undefined || title <= high)
  )
  const ordered = isDown ? within.toReversed() : within
  const next = ordered[limit]
  const shown = ordered
    .slice(0, limit)
    .filter(
      ({ isRedirect }) =>
        filterredir === 'all' || isRedirect === (filterredir === 'redirects')
    )
  const rows = shown.map(({ title }) => ({
    pageid: pages.findIndex((one) => one.title === title) + 1,
    ns: 0,
    title
  }))
  const more = next && { continue: { apcontinue: next.title, continue: '-||' } }
  return {
    batchcomplete: asked.formatversion === 2 ? true : '',
    ...more,
    query: { allpages: rows }
  }
}

const queryOf = (asked: Asked): string =>
  Object.entries({ list: 'allpages', ...asked })
    .map(
      ([name, value]) =>
        `${/^(?:list|formatversion)$/.test(name) ? '' : 'ap'}${name}=${value}`
    )
    .join('&')

const letters = fc.stringMatching(/^[AB]{1,4}$/)
const pages = fc
  .uniqueArray(fc.record({ title: letters, isRedirect: fc.boolean() }), {
    selector: ({ title }) => title,
    maxLength: 9
  })
  .map((all) => all.toSorted((a, b) => (a.title < b.title ? -1 : 1)))
const asked: fc.Arbitrary<Asked> = fc.record(
  {
    from: letters,
    to: letters,
    prefix: fc.stringMatching(/^[AB]{1,2}$/),
    dir: fc.constantFrom('ascending', 'descending'),
    filterredir: fc.constantFrom('all', 'redirects', 'nonredirects'),
    limit: fc.integer({ min: 1, max: 6 }),
    formatversion: fc.constant(2)
  },
  { requiredKeys: ['limit'] }
)

test('are the true ones, or none', { timeout: 120_000 }, () => {
  const { record, ask } = tapeOf({ miserMode: true })
  let answered = 0
  let filtered = 0
  fc.assert(
    fc.property(
      pages,
      fc.array(asked, { minLength: 1, maxLength: 3 }),
      fc.array(asked, { minLength: 1, maxLength: 3 }),
      (all, recorded, others) => {
        const tape: readonly Interaction[] = recorded.map((one) =>
          record(queryOf(one), answerOf(all, one))
        )
        for (const one of others) {
          const said = ask(queryOf(one), ...tape)
          if (!said.startsWith('{')) continue
          answered += 1
          if (one.filterredir !== undefined && one.filterredir !== 'all') filtered += 1
          if (!said.includes('wikitape-'))
            expect(JSON.parse(said)).toEqual(answerOf(all, one))
        }
      }
    ),
    { numRuns: rounds(600) }
  )
  expect(answered).toBeGreaterThan(rounds(70))
  expect(filtered).toBeGreaterThan(rounds(10))
})

const tape = tapeOf({ miserMode: true })
const six: readonly Page[] = ['AA', 'AB', 'B', 'BA', 'BB', 'BC'].map((title, at) => ({
  title,
  isRedirect: at === 1
}))

test.each<readonly [Asked, Asked]>([
  [
    { from: 'AB', limit: 9 },
    { prefix: 'B', dir: 'descending', limit: 2 }
  ],
  [{ dir: 'descending', from: 'BA', limit: 9 }, { limit: 2 }],
  [{ limit: 2 }, { prefix: 'A', limit: 9 }],
  [
    { prefix: 'A', limit: 2 },
    { prefix: 'AB', limit: 1 }
  ],
  [
    { dir: 'descending', limit: 3 },
    { from: 'BA', limit: 9 }
  ],
  [
    { filterredir: 'redirects', limit: 6 },
    { filterredir: 'redirects', prefix: 'B', limit: 7 }
  ],
  [{ limit: 4 }, { prefix: 'A', limit: 1, formatversion: 2 }],
  [
    { from: 'AB', limit: 1 },
    { from: 'B', prefix: 'A', limit: 3 }
  ],
  [
    { from: 'C', limit: 1 },
    { filterredir: 'redirects', from: 'D', limit: 2 }
  ]
])('recorded %j gives %j', (recorded, wanted) => {
  const said = tape.ask(
    queryOf(wanted),
    tape.record(queryOf(recorded), answerOf(six, recorded))
  )
  expect(JSON.parse(said)).toEqual(answerOf(six, wanted))
})

test.each<readonly [Asked, Asked]>([
  // What lies behind the last row is not shown.
  [{ limit: 2 }, { limit: 3 }],
  [{ limit: 3 }, { prefix: 'B', limit: 2 }],
  [
    { from: 'AB', limit: 9 },
    { prefix: 'A', limit: 9 }
  ],
  // The limit may have counted rows that were left out.
  [
    { filterredir: 'nonredirects', limit: 6 },
    { filterredir: 'nonredirects', limit: 5 }
  ],
  [{ filterredir: 'redirects', limit: 6 }, { limit: 6 }],
  // The wiki refuses the value, whatever there is to filter.
  [
    { from: 'C', limit: 1 },
    { filterredir: 'bogus', from: 'D', limit: 2 }
  ]
])('recorded %j does not give %j', (recorded, wanted) => {
  const said = tape.ask(
    queryOf(wanted),
    tape.record(queryOf(recorded), answerOf(six, recorded))
  )
  expect(said).not.toMatch(/^\{/)
})

test.each<readonly [Asked, Asked]>([
  [
    { from: 'B', limit: 9 },
    { from: 'BB', limit: 9 }
  ],
  [{ limit: 9 }, { prefix: 'B', limit: 9 }]
])(
  'recorded %j does not give %j beside a member that may be about all rows',
  (recorded, wanted) => {
    const { batchcomplete, query } = answerOf(six, recorded) as {
      readonly batchcomplete: unknown
      readonly query: object
    }
    const counted = { batchcomplete, query: { count: 6, ...query } }
    const said = tape.ask(queryOf(wanted), tape.record(queryOf(recorded), counted))
    expect(said).not.toMatch(/^\{/)
  }
)
