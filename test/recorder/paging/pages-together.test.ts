/** Props that say something else of a page among others than of the page alone; all answers are as real wikis gave them. */
import { describe, expect, it } from 'vitest'
import { writeCompact } from '../../../src/recorder/json/write-json.ts'
import { readListings } from '../../../src/recorder/paging/joining/listings.ts'
import { synthesize } from '../../../src/recorder/paging/synthesize.ts'
import type { Identity } from '../../../src/recorder/request/api-request.ts'
import {
  type Derivation,
  derive,
  type WikiFacts
} from '../../../src/recorder/request/derive.ts'
import { bundledLookup } from '../../../src/recorder/wiki/modules/module-descriptions.ts'
import { apiRequest } from '../../helpers/api-requests.ts'
import { factsOfWiki } from '../../helpers/described-wikis.ts'
import { treeOf } from '../../helpers/recorded.ts'
import { recordedAs } from './fake-wiki.ts'

const facts: WikiFacts = {
  ...factsOfWiki('1.43'),
  lookup: bundledLookup('MediaWiki 1.43.9')
}
const others =
  'one of its props may say something else where the batch has more or fewer pages'

interface Page {
  readonly pageid: number
  readonly ns: number
  readonly title: string
}

type Member = Readonly<Record<string, unknown>>

interface Walked {
  /** `allpages` with its prefix, say. */
  readonly list: readonly [module: string, prefix: string]
  readonly more: string
  readonly pages: readonly Page[]
  /** What the props add to a page. */
  readonly add: (page: Page) => Member
}

const keyOf = ({ ns, title }: Page): string =>
  ns === 0 ? title : title.slice(title.indexOf(':') + 1)

function queryOf(
  { list: [module, prefix], more, pages }: Walked,
  at: number,
  size: number | string
): string {
  const [page] = pages.slice(at)
  const from = at === 0 || page === undefined ? '' : `&${prefix}continue=${keyOf(page)}`
  const going = at === 0 ? '&continue=' : `&continue=${prefix}continue||`
  return `generator=${module}&${prefix}limit=${size}&${more}${going}${from}`
}

function answerOf(
  { list: [, prefix], pages, add }: Walked,
  at: number,
  size: number
): string {
  const next = pages[at + size]
  const head = next && {
    continue: { [`${prefix}continue`]: keyOf(next), continue: `${prefix}continue||` }
  }
  const shown = pages.slice(at, at + size).map((page) => {
    return [String(page.pageid), { ...page, ...add(page) }] as const
  })
  return JSON.stringify({
    batchcomplete: '',
    ...head,
    query: { pages: Object.fromEntries(shown) }
  })
}

const deriveAs = (query: string, identity: Identity = 'anonymous'): Derivation =>
  derive(apiRequest(`action=query&format=json&${query}`, { identity }), facts)

type Recorded = readonly (readonly [query: string, answer: string])[]

/** What is answered, or why nothing is. */
function ask(query: string, recorded: Recorded, identity?: Identity): string {
  const batches = recorded.map(([one, answer]) =>
    recordedAs(deriveAs(one, identity), treeOf(answer))
  )
  const said = synthesize(deriveAs(query, identity), readListings(batches, facts), facts)
  if (said.kind === 'synthesized') return writeCompact(said.body, 'utf8')
  return said.kind === 'conflict' ? said.what : said.why
}

/** The first batches of that size. */
const walk = (walked: Walked, size: number, batches: number): Recorded =>
  Array.from({ length: batches }, (_, nth) => [
    queryOf(walked, nth * size, size),
    answerOf(walked, nth * size, size)
  ])

const articles = ['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((title, at) => ({
  pageid: at + 1,
  ns: 0,
  title
}))
const revisionOf = (page: Page) => ({
  revid: 100 + page.pageid,
  timestamp: '2024-01-01T00:00:00Z'
})
const allpages = (more: string, add: Walked['add']): Walked => {
  return { list: ['allpages', 'gap'], more, pages: articles, add }
}

describe('the newest revision of each page', () => {
  const newest = (page: Page) => ({ revisions: [revisionOf(page)] })

  it.each([
    'prop=revisions',
    'prop=revisions&rvprop=ids|timestamp',
    'prop=revisions&rvtag=x'
  ])('comes for more pages at once than were recorded: %s', (more) => {
    const all = allpages(more, newest)
    const recorded = walk(all, 2, 3)
    for (const size of [1, 3, 4, 5])
      expect(ask(queryOf(all, 0, size), recorded)).toBe(answerOf(all, 0, size))
    expect(ask(queryOf(all, 2, 4), recorded)).toBe(answerOf(all, 2, 4))
    const whole = walk(all, 2, 4)
    for (const size of [7, 50, 500])
      expect(ask(queryOf(all, 0, size), whole)).toBe(answerOf(all, 0, size))
  })

  it('with its text is a miss for more, since fewer texts come at once', () => {
    const all = allpages('prop=revisions&rvprop=ids|content', newest)
    expect(ask(queryOf(all, 0, 1), walk(all, 2, 2))).toBe(answerOf(all, 0, 1))
    expect(ask(queryOf(all, 0, 3), walk(all, 2, 2))).toBe(
      'no recording proves how its props continue inside a batch'
    )
  })
})

describe('revisions of one page', () => {
  it.each(['rvlimit=5', 'rvdir=newer', 'rvuser=Bob', 'rvstart=20240101000000'])(
    'are refused by the wiki where there are several: %s',
    (sent) => {
      const all = allpages(`prop=revisions&${sent}`, (page) => ({
        revisions: [revisionOf(page)]
      }))
      const raw = queryOf(all, 0, 1).replace('&continue=', '&rawcontinue=')
      expect(ask(queryOf(all, 0, 2), walk(all, 1, 2))).toBe(others)
      expect(ask(raw, walk(all, 1, 2))).toContain(
        '"query-continue":{"allpages":{"gapcontinue":"B"}}'
      )
    }
  )
})

describe('the maximum of a prop', () => {
  const categories = Array.from({ length: 300 }, (_, at) => {
    return { ns: 14, title: `Категория:${String(at).padStart(3, '0')}` }
  })
  const all = allpages('prop=categories&cllimit=max', () => ({ categories }))

  it('is another for users than for everybody, so that no answer says where theirs are cut', () => {
    const query = queryOf(all, 0, 2)
    expect(ask(query, walk(all, 1, 3))).toContain('"clcontinue":"2|200"')
    expect(ask(query, walk(all, 1, 3), 'user:Bob')).toBe(
      'no recording proves how its props continue inside a batch'
    )
  })
})

describe('versions of files', () => {
  const pages = ['A', 'B', 'C'].map((title, at) => ({
    pageid: at + 1,
    ns: 6,
    title: `Файл:${title}`
  }))
  const shown = (count: number) => ({
    imagerepository: 'local',
    imageinfo: Array(count).fill({ size: 1 })
  })
  const files = (more: string, count: number): Walked => {
    return { list: ['allimages', 'gai'], more, pages, add: () => shown(count) }
  }
  const limited = files('prop=imageinfo', 1)

  it('may be more than those of a file that fills its limit, which only an answer about it alone says', () => {
    expect(ask(queryOf(limited, 0, 1), walk(limited, 2, 2))).toBe(others)
    expect(ask(queryOf(limited, 2, 1), walk(limited, 2, 2))).toBe(answerOf(limited, 2, 1))
    expect(ask(queryOf(limited, 2, 50), walk(limited, 2, 2))).toBe(
      answerOf(limited, 2, 50)
    )
    const fewer = files('prop=imageinfo&iilimit=2', 1)
    expect(ask(queryOf(fewer, 0, 1), walk(fewer, 2, 2))).toBe(answerOf(fewer, 0, 1))
  })

  it('are no more than the limit among others, however many a file has alone', () => {
    const first = queryOf(limited, 0, 1)
    const next = { continue: { iistart: '2024-01-01T00:00:00Z', continue: '||' } }
    const page = JSON.stringify({ 1: { ...pages[0], ...shown(1) } })
    const begun = `{"continue":${JSON.stringify(next.continue)},"query":{"pages":${page}}}`
    const inside = `${first.replace('&continue=', '&continue=||')}&iistart=2024-01-01T00:00:00Z`
    const recorded: Recorded = [
      [first, begun],
      [inside, answerOf(limited, 0, 1)],
      [queryOf(limited, 1, 2), answerOf(limited, 1, 2)]
    ]
    expect(ask(queryOf(limited, 0, 2), recorded)).toBe(others)
  })
})
