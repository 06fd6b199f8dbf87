/** Pages that people edit, move, delete; users that are blocked: content, which is never behaviour. */
import { describe, expect, it } from 'vitest'
import {
  type ChangeDetail,
  itemPath,
  memberPath,
  newChange,
  type Path,
  pathOf
} from '../../../src/drift/changes/change.ts'
import type { Kind } from '../../../src/drift/changes/kinds.ts'
import { compareCassettes } from '../../../src/drift/compare.ts'
import {
  type ContentFacts,
  isContent
} from '../../../src/drift/content/decide-content.ts'
import type { CassetteSide } from '../../../src/drift/inputs/cassette-side.ts'
import { side } from '../sides.ts'

const versions = { same: ['1.43.9', '1.43.9'], other: ['1.35.13', '1.43.9'] } as const
type Answers = Readonly<Record<string, unknown>>

function summaries(
  a: Answers,
  b: Answers,
  [engineA, engineB]: readonly [string, string]
): readonly string[] {
  const at = (name: string, answers: Answers, engine: string): CassetteSide =>
    side(name, answers, { manifest: { engine } })
  const { findings } = compareCassettes(at('a', a, engineA), at('b', b, engineB))
  return findings.flatMap(({ axis, severity, kind, place }) =>
    axis === 'behaviour' ? [`${severity} ${kind} ${place}`] : []
  )
}

const info = 'action=query&prop=info&titles=Волга'
const page = (more: object): unknown => ({
  query: { pages: [{ pageid: 7, ns: 0, title: 'Волга', ...more }] }
})
const before = page({ lastrevid: 10, length: 100 })
const after = page({ lastrevid: 11, length: 120 })

const parse = 'action=parse&page=Волга'
const parsed = (revid: number, text: string): unknown => ({
  parse: { title: 'Волга', pageid: 7, revid, text }
})

describe('a batch that ends sooner in the same version', () => {
  const batch = (list: string, rows: readonly object[]): Answers => ({
    [`action=query&list=${list}`]: { continue: { next: 'x' }, query: { [list]: rows } }
  })
  const rowsUpTo = (count: number, more: object): readonly object[] =>
    Array.from({ length: count }, (_, at) => ({ title: `Страница ${at}`, ...more }))

  it('is behaviour', () => {
    const a = batch('allpages', rowsUpTo(10, {}))
    const b = batch('allpages', rowsUpTo(9, {}))
    expect(summaries(a, b, versions.same)).toEqual([
      'risky continuation.batch query.allpages'
    ])
  })

  it('is content where its rows are pages whose revisions are counted', () => {
    const nested = { revisions: [{ revid: 1 }] }
    const a = batch('allrevisions', rowsUpTo(10, nested))
    const b = batch('allrevisions', rowsUpTo(9, nested))
    expect(summaries(a, b, versions.same)).toEqual([])
  })
})

describe.each(['same', 'other'] as const)('an edit, seen by the %s software', (which) => {
  const engines = versions[which]

  it('changes the page, and nothing else', () => {
    expect(summaries({ [info]: before }, { [info]: after }, engines)).toEqual([])
  })

  it('changes what is parsed of it, tags included', () => {
    const a = { [parse]: parsed(10, '<div><p>река</p></div>') }
    const b = {
      [parse]: parsed(11, '<div><p>река</p><h2><span id="x">Раздел</span></h2></div>')
    }
    expect(summaries(a, b, engines)).toEqual([])
  })

  it('is known for all requests that name the page', () => {
    const images = 'action=query&prop=pageimages&titles=Волга'
    const a = {
      [info]: before,
      [images]: page({ thumbnail: { source: 'x' }, pageimage: 'A.png' })
    }
    const b = { [info]: after, [images]: page({}) }
    expect(summaries(a, b, engines)).toEqual([])
  })

  it('deleted a page that was parsed, or that revisions are asked of', () => {
    const gone = {
      error: { code: 'missingtitle', info: 'The page you specified does not exist.' }
    }
    expect(
      summaries({ [parse]: parsed(10, '<p>река</p>') }, { [parse]: gone }, engines)
    ).toEqual([])
    expect(
      summaries({ [info]: before }, { [info]: page({ missing: true }) }, engines)
    ).toEqual([])
  })

  it('renamed a page that stands among others, named together', () => {
    const both = 'action=query&titles=Волга|Абрикос'
    const pages = (...list: readonly object[]): unknown => ({ query: { pages: list } })
    const river = { pageid: 7, ns: 0, title: 'Волга' }
    const fruit = { pageid: 8, ns: 0, title: 'Абрикос' }
    const a = { [both]: pages(river, fruit) }
    const b = { [both]: pages(fruit, { ns: 0, title: 'Волга', missing: true }) }
    expect(summaries(a, b, engines)).toEqual([])
  })

  it('blocked a user', () => {
    const users = 'action=query&list=users&ususers=Bob&usprop=blockinfo'
    const a = { [users]: { query: { users: [{ userid: 3, name: 'Bob' }] } } }
    const b = {
      [users]: {
        query: { users: [{ userid: 3, name: 'Bob', blockid: 9, blockedby: 'Admin' }] }
      }
    }
    expect(summaries(a, b, engines)).toEqual([])
  })

  it('turned a ranked list round', () => {
    const longest = 'action=query&list=querypage&qppage=Longpages'
    const list = (...titles: readonly (readonly [string, number])[]): unknown => ({
      query: {
        querypage: { results: titles.map(([title, value]) => ({ ns: 0, title, value })) }
      }
    })
    const a = { [longest]: list(['А', 30], ['Б', 20], ['В', 10]) }
    const b = { [longest]: list(['Б', 40], ['А', 30], ['В', 10]) }
    expect(summaries(a, b, engines)).toEqual([])
  })

  it('made another sort of event the newest', () => {
    const log = 'action=query&list=logevents'
    const event = (logid: number, type: string, params: object): unknown => ({
      logid,
      type,
      action: type,
      params
    })
    const a = {
      [log]: { query: { logevents: [event(5, 'block', { duration: '1 day' })] } }
    }
    const b = {
      [log]: {
        query: { logevents: [event(6, 'move', { target_title: 'Б', target_ns: 0 })] }
      }
    }
    expect(summaries(a, b, engines)).toEqual([])
  })
})

describe('a page whose content stayed', () => {
  it('is told of where other software parses it otherwise', () => {
    const a = { [parse]: parsed(10, '<p>река</p>') }
    const b = { [parse]: parsed(10, '<div><p>река</p></div>') }
    expect(summaries(a, b, versions.other)).toEqual(['risky html.structure parse.text'])
  })

  it('is told of where a field that every page has is gone', () => {
    expect(
      summaries({ [info]: before }, { [info]: page({ length: 120 }) }, versions.same)
    ).toEqual(['breaking field.removed query.pages[*].lastrevid'])
  })

  it('does not excuse an error that is not about content', () => {
    const failed = { error: { code: 'badvalue', info: 'Unrecognized value' } }
    expect(
      summaries({ [parse]: parsed(10, 'x') }, { [parse]: failed }, versions.same)
    ).toEqual(['breaking error.appeared error'])
  })

  it('keeps its order in a list by title', () => {
    const all = 'action=query&list=allpages'
    const list = (...titles: readonly string[]): unknown => ({
      query: { allpages: titles.map((title, at) => ({ pageid: at + 1, ns: 0, title })) }
    })
    const b = {
      query: {
        allpages: [
          { pageid: 2, ns: 0, title: 'Б' },
          { pageid: 1, ns: 0, title: 'А' }
        ]
      }
    }
    expect(summaries({ [all]: list('А', 'Б') }, { [all]: b }, versions.other)).toEqual([
      'risky order.changed query.allpages'
    ])
  })
})

describe('the decision', () => {
  const none: ContentFacts = {
    sameRelease: false,
    sameSoftware: false,
    known: () => undefined,
    editedPages: () => new Set(),
    renumbered: () => false,
    haveWalksOtherEnds: () => false,
    editEvidence: () => 'edited',
    isLogSame: () => false,
    renamedUsers: () => new Set(),
    isConfiguredOtherwise: () => false,
    site: undefined,
    recorded: ''
  }
  const facts = {
    none,
    same: { ...none, sameRelease: true, sameSoftware: true },
    edited: { ...none, editedPages: () => new Set(['Волга']) },
    released: {
      ...none,
      editedPages: () => new Set(['Волга']),
      known: () => ({ since: '1.37', what: 'a change', advice: 'none' })
    }
  }
  const inPage = (field: string): Path =>
    memberPath(itemPath(pathOf('query', 'pages'), 'title=Волга'), field)
  const inRow = (touched: boolean, field: string): Path =>
    memberPath(itemPath(pathOf('query', 'things'), 'revid=7', touched), field)
  const general = pathOf('query', 'general', 'case')

  it.each<readonly [string, Kind, Path, ChangeDetail, string]>([
    [
      'a value that is content',
      'value.changed',
      inPage('length'),
      {},
      'none same edited released'
    ],
    ['a value that is none', 'value.changed', general, {}, ''],
    [
      'an error about content',
      'error.appeared',
      pathOf('error'),
      { mark: 'missingtitle' },
      'none same edited released'
    ],
    ['another error', 'error.appeared', pathOf('error'), { mark: 'badvalue' }, ''],
    [
      'two errors about content',
      'error.code-changed',
      pathOf('error'),
      { note: { from: 'blocked', to: 'protectedpage' } },
      'none same edited released'
    ],
    [
      'one error about content',
      'error.code-changed',
      pathOf('error'),
      { note: { from: 'blocked', to: 'badvalue' } },
      ''
    ],
    [
      'a field of an edited page',
      'field.removed',
      inPage('thumbnail'),
      {},
      'same edited'
    ],
    ['a field of every page', 'field.removed', inPage('title'), {}, ''],
    ['a field of no page', 'field.removed', pathOf('query', 'things', 'x'), {}, ''],
    ['a value of no page', 'value.changed', pathOf('query', 'things', 'x'), {}, 'same'],
    ['another type of no page', 'type.changed', pathOf('query', 'things', 'x'), {}, ''],
    ['another type in an edited row', 'type.changed', inRow(true, 'x'), {}, 'same'],
    ['another type in the same row', 'type.changed', inRow(false, 'x'), {}, ''],
    [
      'a size in an edited row',
      'value.changed',
      inRow(true, 'size'),
      {},
      'none same edited released'
    ],
    ['a size in the same row', 'value.changed', inRow(false, 'size'), {}, ''],
    ['an order of rows that stayed', 'order.changed', pathOf('query', 'things'), {}, ''],
    ['a setting', 'field.removed', general, {}, ''],
    ['a kind that no edit causes', 'field.renamed', inPage('thumbnail'), {}, ''],
    ['the contract', 'param.removed', inPage('thumbnail'), {}, '']
  ])('%s: %s', (_, kind, path, detail, expected) => {
    const change = newChange(kind, path, detail)
    const explained = Object.entries(facts).filter(([, one]) => isContent(change, one))
    expect(explained.map(([name]) => name).join(' ')).toBe(expected)
  })
})
