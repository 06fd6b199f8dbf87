/** Each rule of a review: once where it applies, and once where it nearly does. */
import { describe, expect, it } from 'vitest'
import { reviewTraffic } from '../../src/review/review.ts'
import rules from '../../src/review/rules.json' with { type: 'json' }
import type { Exchange, RunLogRequest } from '../../src/review/traffic.ts'
import { exchange, logOf } from './traffic.ts'

interface Traffic {
  readonly exchanges: readonly Exchange[]
  readonly log?: readonly RunLogRequest[] | undefined
}

interface Case extends Traffic {
  readonly name: string
  readonly finds: readonly string[]
}

const query = (rest: string): string => `action=query&formatversion=2&${rest}`
const findings = ({ exchanges, log }: Traffic): readonly string[] =>
  reviewTraffic(exchanges, log).findings.map(
    ({ severity, rule }) => `${severity} ${rule}`
  )

const allpages = (rest: string, next?: string): Exchange =>
  exchange(
    query(`list=allpages${rest}`),
    next === undefined ? {} : { continue: { apcontinue: next, continue: '-||' } }
  )
const cut = (severity: string): readonly string[] => [`${severity} continue-not-followed`]
const edit = (title: string, more = ''): Exchange =>
  exchange(
    `action=edit&title=${title}&text=a&token=(token)&as user=user:Bob&assert=user${more}`
  )
const token = exchange(query('meta=tokens&as user=user:Bob'))
const pages = (count: number, rest = '&prop=info'): readonly Exchange[] =>
  Array.from({ length: count }, (_, at) => exchange(query(`titles=P${at}${rest}`)))
const warning = (text: string): unknown => ({ warnings: { main: { warnings: text } } })
const login = (name: string, text: string | undefined): Exchange =>
  exchange(`action=login&lgname=${name}&lgpassword=(secret)&lgtoken=(token)`, {
    login: { result: 'Success', lgusername: 'Bob' },
    ...(text === undefined ? {} : { warnings: { login: { '*': text } } })
  })
const logged = (
  exchanges: readonly Exchange[],
  more?: (one: Exchange, at: number) => Partial<RunLogRequest>
): Traffic => ({ exchanges, log: logOf(exchanges, more) })

const start = Date.UTC(2026, 0, 1)

const deprecatedLogin =
  'Main-account login is deprecated. To continue, see "action=clientlogin".'

const continued: readonly Case[] = [
  {
    name: 'as many rows as possible',
    exchanges: [allpages('&aplimit=max', 'B')],
    finds: cut('error')
  },
  {
    name: 'all 500 rows',
    exchanges: [allpages('&aplimit=500', 'B')],
    finds: cut('error')
  },
  {
    name: 'the default limit, sent or not',
    exchanges: [allpages('', 'B')],
    finds: cut('note')
  },
  {
    name: 'the default limit, sent',
    ...logged([allpages('', 'B')], () => ({ limit: true })),
    finds: cut('note')
  },
  {
    name: 'no limit sent',
    ...logged([allpages('', 'B')], () => ({ limit: false })),
    finds: cut('warning')
  },
  { name: 'an own limit', exchanges: [allpages('&aplimit=50', 'B')], finds: cut('note') },
  { name: 'few rows wanted', exchanges: [allpages('&aplimit=1', 'B')], finds: [] },
  { name: 'nothing left', exchanges: [allpages('&aplimit=max')], finds: [] },
  {
    name: 'followed',
    exchanges: [
      allpages('&aplimit=max', 'B_1'),
      allpages('&aplimit=max&apcontinue=B_1&continue=-||')
    ],
    finds: []
  },
  {
    name: 'followed under another name, with another limit',
    exchanges: [allpages('&aplimit=max', 'B_1'), allpages('&aplimit=50&apfrom=B 1')],
    finds: []
  },
  {
    name: 'another listing with the same value',
    exchanges: [
      allpages('&aplimit=max&apnamespace=4', 'B_1'),
      allpages('&aplimit=max&apnamespace=10&apfrom=B 1')
    ],
    finds: cut('error')
  },
  {
    name: 'left in the middle',
    ...logged([
      allpages('&aplimit=max', 'B'),
      allpages('&aplimit=max&apcontinue=B&continue=-||', 'C')
    ]),
    finds: cut('note')
  },
  {
    name: 'a listing of a client that follows others',
    ...logged([
      allpages('&aplimit=max&apprefix=A', 'AB'),
      allpages('&aplimit=max&apprefix=A&apcontinue=AB&continue=-||'),
      allpages('&aplimit=max&apprefix=C', 'CD')
    ]),
    finds: cut('note')
  },
  {
    name: 'the rest perhaps synthesised from another recording',
    exchanges: [allpages('&aplimit=max', 'B'), allpages('&aplimit=7&apfrom=Y')],
    finds: []
  },
  {
    name: 'another recording, but nothing synthesised in this run',
    ...logged([allpages('&aplimit=max', 'B'), allpages('&aplimit=7&apfrom=Y')]),
    finds: cut('error')
  },
  {
    name: 'perhaps synthesised in this run',
    ...logged([allpages('&aplimit=max', 'B'), allpages('&aplimit=7&apfrom=Y')], () => ({
      outcome: 'synthesized'
    })),
    finds: []
  },
  {
    name: 'the newest',
    exchanges: [
      exchange(query('list=recentchanges&rclimit=max'), {
        continue: { rccontinue: '2026|9' }
      })
    ],
    finds: cut('note')
  },
  {
    name: 'random pages',
    exchanges: [
      exchange(query('list=random'), {
        continue: { rncontinue: '1|2', continue: '-||' }
      })
    ],
    finds: []
  },
  {
    name: 'rawcontinue, one of two modules followed',
    exchanges: [
      exchange(query('generator=allpages&prop=links&pllimit=max&rawcontinue='), {
        'query-continue': {
          links: { plcontinue: '1|0|B' },
          allpages: { gapcontinue: 'C' }
        }
      }),
      exchange(
        query('generator=allpages&prop=links&pllimit=max&plcontinue=1|0|B&rawcontinue=')
      )
    ],
    finds: []
  }
]

const recorded: readonly Case[] = [
  { name: 'single pages in an unknown order', exchanges: pages(50), finds: [] },
  { name: 'ten in a row', ...logged(pages(10)), finds: ['warning one-by-one'] },
  { name: 'nine in a row', ...logged(pages(9)), finds: [] },
  {
    name: 'ten with something between',
    ...logged([...pages(5), token, ...pages(10).slice(5)]),
    finds: []
  },
  {
    name: 'ten, each after another request for the same page',
    ...logged(
      pages(10).flatMap((one, at) => [
        one,
        ...pages(10, '&prop=categories').slice(at, at + 1)
      ])
    ),
    finds: ['warning one-by-one']
  },
  {
    name: 'ten with writes between',
    ...logged(pages(10).flatMap((one) => [one, edit('A')])),
    finds: []
  },
  {
    name: 'ten over some minutes',
    ...logged(pages(10), (_, at) => ({
      time: new Date(start + at * 30_000).toISOString()
    })),
    finds: []
  },
  {
    name: 'newest revisions of ten pages',
    ...logged(pages(10, '&prop=revisions&rvlimit=1')),
    finds: ['warning one-by-one']
  },
  {
    name: 'histories of ten pages',
    ...logged(pages(10, '&prop=revisions&rvlimit=5')),
    finds: []
  },
  {
    name: 'newest texts of ten pages',
    ...logged(pages(10, '&prop=revisions&rvprop=content&rvslots=main')),
    finds: ['warning one-by-one']
  },
  {
    name: 'a warning',
    exchanges: [exchange(query('x=1'), warning('Unrecognized parameter: x.'))],
    finds: ['warning warnings']
  },
  {
    name: 'one warning of two requests, and a list of warnings',
    exchanges: [
      exchange(query('x=1'), warning('Unrecognized value for parameter "a": 1')),
      exchange(query('x=2'), warning('Unrecognized value for parameter "b": 2')),
      exchange(query('x=3'), { warnings: [{ module: 'main', text: 'Something else' }] })
    ],
    finds: ['warning warnings', 'warning warnings']
  },
  {
    name: 'only the invitation to a mailing list',
    exchanges: [
      exchange(
        query('x=1'),
        warning('Subscribe to the mediawiki-api-announce mailing list')
      )
    ],
    finds: []
  },
  {
    name: 'a deprecated parameter, of which the wiki warns',
    exchanges: [
      exchange(
        'action=parse&text=a&generatexml=',
        warning('The parameter "generatexml" has been deprecated.')
      )
    ],
    finds: ['warning deprecated']
  },
  {
    name: 'a deprecated value',
    exchanges: [exchange(query('prop=info&inprop=preload|url&titles=A'))],
    finds: ['warning deprecated']
  },
  {
    name: 'no deprecated value',
    exchanges: [exchange(query('prop=info&inprop=url&titles=A'))],
    finds: []
  },
  {
    name: 'a main account',
    exchanges: [login('Bob', deprecatedLogin)],
    finds: ['warning main-account-login']
  },
  { name: 'a bot password', exchanges: [login('Bob@app', undefined)], finds: [] },
  {
    name: 'a bot password under the name of the account',
    exchanges: [login('Bob', undefined)],
    finds: []
  },
  {
    name: 'another warning at login',
    exchanges: [login('Bob', 'Unrecognized parameter: x.')],
    finds: ['warning warnings']
  },
  {
    name: 'no assert',
    exchanges: [exchange('action=edit&title=A&text=a&token=(token)&as user=user:Bob')],
    finds: ['note no-assert']
  },
  { name: 'assert', exchanges: [edit('A')], finds: [] },
  {
    name: 'an anonymous edit',
    exchanges: [exchange('action=edit&title=A&text=a&token=(token)')],
    finds: []
  },
  {
    name: 'a purge',
    exchanges: [exchange('action=purge&titles=A&as user=user:Bob')],
    finds: []
  },
  {
    name: 'formatversion=1',
    exchanges: [exchange('action=query&meta=siteinfo')],
    finds: ['note no-formatversion']
  },
  {
    name: 'XML',
    exchanges: [exchange('action=query&meta=siteinfo&format=xml')],
    finds: []
  },
  { name: 'another page', exchanges: [exchange('action=parse&page=A')], finds: [] }
]

const reads = [
  exchange('action=parse&page=A'),
  exchange('action=parse&page=B'),
  exchange('action=parse&page=C')
]
const agentOf = (agent: string | undefined) => (): Partial<RunLogRequest> =>
  ({ agent }) as Partial<RunLogRequest>
const writes = [token, edit('A'), token, edit('B'), token, edit('C'), token, edit('D')]
const twice = (secondsBetween: number, retryAfter = 5): Traffic =>
  logged([edit('A'), edit('A')], (_, at) => ({
    time: new Date(start + at * secondsBetween * 1000).toISOString(),
    ...(at === 0 ? { retryAfter, outcome: 'passthrough' } : {})
  }))

const ordered: readonly Case[] = [
  { name: 'no User-Agent', ...logged(reads, agentOf('')), finds: ['warning no-contact'] },
  {
    name: 'a library',
    ...logged(reads, agentOf('python-requests/2.28')),
    finds: ['warning no-contact']
  },
  { name: 'an address', ...logged(reads, agentOf('Bot (bob@example.org)')), finds: [] },
  {
    name: 'the page of a library',
    ...logged(reads, agentOf('mwclient/0.10.1 (https://github.com/mwclient/mwclient)')),
    finds: ['warning no-contact']
  },
  {
    name: 'a page beside that of a library',
    ...logged(
      reads,
      agentOf('Bot (https://example.org) mwn (https://www.npmjs.com/package/mwn)')
    ),
    finds: []
  },
  {
    name: 'a page of its own',
    ...logged(reads, agentOf('MyBot/1.0 (https://github.com/me/mwclient-bot)')),
    finds: []
  },
  { name: 'a browser', ...logged(reads, agentOf('Mozilla/5.0 (X11)')), finds: [] },
  { name: 'a log without User-Agents', ...logged(reads, agentOf(undefined)), finds: [] },
  {
    name: 'no maxlag',
    ...logged([edit('A')], () => ({ maxlag: false })),
    finds: ['note no-maxlag']
  },
  {
    name: 'a bot without maxlag',
    ...logged([edit('A', '&bot=')], () => ({ maxlag: false })),
    finds: ['warning no-maxlag']
  },
  {
    name: 'maxlag',
    ...logged([edit('A', '&bot=')], () => ({ maxlag: true })),
    finds: []
  },
  {
    name: 'reads by POST without maxlag',
    ...logged(reads, () => ({ maxlag: false })),
    finds: []
  },
  {
    name: 'two at once',
    ...logged(reads.slice(1), () => ({ ms: 1500 })),
    finds: ['note parallel']
  },
  {
    name: 'many at once',
    ...logged([...reads, token], () => ({ ms: 9000 })),
    finds: ['warning parallel']
  },
  {
    name: 'one right after the other',
    ...logged(reads, () => ({ ms: 1001 })),
    finds: []
  },
  {
    name: 'given up',
    ...logged(reads, () => ({ ms: 9000, outcome: 'failed' })),
    finds: []
  },
  {
    name: 'two clients at once',
    ...logged(reads.slice(1), (_, at) => ({ ms: 9000, agent: `${at}@example.org` })),
    finds: []
  },
  { name: 'too early', ...twice(3), finds: ['error retry-after-ignored'] },
  { name: 'in time', ...twice(6), finds: [] },
  {
    name: 'not again',
    ...logged([edit('A'), edit('B')], () => ({ retryAfter: 5 })),
    finds: []
  },
  { name: 'a token for each edit', ...logged(writes), finds: ['note token-per-write'] },
  {
    name: 'a token after each badtoken',
    ...logged(writes, (one) => (one === token ? {} : { why: 'badtoken' })),
    finds: []
  },
  {
    name: 'a token after each login',
    ...logged(
      writes.flatMap((one) => (one === token ? [login('B@a', undefined), one] : [one]))
    ),
    finds: []
  },
  {
    name: 'one token for all',
    ...logged([token, edit('A'), edit('B'), edit('C'), edit('D')]),
    finds: []
  }
]

describe.each([
  ['continued listings', continued],
  ['what recordings prove', recorded],
  ['what the log proves', ordered]
] as const)('%s', (_, cases) => {
  it.each(cases)('$name', ({ exchanges, log, finds }) => {
    expect(findings({ exchanges, log })).toEqual(finds)
  })
})

it('finds each rule in one of the cases, and names a page of the manual for it', () => {
  const found = [...continued, ...recorded, ...ordered].flatMap(({ finds }) =>
    finds.map((one) => one.split(' ')[1])
  )
  expect(new Set(found)).toEqual(new Set(Object.keys(rules)))
  for (const { manual } of Object.values(rules)) expect(manual).toMatch(/^\w+:\w+$/)
})

it('separates clients by their User-Agent, the worst findings first', () => {
  const { log = [] } = logged(
    [exchange('action=query&meta=siteinfo'), ...reads],
    (_, at) => ({
      agent: at === 0 ? 'a@b' : ''
    })
  )
  const { findings: found } = reviewTraffic(
    [exchange('action=query&meta=siteinfo'), ...reads],
    log
  )
  expect(found.map(({ agent, rule }) => [agent, rule])).toEqual([
    ['', 'no-contact'],
    ['a@b', 'no-formatversion']
  ])
})

it('says what it could not check', () => {
  const [first, ...others] = reads
  expect(reviewTraffic(reads, undefined).notChecked).toEqual([
    expect.stringContaining('only a log')
  ])
  expect(reviewTraffic(reads, logOf(reads)).notChecked).toEqual([])
  expect(
    reviewTraffic(others, logOf(first === undefined ? [] : [first])).notChecked
  ).toEqual(['what 1 of 1 logged requests asked: they are not recorded'])
  expect(reviewTraffic(reads, logOf(reads, agentOf(undefined))).notChecked).toEqual([
    expect.stringContaining('an older version')
  ])
})
