/** What a recorded page proves of writes to other pages: by what is in it, or by when it was last touched. */
import { describe, expect, it } from 'vitest'
import { isPageCurrent } from '../../../../src/recorder/playback/compose/page-validity.ts'
import type { SessionWrite } from '../../../../src/recorder/playback/session/write-log.ts'
import { derive } from '../../../../src/recorder/request/derive.ts'
import {
  parseRequestKey,
  type RequestKey
} from '../../../../src/recorder/request/request-key.ts'
import {
  type WriteSet,
  writeSetOfDone
} from '../../../../src/recorder/wiki/effects/write-set.ts'
import { apiRequest } from '../../../helpers/api-requests.ts'
import { factsOfWiki } from '../../../helpers/described-wikis.ts'
import { interactionOf, treeOf } from '../../../helpers/recorded.ts'

const facts = factsOfWiki('1.43')
const old = '2020-01-01T00:00:00Z'
const minute = (at: number): string => `2026-11-28T10:0${at}:00Z`

let count = 0
function keyed(writeSet: WriteSet): SessionWrite {
  count += 1
  const key = parseRequestKey(String(count).padStart(12, '0'))
  return key === undefined ? expect.fail() : { key, writeSet }
}

const done = (
  request: Readonly<Record<string, string>>,
  how: 'created' | 'edited' | 'watched' | undefined,
  at?: string
): SessionWrite => {
  const titles = [request['title'] ?? request['to'] ?? []].flat()
  const outcome = { titles, ids: [], how, at, overwrites: false }
  return keyed(writeSetOfDone(new Map(Object.entries(request)), outcome, facts.site))
}
const edit = (
  title: string,
  at: number,
  how: 'created' | 'edited' = 'created',
  text = 'plain'
): SessionWrite => done({ action: 'edit', title, text }, how, minute(at))

const query =
  'action=query&prop=revisions|info|categoryinfo&rvslots=main&rvprop=content&titles=A&meta=userinfo&uiprop=blockinfo|hasmsg'

/** True if the page holds after `made`, recorded after `recorded`. */
function holds(
  page: Readonly<Record<string, unknown>>,
  recorded: readonly SessionWrite[],
  made: readonly SessionWrite[],
  asked = query
): boolean {
  const { canonical } = derive(apiRequest(asked), facts)
  const epoch = recorded.map(({ key }) => key).join(' ')
  const from = interactionOf({
    ...Object.fromEntries(canonical),
    ...(epoch === '' ? {} : { 'after writes': epoch })
  })
  const known = new Map<RequestKey, WriteSet>(
    recorded.map(({ key, writeSet }) => [key, writeSet])
  )
  const history = {
    writes: made,
    writeSetOf: (key: RequestKey) => known.get(key),
    isOlder: false
  }
  const shown = treeOf(
    JSON.stringify({ pageid: 5, ns: 0, title: 'A', touched: old, ...page })
  )
  const part = { from, requested: canonical, by: 'titles', page: 'A', shown } as const
  return isPageCurrent(part, history, facts.site)
}

const texted = (text: string, touched = old): Readonly<Record<string, unknown>> => ({
  touched,
  revisions: [{ slots: { main: { '*': text } } }]
})
const linking = texted('[[B]] {{T}}')

describe('a page that links to nothing and includes nothing', () => {
  const plain = texted('plain', minute(1))
  const own = edit('A', 1)

  it('is left alone by edits of other pages, however many', () => {
    expect(holds(plain, [own], [own, edit('B', 2)])).toBe(true)
    expect(holds(plain, [own, edit('B', 2)], [own])).toBe(true)
    expect(holds(plain, [own, edit('B', 2)], [own, edit('C', 2), edit('B', 2)])).toBe(
      true
    )
  })

  it('is known as such by its text alone', () => {
    for (const text of ['[[B]]', '{{B}}', '<nowiki/>', '__TOC__'])
      expect(holds(texted(text, minute(1)), [own], [own, edit('B', 2)]), text).toBe(false)
    const rich = edit('A', 1, 'edited', '[[B]]')
    const section = `${query}&rvsection=1`
    expect(holds(plain, [rich], [rich, edit('B', 2)])).toBe(true)
    expect(holds(plain, [rich], [rich, edit('B', 2)], section)).toBe(false)
  })

  it('is known as such by the text that was sent', () => {
    const short = 'action=query&prop=info&titles=A'
    expect(holds({}, [own], [own, edit('B', 2)], short)).toBe(true)
    const rich = edit('A', 1, 'edited', '[[B]]')
    expect(holds({}, [rich], [rich, edit('B', 2)], short)).toBe(false)
    const part = done(
      { action: 'edit', title: 'A', section: '1', text: 'x' },
      'edited',
      minute(1)
    )
    expect(holds({}, [part], [part, edit('B', 2)], short)).toBe(false)
    const signed = edit('A', 1, 'edited', '~~~~')
    expect(holds({}, [signed], [signed, edit('B', 2)], short)).toBe(false)
  })

  it('is changed by its own edits, purges, moves, refused edits, and edits of other kinds of pages', () => {
    const refused = done({ action: 'edit', title: 'B', text: 'x' }, undefined)
    const purge = keyed({ kind: 'purge' })
    const move = done({ action: 'move', from: 'X', to: 'Y' }, undefined)
    const others = [
      'User:Bob',
      'User talk:Bob',
      'Talk:B',
      'Category:B',
      'File:B.png',
      'Template:B'
    ]
    for (const one of [
      edit('A', 2),
      purge,
      move,
      refused,
      ...others.map((title) => edit(title, 2))
    ])
      expect(holds(plain, [own], [own, one])).toBe(false)
  })

  it('may be protected by a page that was there before', () => {
    const asked = `${query}&inprop=protection`
    expect(holds(plain, [own], [own, edit('B', 2)], asked)).toBe(true)
    expect(holds(plain, [own], [own, edit('B', 2, 'edited')], asked)).toBe(false)
    const created = edit('B', 2)
    expect(holds(plain, [own], [own, created, edit('B', 3, 'edited')], asked)).toBe(true)
  })

  it('is no category and no file, and nothing more is asked', () => {
    for (const [ns, title] of [
      [14, 'Category:A'],
      [6, 'File:A.png']
    ] as const)
      expect(holds({ ...plain, ns, title }, [own], [own, edit('B', 2)])).toBe(false)
    for (const more of [
      '&inprop=watchers',
      '&inprop=displaytitle',
      '&redirects=1',
      '&prop=info|links'
    ])
      expect(holds(plain, [own], [own, edit('B', 2)], query + more), more).toBe(false)
  })
})

describe('a page that does not exist', () => {
  const missing = { missing: '', touched: undefined, pageid: undefined }

  it('is left alone by edits of other pages and by purges', () => {
    expect(holds(missing, [], [edit('B', 1), keyed({ kind: 'purge' })])).toBe(true)
    expect(holds(missing, [], [edit('A', 1)])).toBe(false)
    expect(
      holds(missing, [], [done({ action: 'move', from: 'B', to: 'A' }, undefined)])
    ).toBe(false)
  })
})

describe('a page that was last touched before the first of the writes', () => {
  const b = edit('B', 1)
  const move = done({ action: 'move', from: 'X', to: 'Y' }, undefined)
  const c = edit('C', 3)

  it('is left alone by each of them', () => {
    expect(holds(linking, [b, move, c], [])).toBe(true)
    expect(holds(linking, [b, move, c], [c])).toBe(true)
    expect(holds(linking, [b, move, c], [c, b])).toBe(true)
  })

  it('is left alone by more edits of the same pages', () => {
    expect(holds(linking, [b], [b, edit('B', 4, 'edited')])).toBe(true)
    expect(holds(linking, [b], [b, edit('D', 4)])).toBe(false)
    // Who links to a page is touched when it is created, not when it is edited.
    const edited = edit('E', 1, 'edited')
    expect(holds(linking, [edited], [edit('E', 4)])).toBe(false)
    expect(holds(linking, [edited], [edited, edit('E', 4, 'edited')])).toBe(true)
  })

  it('says nothing if it was touched meanwhile, or in the same second', () => {
    expect(holds(texted('[[B]]', minute(1)), [b, c], [])).toBe(false)
    expect(holds(texted('[[B]]', minute(2)), [b, c], [])).toBe(false)
  })

  it('says nothing of writes whose time is not known, and of those that are no edits', () => {
    expect(holds(linking, [move, b], [])).toBe(false)
    for (const action of ['delete', 'protect', 'block'])
      expect(
        holds(linking, [b, done({ action, title: 'Z' }, undefined)], []),
        action
      ).toBe(false)
  })
})

describe('the same edits in another order', () => {
  const b = edit('B', 1)
  const c = edit('C', 3)

  it('leave alone a page that was touched before them or behind them', () => {
    const z = done({ action: 'protect', title: 'Z' }, undefined)
    expect(holds(texted('[[B]]', minute(4)), [b, c, z], [c, b, z])).toBe(true)
    expect(holds(linking, [b, c, z], [c, b, z])).toBe(true)
    expect(holds(texted('[[B]]', minute(3)), [b, c, z], [c, b, z])).toBe(false)
    expect(holds(texted('[[B]]', minute(2)), [b, c, z], [c, b, z])).toBe(false)
    expect(holds(texted('[[B]]', minute(4)), [b, z, c], [c, z, b])).toBe(false)
  })
})
