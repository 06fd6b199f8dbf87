/** Requests whose limit or continue value means something else than elsewhere; each was seen on a real wiki. */
import { describe, expect, test } from 'vitest'
import type { Interaction } from '../../../src/recorder/cassette/interaction.ts'
import { readJson } from '../../../src/recorder/json/read-json.ts'
import { writeCompact } from '../../../src/recorder/json/write-json.ts'
import { readListings } from '../../../src/recorder/paging/joining/listings.ts'
import type { Synthesis } from '../../../src/recorder/paging/synthesis.ts'
import { synthesize } from '../../../src/recorder/paging/synthesize.ts'
import {
  type Derivation,
  derive,
  type WikiFacts
} from '../../../src/recorder/request/derive.ts'
import { decodeModule } from '../../../src/recorder/wiki/modules/module-descriptions.ts'
import { apiRequest } from '../../helpers/api-requests.ts'
import { factsOfWiki } from '../../helpers/described-wikis.ts'
import { recordedAs } from './fake-wiki.ts'
import { tapeOf } from './tape.ts'

const limit = {
  name: 'limit',
  type: 'limit',
  default: 10,
  min: 1,
  max: 500,
  highmax: 5000
}
const modules = new Map(
  (
    [
      ['alldeletedrevisions', 'adr', 'list', 'user'],
      ['alllinks', 'al', 'list', 'from'],
      ['backlinks', 'bl', 'list', 'redirect'],
      ['contributors', 'pc', 'prop', 'x'],
      ['extracts', 'ex', 'prop', 'intro'],
      ['protectedtitles', 'pt', 'list', 'level'],
      ['recentchanges', 'rc', 'list', 'user']
    ] as const
  ).map(([name, prefix, group, more]) => {
    const parameters = [
      limit,
      { name: 'continue', type: 'string' },
      { name: more, type: more === 'user' || more === 'from' ? 'string' : 'boolean' },
      ...(name === 'alllinks'
        ? [
            { name: 'dir', type: ['ascending', 'descending'], default: 'ascending' },
            { name: 'unique', type: 'boolean' }
          ]
        : [])
    ]
    return [
      `query+${name}`,
      decodeModule({
        path: `query+${name}`,
        prefix,
        group,
        generator: group === 'list',
        parameters
      })
    ]
  })
)
const { lookup, site } = factsOfWiki('1.43')
const facts: WikiFacts = { site, lookup: (path) => modules.get(path) ?? lookup(path) }

const deriveQuery = (query: string): Derivation =>
  derive(apiRequest(`action=query&format=json&${query}`), facts)

function record([query, text]: readonly [string, string]): Interaction {
  const reading = readJson(text)
  if (!reading.ok) throw new Error(reading.fault.message)
  return recordedAs(deriveQuery(query), reading.tree)
}

type Recorded = readonly (readonly [query: string, answer: string])[]

const ask = (query: string, recorded: Recorded): Synthesis =>
  synthesize(deriveQuery(query), readListings(recorded.map(record), facts), facts)

const page = (id: number, more = ''): string =>
  `"${id}":{"pageid":${id},"ns":0,"title":"P${id}"${more}}`
const pages = (text: string): string => `"query":{"pages":{${text}}}`

const recentOnes: Recorded = [
  [
    'generator=recentchanges&grclimit=1',
    `{"batchcomplete":"","continue":{"grccontinue":"20240901134000|779","continue":"grccontinue||"},${pages(page(487))}}`
  ],
  [
    'generator=recentchanges&grclimit=1&grccontinue=20240901134000|779&continue=grccontinue||',
    `{"batchcomplete":"",${pages(page(445))}}`
  ]
]

describe('is a miss', () => {
  test('a generator of revisions of deleted pages, which are no pages', () => {
    const recorded: Recorded = [
      [
        'generator=alldeletedrevisions&gadrlimit=5',
        '{"batchcomplete":"","query":{"badrevids":{"465":{"revid":465,"missing":""},"161":{"revid":161,"missing":""}}}}'
      ]
    ]
    expect(ask('generator=alldeletedrevisions&gadrlimit=1', recorded).kind).not.toBe(
      'synthesized'
    )
  })

  const extract = (letter: string): string => `,"extract":"<p>${letter}</p>"`
  const warning = '"warnings":{"extracts":{"*":"HTML may be malformed."}}'

  test('a higher limit of whole extracts, of which one comes at a time', () => {
    const titles = 'prop=extracts&titles=P1|P2'
    const recorded: Recorded = [
      [
        `${titles}&exlimit=1`,
        `{"continue":{"excontinue":1,"continue":"||"},${warning},${pages(`${page(1, extract('a'))},${page(2)}`)}}`
      ],
      [
        `${titles}&exlimit=1&excontinue=1&continue=||`,
        `{"batchcomplete":"",${warning},${pages(`${page(1)},${page(2, extract('b'))}`)}}`
      ]
    ]
    expect(ask(`${titles}&exlimit=2`, recorded).kind).not.toBe('synthesized')
    const intros = recorded.map(([query, text]) => [`${query}&exintro=`, text] as const)
    expect(ask(`${titles}&exlimit=2&exintro=`, intros).kind).toBe('synthesized')
  })

  test('a batch of extracts beside a warning that is of some of the pages', () => {
    const titles = 'prop=extracts&titles=P1|P2&exintro='
    const both = `${pages(`${page(1, extract('a'))},${page(2, extract('b'))}`)}`
    const said = (warned: string) =>
      ask(`${titles}&exlimit=1`, [
        [`${titles}&exlimit=5`, `{"batchcomplete":"",${warned},${both}}`]
      ]).kind
    expect(said(warning)).toBe('synthesized')
    const ofFile =
      'malformed.\\nExtract for a title in File namespace was requested, none'
    expect(said(warning.replace('malformed', ofFile))).not.toBe('synthesized')
  })

  test('whole extracts of the pages of a generator in other batches', () => {
    const recorded: Recorded = [
      [
        'generator=allpages&gaplimit=1&prop=extracts',
        `{"batchcomplete":"","continue":{"gapcontinue":"P2","continue":"gapcontinue||"},${warning},${pages(page(1, extract('a')))}}`
      ],
      [
        'generator=allpages&gaplimit=1&prop=extracts&gapcontinue=P2&continue=gapcontinue||',
        `{"batchcomplete":"",${warning},${pages(page(2, extract('b')))}}`
      ]
    ]
    expect(ask('generator=allpages&gaplimit=2&prop=extracts', recorded).kind).not.toBe(
      'synthesized'
    )
  })
})

describe('a miss of links', () => {
  test('links to redirects, whose limit counts two levels and has a lower maximum', () => {
    const answer =
      '{"batchcomplete":"","query":{"backlinks":[{"pageid":4,"ns":2,"title":"Участник:Bob"},{"pageid":232,"ns":2,"title":"Участник:Алиса"}]}}'
    const asked = (limit: number, redirect: string): string =>
      `list=backlinks&bltitle=Волга&bllimit=${limit}${redirect}`
    const askBoth = (redirect: string): string =>
      ask(asked(500, redirect), [[asked(10, redirect), answer]]).kind
    expect(askBoth('&blredirect=')).not.toBe('synthesized')
    expect(askBoth('')).toBe('synthesized')
  })

  // The wiki sorts by an id of the target, upwards in any case, and goes on downwards: what lies behind depends on the cut.
  test.each(['aldir=descending', 'alfrom=P1'])(
    'links by the id of their target, %s',
    (param) => {
      const row = (title: string): string => `{"ns":0,"title":"${title}"}`
      const walked = (more: string): Recorded => [
        [
          `list=alllinks&allimit=2${more}`,
          `{"batchcomplete":"","continue":{"alcontinue":"1|143","continue":"-||"},"query":{"alllinks":[${row('P1')},${row('P1')}]}}`
        ],
        [
          `list=alllinks&allimit=2${more}&alcontinue=1|143&continue=-||`,
          `{"batchcomplete":"","query":{"alllinks":[${row('P1')}]}}`
        ]
      ]
      expect(ask('list=alllinks&allimit=10', walked('')).kind).toBe('synthesized')
      expect(ask(`list=alllinks&allimit=10&${param}`, walked(`&${param}`)).kind).not.toBe(
        'synthesized'
      )
    }
  )

  test('each target once, which the wiki sorts by id and goes on by title', () => {
    const unique = 'list=alllinks&alunique='
    const recorded: Recorded = [
      [
        `${unique}&allimit=9`,
        '{"batchcomplete":"","query":{"alllinks":[{"title":"P1"},{"title":"P2"}]}}'
      ]
    ]
    expect(ask(`${unique}&allimit=1`, recorded).kind).not.toBe('synthesized')
    const old = { ...facts, site: site && { ...site, generator: 'MediaWiki 1.39.17' } }
    const listings = readListings(recorded.map(record), old)
    expect(synthesize(deriveQuery(`${unique}&allimit=1`), listings, old).kind).toBe(
      'synthesized'
    )
  })

  test('the old dialect of a generator that says where its batch began', () => {
    const begun = 'generator=recentchanges&grclimit=1'
    expect(ask(begun, recentOnes).kind).toBe('synthesized')
    expect(ask(`${begun}&rawcontinue=`, recentOnes).kind).not.toBe('synthesized')
  })
})

test('page ids beside the pages of a generator follow the batch', () => {
  const indexed = (ids: readonly number[], head: string): string =>
    `{"batchcomplete":"",${head}"query":{"pageids":[${ids.map((id) => `"${id}"`).join()}],"pages":{${ids.map((id) => page(id)).join()}}}}`
  const next = '"continue":{"gapcontinue":"P3","continue":"gapcontinue||"},'
  const asked = 'generator=allpages&indexpageids=&continue='
  const recorded: Recorded = [
    [`${asked}&gaplimit=2`, indexed([1, 2], next)],
    [
      'generator=allpages&indexpageids=&gaplimit=2&gapcontinue=P3&continue=gapcontinue||',
      indexed([3, 4], '')
    ]
  ]
  const said = ask(`${asked}&gaplimit=1`, recorded)
  expect(said.kind === 'synthesized' && writeCompact(said.body, 'utf8')).toBe(
    indexed([1], next.replace('P3', 'P2'))
  )
  const others = recorded.map(
    ([query, text]) => [query, text.replaceAll('"1","2"', '"2","1"')] as const
  )
  expect(ask(`${asked}&gaplimit=1`, others).kind).not.toBe('synthesized')
})

describe('pages that do not exist', () => {
  const missing = [
    { ns: 0, title: 'C' },
    { ns: 1, title: 'Talk:B' },
    { ns: 0, title: 'A' }
  ]
  const values = missing.map((_, at) => `2025011${9 - at}000000|0|T`)
  const go = (at: number): string =>
    at === missing.length
      ? ''
      : `"continue":{"gptcontinue":"${values[at]}","continue":"gptcontinue||"},`
  const asked = (at: number, size: number): string =>
    `generator=protectedtitles&gptlimit=${size}${at === 0 ? '&continue=' : `&gptcontinue=${values[at]}&continue=gptcontinue||`}`
  const one = ({ ns, title }: { ns: number; title: string }, mark: string): string =>
    `{"ns":${ns},"title":"${title}","missing":${mark}}`
  const answerOf = (done: string, at: number, size: number, inside: string): string =>
    `{"batchcomplete":${done},${go(at + size)}"query":{"pages":${inside}}}`

  test('are numbered namespace by namespace', () => {
    const recorded = missing.map(
      (row, at) =>
        [asked(at, 1), answerOf('""', at, 1, `{"-1":${one(row, '""')}}`)] as const
    )
    const said = ask(asked(0, 3), recorded)
    const [c, b, a] = missing.map((row) => one(row, '""'))
    expect(said.kind === 'synthesized' && writeCompact(said.body, 'utf8')).toBe(
      answerOf('""', 0, 3, `{"-1":${c},"-2":${a},"-3":${b}}`)
    )
  })

  test('come in reverse in formatversion 2, which sorts them by these numbers', () => {
    const recorded = missing.map(
      (row, at) =>
        [
          `${asked(at, 1)}&formatversion=2`,
          answerOf('true', at, 1, `[${one(row, 'true')}]`)
        ] as const
    )
    const said = ask(`${asked(0, 3)}&formatversion=2`, recorded)
    const [c, b, a] = missing.map((row) => one(row, 'true'))
    expect(said.kind === 'synthesized' && writeCompact(said.body, 'utf8')).toBe(
      answerOf('true', 0, 3, `[${b},${a},${c}]`)
    )
  })
})

test('a warning that quotes a set in the order sent is given to that order only', () => {
  const asked = (files: string, size: number): string =>
    `prop=images&titles=P1&imlimit=${size}&imimages=${files}&continue=`
  const answer =
    '{"batchcomplete":"","warnings":{"images":{"*":"\\"b\\" is not a file.\\n\\"a\\" is not a file."}},"query":{"pages":{"1":{"pageid":1,"ns":0,"title":"P1","images":[{"ns":6,"title":"Файл:A.png"}]}}}}'
  const recorded: Recorded = [[asked('b|a', 5), answer]]
  expect(ask(asked('b|a', 7), recorded).kind).toBe('synthesized')
  expect(ask(asked('a|b', 7), recorded).kind).not.toBe('synthesized')
})

test('a batch of pages without any rows of a prop does not show that so many rows fit into one answer', () => {
  const asked = (at: number, size: number): string =>
    `generator=allpages&gaplimit=${size}&prop=categories&cllimit=1${at === 1 ? '&continue=' : `&gapcontinue=P${at}&continue=gapcontinue||`}`
  const row = (name: string): string =>
    `,"categories":[{"ns":14,"title":"Категория:${name}"}]`
  const recorded: Recorded = [
    [
      asked(1, 3),
      `{"batchcomplete":"","continue":{"gapcontinue":"P4","continue":"gapcontinue||"},${pages([1, 2, 3].map((id) => page(id)).join())}}`
    ],
    [
      asked(4, 3),
      `{"continue":{"clcontinue":"4|B","gapcontinue":"P4","continue":"gapcontinue||"},${pages([page(4, row('A')), page(5), page(6)].join())}}`
    ],
    [
      asked(4, 3).replace('&gapcontinue', '&clcontinue=4|B&gapcontinue'),
      `{"batchcomplete":"",${pages([page(4, row('B')), page(5), page(6)].join())}}`
    ]
  ]
  const said = ask(asked(4, 2), recorded)
  expect(said.kind === 'synthesized' && writeCompact(said.body, 'utf8')).toBe(
    `{"continue":{"clcontinue":"4|B","gapcontinue":"P4","continue":"gapcontinue||"},${pages([page(4, row('A')), page(5)].join())}}`
  )
})

test('what max came to is said in every batch, who asks in the first only', () => {
  const asked = (at: number, size: number): string =>
    `generator=allpages&gaplimit=${size}&prop=categories&cllimit=max&meta=userinfo${at === 1 ? '&continue=' : `&gapcontinue=P${at}&continue=gapcontinue||userinfo`}`
  const answer = (next: string, some: string, user: string): string =>
    `{"batchcomplete":"",${next}"limits":{"categories":500},"query":{"pages":{${some}}${user}}}`
  const user = ',"userinfo":{"id":0,"name":"127.0.0.1"}'
  const found = (...ids: readonly number[]): string => ids.map((id) => page(id)).join()
  const recorded: Recorded = [[asked(1, 5), answer('', found(1, 2, 3), user)]]
  const said = (at: number, size: number): string => {
    const made = ask(asked(at, size), recorded)
    return made.kind === 'synthesized'
      ? writeCompact(made.body, 'utf8')
      : JSON.stringify(made)
  }
  const next = '"continue":{"gapcontinue":"P3","continue":"gapcontinue||userinfo"},'
  expect(said(1, 2)).toBe(answer(next, found(1, 2), user))
  expect(said(3, 2)).toBe(answer('', found(3), ''))
})

test('which pages count anonymous contributors inside of a batch of another size is not known', () => {
  const row = (id: number): string => `,"contributors":[{"userid":${id},"name":"U${id}"}]`
  const asked = 'generator=allpages&gaplimit=2&prop=contributors&pclimit=1'
  const walked = (extra: string): Recorded =>
    [1, 3].flatMap((id): Recorded => {
      const place = id === 1 ? '' : '&gapcontinue=P3'
      const name = id === 1 ? '' : 'gapcontinue'
      const repeated = id === 1 ? '' : '"gapcontinue":"P3",'
      const rest =
        id === 1 ? '"continue":{"gapcontinue":"P3","continue":"gapcontinue||"},' : ''
      const going = `"continue":{"pccontinue":"${id + 1}|${id + 1}",${repeated}"continue":"${name}||"}`
      return [
        [
          `${asked}${place}&continue=${id === 1 ? '' : `${name}||`}`,
          `{${going},${pages(`${page(id, extra + row(id))},${page(id + 1)}`)}}`
        ],
        [
          `${asked}${place}&pccontinue=${id + 1}|${id + 1}&continue=${name}||`,
          `{"batchcomplete":"",${rest}${pages(`${page(id)},${page(id + 1, row(id + 1))}`)}}`
        ]
      ]
    })
  const inside =
    'generator=allpages&gaplimit=4&prop=contributors&pclimit=1&pccontinue=2|2&continue=||'
  expect(ask(inside, walked('')).kind).toBe('synthesized')
  expect(ask(inside, walked(',"anoncontributors":1')).kind).not.toBe('synthesized')
})

test('pages without rows of a prop fit where as many without rows were seen to fit', () => {
  const pages = ['A', 'B', 'C', 'D'].map(
    (title, at) => `"${at + 1}":{"pageid":${at + 1},"ns":0,"title":"${title}"}`
  )
  const recorded: Recorded = [
    [
      'generator=allpages&gaplimit=4&prop=contributors&pclimit=1',
      `{"batchcomplete":"","query":{"pages":{${pages.join()}}}}`
    ]
  ]
  const found = ask('generator=allpages&gaplimit=2&prop=contributors&pclimit=1', recorded)
  expect(found.kind === 'synthesized' ? writeCompact(found.body, 'utf8') : found).toBe(
    `{"batchcomplete":"","continue":{"gapcontinue":"C","continue":"gapcontinue||"},"query":{"pages":{${pages.slice(0, 2).join()}}}}`
  )
})

describe('an invalid title', () => {
  const pages = (contributors: string, formatversion: string): string => {
    const bad = '"title":"A[b]","invalidreason":"No brackets."'
    const flag = formatversion === '1' ? '""' : 'true'
    const invalid = `{${bad},"invalid":${flag}}`
    const other = `{"pageid":7,"ns":0,"title":"P"${contributors}}`
    return formatversion === '1'
      ? `{"-1":${invalid},"7":${other}}`
      : `[${invalid},${other}]`
  }
  const answer = (rows: string, formatversion: string): string =>
    `{"batchcomplete":${formatversion === '1' ? '""' : 'true'},"query":{"pages":${pages(rows, formatversion)}}}`

  test.each(['1', '2'])(
    'keeps the order of its members (formatversion %s)',
    (formatversion) => {
      for (const more of ['', ',"anoncontributors":2']) {
        const query = `formatversion=${formatversion}&prop=contributors&titles=P|A[b]`
        const text = answer(`${more},"contributors":[{"userid":3}]`, formatversion)
        const said = ask(query, [[`${query}&pclimit=7`, text]])
        expect(said.kind === 'synthesized' && writeCompact(said.body, 'utf8')).toBe(text)
      }
    }
  )

  test('has no members of a prop', () => {
    const query = 'prop=categories&titles=P|A[b]'
    const text = answer(',"categories":[{"ns":14,"title":"Category:C"}]', '1')
    expect(ask(`${query}&cllimit=20`, [[query, text]]).kind).toBe('synthesized')
  })
})

describe('a list of all links with each target once', () => {
  const parts = (module: string, prefix: string, generator: string): string => {
    const { record, ask } = tapeOf({ generator })
    const query = `list=${module}&${prefix}unique=1&${prefix}limit=`
    const title = (name: string): object => ({ ns: 0, title: name })
    const first = record(`${query}2`, {
      batchcomplete: '',
      continue: { [`${prefix}continue`]: 'C', continue: '-||' },
      query: { [module]: [title('A'), title('B')] }
    })
    const second = record(`${query}2&${prefix}continue=C&continue=-||`, {
      batchcomplete: '',
      query: { [module]: [title('C'), title('D')] }
    })
    return ask(`${query}1`, first, second)
  }
  const unsorted = /another order than its continue values/

  test('goes on by title, where no id of targets sorts it', () => {
    expect(parts('allredirects', 'ar', 'MediaWiki 1.43.9')).toMatch(/^\{/)
    expect(parts('alllinks', 'al', 'MediaWiki 1.39.17')).toMatch(/^\{/)
    expect(parts('alllinks', 'al', 'MediaWiki 1.43.9')).toMatch(unsorted)
    expect(parts('allfileusages', 'af', 'MediaWiki 1.43.9')).not.toMatch(unsorted)
    expect(parts('allfileusages', 'af', 'MediaWiki 1.45.0')).toMatch(unsorted)
  })
})
