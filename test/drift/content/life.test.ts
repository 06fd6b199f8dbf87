/** What people do on a wiki, and what a client sends otherwise, is told as nothing else: each once raised a false alarm. */
import { describe, expect, it } from 'vitest'
import { compareCassettes } from '../../../src/drift/compare.ts'
import type { CassetteSide } from '../../../src/drift/inputs/cassette-side.ts'
import type { Interaction } from '../../../src/recorder/cassette/interaction.ts'
import { interaction, side } from '../sides.ts'

type Answers = Readonly<Record<string, unknown>>

/** A wiki on which somebody did something: its counts differ. */
const wiki = (
  answers: Answers,
  edits: number,
  modules: ReadonlyMap<string, unknown>
): CassetteSide =>
  side('x', answers, {
    modules,
    manifest: {
      engine: '1.43.9',
      site: {
        generator: 'MediaWiki 1.43.9',
        lang: 'ru',
        namespaces: new Map(),
        statistics: { edits, images: 1, pages: 5 }
      } as never
    }
  })

/** @param modules that B has and A has not */
function told(
  before: Answers,
  after: Answers,
  modules: readonly string[] = []
): readonly string[] {
  const described = (...paths: readonly string[]) =>
    new Map(paths.map((path) => [path, { path, name: path, parameters: [] }]))
  const { findings } = compareCassettes(
    wiki(before, 5, described('main', 'query', 'parse')),
    wiki(after, 6, described('main', 'query', 'parse', ...modules))
  )
  return findings.flatMap(({ axis, severity, kind, place }) =>
    axis === 'behaviour' && severity !== 'noise' ? [`${severity} ${kind} ${place}`] : []
  )
}

const changes = (user: string, rcid: number): unknown => ({
  query: {
    recentchanges: [
      { type: 'edit', title: 'Б', rcid, user: 'Eve' },
      { type: 'edit', title: 'А', rcid: 1, user }
    ]
  }
})
const recent = 'action=query&list=recentchanges&rcprop=ids|title|user&formatversion=2'

describe('an event of the wiki is content:', () => {
  it('another captcha for each caller', () => {
    const asked =
      'action=query&meta=authmanagerinfo&amirequestsfor=create&formatversion=2'
    const captcha = (id: string): unknown => ({
      query: {
        authmanagerinfo: {
          requests: [
            {
              id: 'CaptchaAuthenticationRequest',
              metadata: { type: 'image' },
              fields: {
                captchaId: { type: 'hidden', value: id },
                captchaInfo: { value: `/c/${id}` }
              }
            }
          ]
        }
      }
    })
    expect(told({ [asked]: captcha('123') }, { [asked]: captcha('987') })).toEqual([])
  })

  it.each([
    ['formatversion=2', { content: 'Текст' }, { texthidden: true }],
    ['formatversion=1', { '*': 'Текст' }, { texthidden: '' }]
  ])('the hidden text of a revision, %s', (form, shown, hidden) => {
    const asked = `action=query&prop=revisions&revids=5&rvslots=main&${form}`
    const answer = (main: object): unknown => ({
      query: {
        pages: [{ pageid: 2, title: 'А', revisions: [{ revid: 5, slots: { main } }] }]
      }
    })
    expect(told({ [asked]: answer(shown) }, { [asked]: answer(hidden) })).toEqual([])
    expect(told({ [asked]: answer(hidden) }, { [asked]: answer(shown) })).toEqual([])
  })

  it('the hidden text of a revision that is compared', () => {
    const asked = 'action=compare&fromrev=5&torev=6&formatversion=2'
    const compare = (hidden: object): unknown => ({
      compare: { fromrevid: 5, torevid: 6, ...hidden, body: '<tr></tr>' }
    })
    expect(
      told({ [asked]: compare({}) }, { [asked]: compare({ fromtexthidden: true }) })
    ).toEqual([])
  })

  it('a renamed user in the list of all users', () => {
    const users = (...names: readonly string[]): unknown => ({
      query: {
        allusers: names
          .map((name) => ({ userid: name === 'Я' ? 1 : name.codePointAt(0), name }))
          .sort((a, b) => (a.name < b.name ? -1 : 1))
          .map((one) => (one.name === 'А' ? { ...one, userid: 1 } : one))
      }
    })
    const asked = 'action=query&list=allusers&formatversion=2'
    const others = ['Б', 'В', 'Г', 'Д']
    expect(
      told({ [asked]: users('А', ...others) }, { [asked]: users('Я', ...others) })
    ).toEqual([])
  })

  it('the number of users in a group', () => {
    const asked =
      'action=query&meta=siteinfo&siprop=usergroups&sinumberingroup=1&formatversion=2'
    const groups = (number: number): unknown => ({
      query: { usergroups: [{ name: 'user', number, rights: ['edit'] }] }
    })
    expect(told({ [asked]: groups(7) }, { [asked]: groups(8) })).toEqual([])
  })

  const redirected = 'action=query&redirects=1&titles=Путь&formatversion=2'
  const state = 'action=query&prop=info&titles=Путь&formatversion=2'
  const info = (rest: object): unknown => ({
    query: { pages: [{ ns: 0, title: 'Путь', ...rest }] }
  })
  const led = (to: string, pageid: number): unknown => ({
    query: { redirects: [{ from: 'Путь', to }], pages: [{ pageid, ns: 0, title: to }] }
  })

  it('a redirect that was deleted', () => {
    const before = {
      [redirected]: led('Дом', 1),
      [state]: info({ pageid: 2, lastrevid: 5, redirect: true })
    }
    const after = {
      [redirected]: { query: { pages: [{ ns: 0, title: 'Путь', missing: true }] } },
      [state]: info({ missing: true })
    }
    expect(told(before, after).filter((line) => !/prop=info/.test(line))).toEqual([])
  })

  it('a redirect that leads elsewhere now', () => {
    const before = {
      [redirected]: led('Дом', 1),
      [state]: info({ pageid: 2, lastrevid: 5, redirect: true })
    }
    const after = {
      [redirected]: led('Сад', 3),
      [state]: info({ pageid: 2, lastrevid: 9, redirect: true })
    }
    expect(told(before, after)).toEqual([])
  })

  it('one of two pages, asked for by revisions, that was moved', () => {
    const asked = 'action=query&revids=1|2&formatversion=2'
    const pages = (title: string): unknown => ({
      query: {
        pages: [
          { pageid: 1, ns: 0, title, revisions: [{ revid: 1 }] },
          { pageid: 2, ns: 0, title: 'Б', revisions: [{ revid: 2 }] }
        ]
      }
    })
    expect(told({ [asked]: pages('А') }, { [asked]: pages('Я') })).toEqual([])
  })

  it('a user who was renamed, and is asked for by the old name', () => {
    const asked = 'action=query&prop=revisions&rvuser=Bob&titles=А&formatversion=2'
    const page = { pageid: 1, ns: 0, title: 'А' }
    const before = {
      [asked]: {
        query: { pages: [{ ...page, revisions: [{ revid: 1, user: 'Bob' }] }] }
      },
      [recent]: changes('Bob', 2)
    }
    const after = {
      [asked]: { query: { pages: [page] } },
      [recent]: changes('Robert', 2)
    }
    expect(told(before, after)).toEqual([])
  })

  it('a row of a log that was hidden, also if the wiki was configured otherwise', () => {
    const asked = 'action=query&list=logevents&formatversion=2'
    const row = {
      logid: 3,
      type: 'move',
      action: 'move',
      timestamp: '2026-01-01T00:00:00Z'
    }
    const whole = {
      ...row,
      title: 'А',
      ns: 0,
      user: 'Bob',
      comment: 'х',
      params: { target: 'Б' }
    }
    const hidden = { ...row, actionhidden: true, userhidden: true, commenthidden: true }
    const events = (one: object): unknown => ({
      query: { logevents: [{ ...whole, logid: 4 }, one] }
    })
    expect(
      told({ [asked]: events(whole) }, { [asked]: events(hidden) }, ['extra'])
    ).toEqual([])
  })
})

describe('an event of a wiki that got an extension meanwhile is content:', () => {
  it('a page moved, with a redirect in its place', () => {
    const others = ['Б', 'В', 'Г', 'Д', 'Е']
    const asked = `action=query&titles=А|${others.join('|')}&formatversion=2`
    const info = 'action=query&prop=info&titles=А&formatversion=2'
    const answers = (pageid: number, lastrevid: number): Answers => ({
      [info]: { query: { pages: [{ pageid, ns: 0, title: 'А', lastrevid }] } },
      [asked]: {
        query: {
          pages: [
            { pageid, ns: 0, title: 'А' },
            ...others.map((title, at) => ({ pageid: at + 2, ns: 0, title }))
          ]
        }
      }
    })
    expect(told(answers(1, 5), answers(9, 20), ['extra'])).toEqual([])
  })
})

describe('what the client sent otherwise is told as that:', () => {
  const sentAs = (one: Interaction, titles: string): Interaction => ({
    ...one,
    sentValues: new Map([['titles', titles]])
  })
  const asked = 'action=query&titles=А|Б&formatversion=2'
  const page = (title: string, pageid: number): object => ({ pageid, ns: 0, title })

  it.each([
    [
      'titles in another order',
      'Б|А',
      { query: { pages: [page('Б', 2), page('А', 1)] } }
    ],
    [
      'titles in another spelling',
      'А_|Б',
      {
        query: {
          normalized: [{ fromencoded: false, from: 'А_', to: 'А' }],
          pages: [page('А', 1), page('Б', 2)]
        }
      }
    ]
  ])('%s', (_, titles, answer) => {
    const a = side('a', {})
    const one = interaction(asked, { query: { pages: [page('А', 1), page('Б', 2)] } })
    const { findings, remarks } = compareCassettes(
      { ...a, interactions: [sentAs(one, 'А|Б')] },
      { ...a, interactions: [sentAs(interaction(asked, answer), titles)] }
    )
    expect(findings).toEqual([])
    expect(remarks.map(({ text }) => text)).toContainEqual(
      expect.stringContaining('1 request')
    )
  })

  it('JSON in another spelling is the same JSON', () => {
    const one = interaction(asked, { query: { pages: [page('А', 1)] } })
    const text = '{ "query": { "pages": [ { "pageid": 1, "ns": 0, "title": "А" } ] } }'
    const spelled = { status: 200, headers: new Map(), cookies: [] }
    const other: Interaction = {
      ...one,
      responses: [{ ...spelled, body: { kind: 'text', text, spelling: 'utf8' } }]
    }
    const sideOf = (each: Interaction): CassetteSide => ({
      ...side('x', {}),
      interactions: [each]
    })
    expect(compareCassettes(sideOf(one), sideOf(other)).findings).toEqual([])
  })
})
