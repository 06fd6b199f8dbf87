/** What people do on a wiki is content: the same mutating wiki tells nothing of it, in the same version or another. */
import { describe, expect, it } from 'vitest'
import { sampled } from '../../helpers/scale.ts'
import {
  isList,
  isRecord,
  type Json,
  type JsonRecord,
  type Mutation,
  members,
  rows,
  toldOf
} from './mutating-wiki.ts'

const now = '2026-11-20T12:00:00Z'

/** One thing after the other. */
const all =
  (...deeds: readonly Mutation[]): Mutation =>
  (answer, request) =>
    deeds.reduce<Json>((done, deed) => deed(done, request), answer)

/** New rows in front of a list's first batch, which stays as long as it was. */
const inFront =
  (list: string, added: readonly JsonRecord[]): Mutation =>
  (answer, request) => {
    const query = isRecord(answer) ? answer['query'] : undefined
    if (!isRecord(answer) || !isRecord(query) || /continue=[^&]/.test(request))
      return answer
    const old = query[list]
    if (!isList(old) || old.length === 0) return answer
    const kept =
      Object.hasOwn(answer, 'continue') || Object.hasOwn(answer, 'query-continue')
        ? [...added, ...old].slice(0, Math.max(old.length, 1))
        : [...added, ...old]
    return { ...answer, query: { ...query, [list]: kept } }
  }

const change = (
  rcid: number,
  type: string,
  title: string,
  more: JsonRecord = {}
): JsonRecord => {
  const ids = { pageid: 2, revid: rcid + 5000, old_revid: 13, rcid }
  return { type, ns: 0, title, ...ids, user: 'Bob', timestamp: now, ...more }
}
const logRow = (
  logid: number,
  type: string,
  action: string,
  title: string,
  params: JsonRecord
): JsonRecord => {
  const about = { logid, ns: 0, title, pageid: 2, logpage: 2, params }
  return { ...about, type, action, user: 'Admin', timestamp: now, comment: '' }
}
const logged = (
  type: string,
  action: string,
  title: string,
  params: JsonRecord
): Mutation =>
  all(
    inFront('logevents', [logRow(9000, type, action, title, params)]),
    inFront('recentchanges', [
      change(9000, 'log', title, {
        logid: 9000,
        logtype: type,
        logaction: action,
        logparams: params
      })
    ])
  )

/** What a page says of itself after an edit. */
const newState = (pageid: number, length: number): Mutation =>
  rows('pageid', (row) => {
    if (row['pageid'] !== pageid) return row
    const info = Object.hasOwn(row, 'lastrevid')
      ? { lastrevid: 9000, touched: now, length }
      : {}
    const found = Object.hasOwn(row, 'wordcount')
      ? { size: length, timestamp: now, wordcount: 7 }
      : {}
    return { ...row, ...info, ...found }
  })

/** A revision's rows, by its number, where they have the member. */
const revision = (
  having: string,
  revid: number,
  change: (row: JsonRecord) => JsonRecord
): Mutation => rows(having, (row) => (row['revid'] === revid ? change(row) : row))
const without = (row: JsonRecord, ...names: readonly string[]): JsonRecord =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)))

const edit = all(
  newState(2, 4321),
  inFront('recentchanges', [change(9001, 'edit', 'Волга')])
)

const deeds: readonly (readonly [string, Mutation])[] = [
  ['an edit', edit],
  [
    'an edit of a page whose newest revision is asked for',
    revision('sha1', 838, (row) => ({
      ...row,
      revid: 9002,
      parentid: 838,
      user: 'Bob',
      timestamp: now,
      size: Number(row['size']) + 5,
      sha1: '0123456789abcdef0123456789abcdef01234567',
      comment: ''
    }))
  ],
  [
    'an edit that ends another being the top one',
    all(
      edit,
      rows('top', (row) => {
        if (row['revid'] !== 836) return row
        // Only formatversion 1 says no by absence.
        return row['top'] === true ? { ...row, top: false } : without(row, 'top')
      })
    )
  ],
  [
    'an edit that takes links and categories away',
    all(
      newState(174, 99),
      rows('links', (row) => (row['pageid'] === 174 ? without(row, 'links') : row))
    )
  ],
  [
    'a page made',
    all(
      inFront('allpages', [{ pageid: 9000, ns: 0, title: '!Новая' }]),
      inFront('recentchanges', [
        change(9003, 'new', '!Новая', { pageid: 9000, old_revid: 0 })
      ])
    )
  ],
  [
    'a page deleted',
    all(logged('delete', 'delete', 'Alpha', {}), (answer) => {
      const query = isRecord(answer) ? answer['query'] : undefined
      if (!isRecord(answer) || !isRecord(query) || !isList(query['allpages']))
        return answer
      const rest = query['allpages'].filter(
        (row) => !isRecord(row) || row['pageid'] !== 8
      )
      if (rest.length === query['allpages'].length) return answer
      const next = { pageid: 999, ns: 0, title: 'Alpha 2' }
      return { ...answer, query: { ...query, allpages: [...rest, next] } }
    })
  ],
  [
    'a page moved',
    all(
      rows('title', (row) =>
        row['pageid'] === 160 ? { ...row, title: 'Узловая' } : row
      ),
      logged('move', 'move', 'Hub 00', { target_ns: 0, target_title: 'Узловая' })
    )
  ],
  [
    'a page protected',
    all(
      newState(2, 1000),
      logged('protect', 'protect', 'Волга', { description: '[edit=sysop]' })
    )
  ],
  [
    'a user blocked',
    all(
      logged('block', 'block', 'Участник:Bob', {
        duration: '1 month',
        flags: [],
        sitewide: '',
        expiry: now
      }),
      inFront('blocks', [
        {
          id: 900,
          user: 'Bob',
          by: 'Admin',
          timestamp: now,
          expiry: now,
          reason: '',
          allowusertalk: ''
        }
      ])
    )
  ],
  [
    'a new user',
    all(
      logged('newusers', 'create', 'Участник:Новенький', { userid: 900 }),
      inFront('allusers', [{ userid: 900, name: 'AAA' }])
    )
  ],
  [
    'a hundred edits elsewhere',
    all(
      inFront(
        'recentchanges',
        Array.from({ length: 100 }, (_, at) => change(9100 + at, 'new', `Новая ${at}`))
      ),
      inFront(
        'logevents',
        Array.from({ length: 100 }, (_, at) =>
          logRow(9100 + at, 'create', 'create', `Новая ${at}`, {})
        )
      )
    )
  ],
  [
    'a file uploaded again',
    rows('descriptionurl', (row) =>
      row['name'] === 'Map_00.png'
        ? { ...row, timestamp: now, url: 'http://127.0.0.1:8143/w/images/x.png' }
        : row
    )
  ],
  ['a purge', members(/^touched$/, () => now)]
]

describe.each([
  ['same', 0],
  ['other', 1]
] as const)('in the %s version', (versions, from) => {
  it.each(sampled(deeds, 3, from))('%s', (_, deed) => {
    expect(toldOf(deed, versions)).toEqual([])
  })
})

describe('in the same version', () => {
  it.each<readonly [string, Mutation]>([
    [
      'a user hidden in a revision',
      revision('user', 836, (row) => ({
        ...without(row, 'user', 'userid'),
        userhidden: ''
      }))
    ],
    [
      'an edit that puts a page in front of the list of all revisions',
      revision('parentid', 424, (row) => ({ ...row, revid: 9005, timestamp: now }))
    ]
  ])('%s', (_, deed) => {
    expect(toldOf(deed, 'same')).toEqual([])
  })
})
