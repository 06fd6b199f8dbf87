/** Two lists and the objects in them: how items find each other, and what is told of those that differ. */
import { expect, it } from 'vitest'
import { compareCassettes } from '../../../src/drift/compare.ts'
import { side } from '../sides.ts'

/** Kind, severity and where: up to three places, each with its note. */
const summaries = (a: unknown, b: unknown, request: string): readonly string[] =>
  compareCassettes(side('a', { [request]: a }), side('b', { [request]: b })).findings.map(
    ({ kind, severity, samples }) =>
      `${kind} [${severity}] ${samples.map(({ path, note }) => (note === '' ? path : `${path} (${note})`)).join(' | ')}`
  )
const listOf = (...things: readonly unknown[]): object => ({ query: { things } })

const rows: readonly (readonly [
  what: string,
  before: unknown,
  after: unknown,
  findings: readonly string[],
  asked?: string
])[] = [
  [
    'aligned by number where half of them are common',
    listOf({ pageid: 1, title: 'A', n: 1 }, { pageid: 2, title: 'B', n: 1 }),
    listOf({ pageid: 1, title: 'A', n: 2 }, { pageid: 3, title: 'C', n: 1 }),
    [
      'value.changed [risky] query.things[title=A].n',
      'items.fewer [cosmetic] query.things[title=B]',
      'items.more [cosmetic] query.things[title=C]'
    ]
  ],
  [
    'aligned by title where numbers mean other pages',
    listOf({ pageid: 1, title: 'A', n: 1 }, { pageid: 2, title: 'B', n: 2 }),
    listOf({ pageid: 2, title: 'A', n: 1 }, { pageid: 1, title: 'B', n: 5 }),
    [
      'value.changed [risky] query.things[title=B].n',
      'value.changed [cosmetic] query.things[title=A].pageid | query.things[title=B].pageid'
    ]
  ],
  [
    'a page renamed among five keeps its number',
    listOf(...[1, 2, 3, 4, 5].map((n) => ({ pageid: n, title: `T${n}`, v: n }))),
    listOf(
      ...[1, 2, 3, 4, 5].map((n) => ({
        pageid: n,
        title: n === 5 ? 'X' : `T${n}`,
        v: n
      }))
    ),
    ['value.changed [cosmetic] query.things[title=T5].title']
  ],
  [
    'a page of one wiki that has another title was moved',
    listOf(...[1, 2, 3, 4, 5].map((n) => ({ pageid: n, title: `T${n}`, v: n }))),
    listOf(
      ...[1, 2, 3, 4, 5].map((n) => ({
        pageid: n,
        title: n > 3 ? `X${n}` : `T${n}`,
        v: n
      }))
    ),
    [
      'value.changed [cosmetic] query.things[title=T4].title | query.things[title=T5].title'
    ]
  ],
  [
    'a number that is null is none',
    listOf({ id: null, title: 'A', n: 1 }),
    listOf({ id: null, title: 'A', n: 2 }),
    ['value.changed [risky] query.things[title=A].n']
  ],
  [
    'a title twice on the first side aligns nothing',
    listOf({ title: 'A', n: 1 }, { title: 'A', n: 2 }),
    listOf({ title: 'A', n: 1 }, { title: 'B', n: 2 }),
    ['value.changed [cosmetic] query.things[1].title']
  ],
  [
    'nor a title twice that the second does not have',
    listOf({ title: 'C', n: 1 }, { title: 'C', n: 2 }),
    listOf({ title: 'A', n: 1 }, { title: 'B', n: 2 }),
    ['value.changed [cosmetic] query.things[0].title | query.things[1].title']
  ],
  [
    'a title in two namespaces',
    listOf({ ns: 0, title: 'A', v: 1 }, { ns: 1, title: 'A', v: 1 }),
    listOf({ ns: 0, title: 'A', v: 1 }, { ns: 1, title: 'A', v: 2 }),
    ['value.changed [risky] query.things[ns+title=1, A].v']
  ],
  [
    'nothing in common: the members are judged by all',
    listOf({ title: 'A', old: 1 }, { title: 'B', old: 2 }),
    listOf({ title: 'C', fresh: 1 }, { title: 'D', fresh: 2 }),
    [
      'field.removed [breaking] query.things[*].old (2/2 → 0/2)',
      'field.added [additive] query.things[*].fresh (0/2 → 2/2)',
      'items.fewer [cosmetic] query.things[title=A] | query.things[title=B]',
      'items.more [cosmetic] query.things[title=C] | query.things[title=D]'
    ]
  ],
  [
    'one against one is compared, whatever they are called',
    listOf({ title: 'A', n: 1 }),
    listOf({ title: 'B', n: 2 }),
    [
      'value.changed [risky] query.things[0].n',
      'value.changed [cosmetic] query.things[0].title'
    ]
  ],
  [
    'a page that is there now',
    { query: { pages: [{ ns: 0, title: 'A', missing: true }] } },
    { query: { pages: [{ pageid: 1, ns: 0, title: 'A' }] } },
    ['items.more [cosmetic] query.pages[title=A] (missing → there)'],
    'action=query&titles=A&formatversion=2'
  ],
  [
    'a title that is good now',
    { query: { pages: [{ title: 'A', invalid: true }] } },
    { query: { pages: [{ ns: 0, title: 'A', pageid: 3 }] } },
    ['field.removed [breaking] query.pages[title=A].invalid'],
    'action=query&titles=A&formatversion=2'
  ],
  [
    'a page that went',
    { query: { pages: [{ pageid: 1, ns: 0, title: 'A' }] } },
    { query: { pages: [{ ns: 0, title: 'A', missing: true }] } },
    ['items.fewer [cosmetic] query.pages[title=A] (there → missing)'],
    'action=query&titles=A&formatversion=2'
  ],
  [
    'users asked for by name',
    {
      query: {
        users: [
          { name: 'A', missing: '' },
          { name: 'B', userid: 1 }
        ]
      }
    },
    {
      query: {
        users: [
          { name: 'A', invalid: '' },
          { name: 'C', userid: 2 }
        ]
      }
    },
    [
      'field.renamed [breaking] query.users[name=A].missing (missing → invalid)',
      'items.fewer [risky] query.users[name=B]',
      'items.more [risky] query.users[name=C]'
    ],
    'action=query&list=users&ususers=A'
  ],
  [
    'a smaller batch on the second side',
    {
      ...listOf({ title: 'A' }, { title: 'B' }, { title: 'C' }),
      continue: { f: 'D', continue: '-||' }
    },
    { ...listOf({ title: 'A' }, { title: 'B' }), continue: { f: 'C', continue: '-||' } },
    [
      'continuation.batch [risky] query.things (3 items → 2 items)',
      'value.changed [cosmetic] continue.f'
    ]
  ],
  [
    'a smaller batch on the first side',
    { ...listOf({ title: 'A' }), continue: { f: 'B', continue: '-||' } },
    { ...listOf({ title: 'A' }, { title: 'B' }) },
    ['continuation.batch [risky] query.things (1 item → 2 items)']
  ],
  [
    'one more where nothing is cut',
    { ...listOf({ title: 'A' }) },
    { ...listOf({ title: 'A' }, { title: 'B' }) },
    ['items.more [cosmetic] query.things[title=B]']
  ],
  [
    'one fewer within a batch',
    {
      ...listOf({ title: 'A' }, { title: 'B' }, { title: 'C' }),
      continue: { f: 'D', continue: '-||' }
    },
    { ...listOf({ title: 'A' }, { title: 'C' }), continue: { f: 'D', continue: '-||' } },
    ['items.fewer [cosmetic] query.things[title=B]']
  ],
  [
    'one fewer and another one more',
    { ...listOf({ title: 'A' }, { title: 'C' }), continue: { f: 'D', continue: '-||' } },
    { ...listOf({ title: 'A' }, { title: 'B' }), continue: { f: 'C', continue: '-||' } },
    [
      'items.fewer [cosmetic] query.things[title=C]',
      'items.more [cosmetic] query.things[title=B]',
      'value.changed [cosmetic] continue.f'
    ]
  ],
  [
    'another order',
    listOf({ title: 'A' }, { title: 'B' }, { title: 'C' }),
    listOf({ title: 'C' }, { title: 'A' }, { title: 'B' }),
    ['order.changed [risky] query.things (1 of 3 moved)']
  ],
  [
    'a page in the place of another',
    listOf({ title: 'A', id: 1 }, { title: 'B', id: 2 }, { title: 'C', id: 3 }),
    listOf({ title: 'A', id: 1 }, { title: 'Z', id: 3 }, { title: 'B', id: 2 }),
    [
      'items.fewer [cosmetic] query.things[title=C]',
      'items.more [cosmetic] query.things[title=Z]'
    ]
  ],
  [
    'ranked, and rated otherwise',
    {
      query: {
        search: [
          { title: 'A', wordcount: 5 },
          { title: 'B', wordcount: 4 }
        ]
      }
    },
    {
      query: {
        search: [
          { title: 'B', wordcount: 7 },
          { title: 'A', wordcount: 5 }
        ]
      }
    },
    [
      'order.by-rank [cosmetic] query.search',
      'value.changed [cosmetic] query.search[title=B].wordcount'
    ],
    'action=query&list=search&srsearch=x'
  ],
  [
    'ranked, and rated the same',
    {
      query: {
        search: [
          { title: 'A', wordcount: 5 },
          { title: 'B', wordcount: 4 }
        ]
      }
    },
    {
      query: {
        search: [
          { title: 'B', wordcount: 4 },
          { title: 'A', wordcount: 5 }
        ]
      }
    },
    ['order.changed [risky] query.search (1 of 2 moved)'],
    'action=query&list=search&srsearch=x'
  ],
  [
    'ranked, rated the same, and each with more',
    { query: { search: [{ title: 'A' }, { title: 'B' }] } },
    {
      query: {
        search: [
          { title: 'B', size: 1 },
          { title: 'A', size: 2 }
        ]
      }
    },
    [
      'order.changed [risky] query.search (1 of 2 moved)',
      'field.added [additive] query.search[title=A].size (in 0/2 → 2/2) | query.search[title=B].size (in 0/2 → 2/2)'
    ],
    'action=query&list=search&srsearch=x'
  ],
  [
    'ranked, and one fewer',
    { query: { search: [{ title: 'A' }, { title: 'B' }, { title: 'C' }] } },
    { query: { search: [{ title: 'B' }, { title: 'A' }] } },
    [
      'items.fewer [cosmetic] query.search[title=C]',
      'order.by-rank [cosmetic] query.search'
    ],
    'action=query&list=search&srsearch=x'
  ],
  [
    'no member tells them apart: in the order they come',
    listOf({ a: [1] }, { a: [2] }, { a: [3] }),
    listOf({ a: [1] }, { a: [4] }),
    [
      'items.fewer [cosmetic] query.things[2]',
      'items.fewer [cosmetic] query.things[1].a[2]',
      'items.more [cosmetic] query.things[1].a[4]'
    ]
  ],
  [
    'no member tells them apart, and one more',
    listOf({ a: [1] }),
    listOf({ a: [1] }, { a: [4] }),
    ['items.more [cosmetic] query.things[1]']
  ],
  [
    'texts, objects and numbers in one list',
    listOf('a', { x: 1 }, 2),
    listOf('a', { x: 2 }, 2),
    ['value.changed [risky] query.things[1].x']
  ],
  [
    'texts and lists in one list',
    listOf('a', ['b']),
    listOf('a', ['c']),
    [
      'items.fewer [cosmetic] query.things[1][b]',
      'items.more [cosmetic] query.things[1][c]'
    ]
  ],
  [
    'members in another order',
    listOf({ title: 'A', a: 1, b: 2 }),
    listOf({ title: 'A', b: 2, a: 1 }),
    []
  ],
  [
    'members in another order, twice',
    listOf({ title: 'A', a: 1, b: 2 }, { title: 'B', a: 1, b: 2 }),
    listOf({ title: 'A', b: 2, a: 1 }, { title: 'B', b: 2, a: 1 }),
    []
  ],
  [
    'a star with a name now',
    listOf({ title: 'A', '*': 'text' }),
    listOf({ title: 'A', content: 'text' }),
    ['encoding.star [breaking] query.things[title=A].content (* → content)']
  ],
  [
    'a name that became a star',
    listOf({ title: 'A', content: 'text' }),
    listOf({ title: 'A', '*': 'text' }),
    ['encoding.star [breaking] query.things[title=A].content (content → *)']
  ],
  [
    'a star with a name now, and another value',
    listOf({ title: 'A', '*': 'text' }),
    listOf({ title: 'A', content: 'words' }),
    [
      'encoding.star [breaking] query.things[title=A].content (* → content)',
      'value.changed [cosmetic] query.things[title=A].content'
    ]
  ],
  [
    'a star that may be either of two',
    listOf({ title: 'A', '*': 'text' }),
    listOf({ title: 'A', content: 'words', more: 'b' }),
    [
      'field.removed [breaking] query.things[title=A].* (in 1/1 → 0/1)',
      'field.added [additive] query.things[title=A].content (in 0/1 → 1/1)',
      'field.added [additive] query.things[title=A].more (in 0/1 → 1/1)'
    ]
  ],
  [
    'a star that has the value of one of two',
    listOf({ title: 'A', '*': 'text' }),
    listOf({ title: 'A', content: 'words', more: 'text' }),
    [
      'encoding.star [breaking] query.things[title=A].more (* → more)',
      'field.added [additive] query.things[title=A].content (in 0/1 → 1/1)'
    ]
  ],
  [
    'a star and a value of another type',
    listOf({ title: 'A', '*': 'text' }),
    listOf({ title: 'A', content: 1 }),
    [
      'field.removed [breaking] query.things[title=A].* (in 1/1 → 0/1)',
      'field.added [additive] query.things[title=A].content (in 0/1 → 1/1)'
    ]
  ],
  [
    'a member that moved down',
    listOf({ title: 'A', target: 'some long text' }),
    listOf({ title: 'A', params: { target: 'some long text' } }),
    [
      'field.moved [breaking] query.things[title=A].target (→ query.things[title=A].params.target)'
    ]
  ],
  [
    'a member that moved up',
    listOf({ title: 'A', params: { target: 'some long text', b: 1 } }),
    listOf({ title: 'A', target: 'some long text', params: { b: 1 } }),
    [
      'field.moved [breaking] query.things[title=A].params.target (→ query.things[title=A].target)'
    ]
  ],
  [
    'a member that moved, and is called otherwise',
    listOf({ title: 'A', p: { x: 'some long text' } }),
    listOf({ title: 'A', q: { y: 'some long text' } }),
    ['field.moved [breaking] query.things[title=A].p.x (→ query.things[title=A].q.y)']
  ],
  [
    'a value that may be another by chance has not moved',
    listOf({ title: 'A', p: { x: 1, k: 5 } }),
    listOf({ title: 'A', q: { y: 1, k: 6 } }),
    [
      'field.removed [breaking] query.things[title=A].p (in 1/1 → 0/1)',
      'field.added [additive] query.things[title=A].q (in 0/1 → 1/1)'
    ]
  ],
  [
    'a member that moved down two levels',
    listOf({ title: 'A', x: 'some long text' }),
    listOf({ title: 'A', p: { q: { x: 'some long text' } } }),
    ['field.moved [breaking] query.things[title=A].x (→ query.things[title=A].p.q.x)']
  ],
  [
    'three levels are too many',
    listOf({ title: 'A', x: 'some long text' }),
    listOf({ title: 'A', p: { q: { r: { x: 'some long text' } } } }),
    [
      'field.removed [breaking] query.things[title=A].x (in 1/1 → 0/1)',
      'field.added [additive] query.things[title=A].p (in 0/1 → 1/1)'
    ]
  ],
  [
    'two members of one value that moved',
    listOf({ title: 'A', a: 'long text one', b: 'long text one' }),
    listOf({ title: 'A', p: { a: 'long text one', b: 'long text one' } }),
    [
      'field.moved [breaking] query.things[title=A].a (→ query.things[title=A].p.a)',
      'field.moved [breaking] query.things[title=A].b (→ query.things[title=A].p.b)'
    ]
  ],
  [
    'a member out of one whose rest went',
    listOf({ title: 'A', p: { x: 'long text one', z: 'gone words' } }),
    listOf({ title: 'A', x: 'long text one', q: 'fresh' }),
    [
      'field.moved [breaking] query.things[title=A].p.x (→ query.things[title=A].x)',
      'field.removed [breaking] query.things[title=A].p.z',
      'field.added [additive] query.things[title=A].q (in 0/1 → 1/1)'
    ]
  ],
  [
    'a user is called by name',
    {
      query: {
        users: [
          { userid: 1, name: 'A', n: 1 },
          { userid: 2, name: 'B', n: 1 }
        ]
      }
    },
    {
      query: {
        users: [
          { userid: 1, name: 'A', n: 2 },
          { userid: 2, name: 'B', n: 1 }
        ]
      }
    },
    ['value.changed [risky] query.users[name=A].n'],
    'action=query&list=users&ususers=A|B'
  ],
  [
    'a revision is called by its number',
    listOf({ revid: 1, n: 1 }, { revid: 2, n: 1 }),
    listOf({ revid: 1, n: 1 }, { revid: 2, n: 2 }),
    ['value.changed [risky] query.things[revid=2].n']
  ],
  [
    'rows of the log in a watchlist have no number',
    listOf({ title: 'A', pageid: 1, revid: 0 }, { title: 'B', pageid: 2, revid: 7 }),
    listOf(
      { title: 'A', pageid: 1, revid: 0 },
      { title: 'A', pageid: 1, revid: 0 },
      { title: 'B', pageid: 2, revid: 7 }
    ),
    ['items.more [cosmetic] query.things[1]']
  ],
  [
    'of a name twice the last counts',
    '{"query":{"things":[{"title":"A","n":1},{"title":"B","n":1}]}}',
    '{"query":{"things":[{"title":"X","title":"A","n":2},{"title":"B","n":1}]}}',
    ['value.changed [risky] query.things[title=A].n']
  ],
  [
    'a title in two namespaces, one twice in each',
    listOf(
      { ns: 0, title: 'A', v: 1 },
      { ns: 1, title: 'A', v: 1 },
      { ns: 0, title: 'B', v: 1 }
    ),
    listOf(
      { ns: 0, title: 'A', v: 1 },
      { ns: 1, title: 'A', v: 2 },
      { ns: 0, title: 'B', v: 1 }
    ),
    ['value.changed [risky] query.things[ns+title=1, A].v']
  ],
  [
    'numbers come first, though all titles are common',
    listOf({ pageid: 1, title: 'A' }, { pageid: 2, title: 'B' }),
    listOf({ pageid: 1, title: 'A' }, { pageid: 3, title: 'B' }),
    [
      'items.fewer [cosmetic] query.things[title=B]',
      'items.more [cosmetic] query.things[title=B]'
    ]
  ],
  [
    'a title twice on the second side aligns nothing',
    listOf({ title: 'A', n: 1 }, { title: 'B', n: 2 }),
    listOf({ title: 'A', n: 1 }, { title: 'A', n: 2 }),
    ['value.changed [cosmetic] query.things[1].title']
  ],
  [
    'a member that moved with all that is in it is told once',
    listOf({ title: 'A', p: { x: 'some long text', y: 'another long text' } }),
    listOf({ title: 'A', q: { p: { x: 'some long text', y: 'another long text' } } }),
    ['field.moved [breaking] query.things[title=A].p (→ query.things[title=A].q.p)']
  ],
  [
    'of two new names the one that more values say',
    listOf(
      ...['a a a', 'b b b', 'c c c', 'd d d'].map((old, at) => ({
        title: `T${at}`,
        old
      }))
    ),
    listOf(
      ...[
        ['a a a', 'a a a'],
        ['b b b', 'b b b'],
        ['x x x', 'c c c'],
        ['y y y', 'z z z']
      ].map(([f2, f1], at) => ({ title: `T${at}`, f2, f1 }))
    ),
    [
      'field.renamed [breaking] query.things[title=T0].old (old → f1) | query.things[title=T1].old (old → f1) | query.things[title=T2].old (old → f1)',
      'field.added [additive] query.things[title=T0].f2 (in 0/4 → 4/4) | query.things[title=T1].f2 (in 0/4 → 4/4) | query.things[title=T2].f2 (in 0/4 → 4/4)'
    ]
  ],
  [
    'the same, whichever stands first',
    listOf(
      ...['a a a', 'b b b', 'c c c', 'd d d'].map((old, at) => ({
        title: `T${at}`,
        old
      }))
    ),
    listOf(
      ...[
        ['a a a', 'a a a'],
        ['b b b', 'b b b'],
        ['x x x', 'c c c'],
        ['y y y', 'z z z']
      ].map(([f2, f1], at) => ({ title: `T${at}`, f1, f2 }))
    ),
    [
      'field.renamed [breaking] query.things[title=T0].old (old → f1) | query.things[title=T1].old (old → f1) | query.things[title=T2].old (old → f1)',
      'field.added [additive] query.things[title=T0].f2 (in 0/4 → 4/4) | query.things[title=T1].f2 (in 0/4 → 4/4) | query.things[title=T2].f2 (in 0/4 → 4/4)'
    ]
  ],
  [
    'a wording of the interface',
    { query: { allmessages: [{ name: 'x', '*': 'old words' }] } },
    { query: { allmessages: [{ name: 'x', '*': 'new words' }] } },
    ['text.changed [cosmetic] query.allmessages[name=x].*'],
    'action=query&meta=allmessages'
  ],
  [
    'a set in another order',
    { query: { userinfo: { rights: ['a', 'b', 'c'] } } },
    { query: { userinfo: { rights: ['c', 'a', 'b'] } } },
    ['order.changed [cosmetic] query.userinfo.rights (1 of 3 moved)'],
    'action=query&meta=userinfo'
  ],
  [
    'a list whose order says nothing',
    listOf({ title: 'A', tags: ['a', 'b', 'c'] }),
    listOf({ title: 'A', tags: ['c', 'a', 'b'] }),
    ['order.changed [cosmetic] query.things[title=A].tags (1 of 3 moved)']
  ],
  [
    'pages numbered otherwise, and listed by number',
    listOf(
      { pageid: 1, title: 'C' },
      { pageid: 2, title: 'A' },
      { pageid: 3, title: 'B' }
    ),
    listOf(
      { pageid: 11, title: 'B' },
      { pageid: 12, title: 'C' },
      { pageid: 13, title: 'A' }
    ),
    [
      'order.by-id [cosmetic] query.things',
      'value.changed [cosmetic] query.things[title=C].pageid | query.things[title=A].pageid | query.things[title=B].pageid'
    ]
  ],
  [
    'a member whose own members differ',
    listOf({ title: 'A', p: { a: 1, b: 2 } }),
    listOf({ title: 'A', p: { b: 2, c: 3 } }),
    [
      'field.removed [breaking] query.things[title=A].p.a (in 1/1 → 0/1)',
      'field.added [additive] query.things[title=A].p.c (in 0/1 → 1/1)'
    ]
  ],
  [
    'a member that one in three had may be lacking by chance',
    listOf({ title: 'A', o: 1 }, { title: 'B' }, { title: 'C' }),
    listOf({ title: 'D' }, { title: 'E' }),
    [
      'items.fewer [cosmetic] query.things[title=A] | query.things[title=B] | query.things[title=C]',
      'items.more [cosmetic] query.things[title=D] | query.things[title=E]'
    ]
  ],
  [
    'a member that three of four had is hardly lacking by chance',
    listOf(
      { title: 'A', o: 1 },
      { title: 'B', o: 1 },
      { title: 'C', o: 1 },
      { title: 'CC' }
    ),
    listOf({ title: 'D' }, { title: 'E' }, { title: 'F' }),
    [
      'field.removed [risky] query.things[*].o (3/4 → 0/3)',
      'items.fewer [cosmetic] query.things[title=A] | query.things[title=B] | query.things[title=C]',
      'items.more [cosmetic] query.things[title=D] | query.things[title=E] | query.things[title=F]'
    ]
  ],
  [
    'flags come and go',
    listOf({ title: 'A', minor: '' }, { title: 'B' }),
    listOf({ title: 'C' }, { title: 'D', anon: '' }),
    [
      'items.fewer [cosmetic] query.things[title=A] | query.things[title=B]',
      'items.more [cosmetic] query.things[title=C] | query.things[title=D]'
    ]
  ],
  [
    'members of members are judged by all too',
    listOf({ title: 'A', p: { x: 1 } }, { title: 'B', p: { x: 1 } }),
    listOf({ title: 'C', p: { y: 1 } }, { title: 'D', p: { y: 2 } }),
    [
      'field.removed [breaking] query.things[*].p.x (2/2 → 0/2)',
      'field.added [additive] query.things[*].p.y (0/2 → 2/2)',
      'items.fewer [cosmetic] query.things[title=A] | query.things[title=B]',
      'items.more [cosmetic] query.things[title=C] | query.things[title=D]'
    ]
  ],
  [
    'a flag that all had is lacking',
    listOf({ title: 'A', minor: '' }, { title: 'B', minor: '' }),
    listOf({ title: 'C' }, { title: 'D' }),
    [
      'field.removed [breaking] query.things[*].minor (2/2 → 0/2)',
      'items.fewer [cosmetic] query.things[title=A] | query.things[title=B]',
      'items.more [cosmetic] query.things[title=C] | query.things[title=D]'
    ]
  ],
  [
    'of two members with one value the one of the same name has moved',
    listOf({ title: 'A', one: 'some long text', two: 'some long text' }),
    listOf({ title: 'A', p: { two: 'some long text' } }),
    [
      'field.moved [breaking] query.things[title=A].two (→ query.things[title=A].p.two)',
      'field.removed [breaking] query.things[title=A].one (in 1/1 → 0/1)'
    ]
  ],
  [
    'of two places with one value it has moved to the one of its name',
    listOf({ title: 'A', two: 'some long text' }),
    listOf({ title: 'A', p: { one: 'some long text', two: 'some long text' } }),
    [
      'field.moved [breaking] query.things[title=A].two (→ query.things[title=A].p.two)',
      'field.added [additive] query.things[title=A].p.one'
    ]
  ]
]

it.each(rows.map(([what, ...row]) => ({ what, row })))('$what', ({ row }) => {
  const [before, after, findings, request = 'action=query&list=things'] = row
  expect(summaries(before, after, request)).toEqual(findings)
})
