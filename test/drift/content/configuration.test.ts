/** The wiki's configuration is told as such: one cause, risky, whatever its settings do to the answers. */
import { describe, expect, it } from 'vitest'
import { compareCassettes } from '../../../src/drift/compare.ts'
import type { CassetteSide } from '../../../src/drift/inputs/cassette-side.ts'
import { side } from '../sides.ts'

const siteinfo =
  'action=query&meta=siteinfo&siprop=magicwords|namespaces|usergroups|interwikimap|general'
const parse = 'action=parse&page=Волга&prop=text|revid'

interface Wiki {
  readonly engine?: string
  readonly words?: readonly string[]
  readonly namespaces?: readonly number[]
  readonly rights?: readonly string[]
  readonly interwikis?: readonly string[]
  readonly general?: Readonly<Record<string, unknown>>
  readonly html?: string
  readonly revid?: number
  /** The newest revision anywhere. */
  readonly newest?: number
}

const wiki = ({
  engine = '1.43.9',
  revid = 5,
  newest = 9,
  ...rest
}: Wiki): CassetteSide =>
  side(
    'x',
    {
      [siteinfo]: {
        query: {
          general: { case: 'first-letter', ...rest.general },
          magicwords: (rest.words ?? ['if', 'switch']).map((name) => ({
            name,
            aliases: [name]
          })),
          namespaces: (rest.namespaces ?? [0, 2300]).map((id) => ({
            id,
            name: `N${id}`
          })),
          usergroups: [{ name: 'bot', rights: rest.rights ?? ['edit', 'bot'] }],
          interwikimap: (rest.interwikis ?? ['w', 'c']).map((prefix) => ({
            prefix,
            url: `//x/${prefix}`
          }))
        }
      },
      [parse]: {
        parse: { title: 'Волга', revid, text: rest.html ?? '<p>a <sup>1</sup></p>' }
      },
      'action=query&list=recentchanges': {
        query: { recentchanges: [{ rcid: newest, revid: newest }] }
      }
    },
    { manifest: { engine } }
  )

const told = (a: Wiki, b: Wiki): readonly string[] =>
  compareCassettes(wiki(a), wiki(b)).findings.flatMap(
    ({ axis, severity, kind, place }) =>
      kind === 'engine.changed'
        ? []
        : [`${axis === 'data' ? 'data' : severity} ${kind} ${place}`]
  )
const shown = '<p>a &lt;ref&gt;b&lt;/ref&gt;</p>'

describe.each(['1.43.9', '1.39.17'])('seen from %s', (engine) => {
  it.each<readonly [string, Wiki, readonly string[]]>([
    [
      'magic words gone',
      { words: ['if'] },
      ['risky configuration.removed query.magicwords[*]']
    ],
    [
      'magic words new',
      { words: ['if', 'switch', 'a'] },
      ['risky configuration.added query.magicwords[*]']
    ],
    [
      'a namespace gone',
      { namespaces: [0] },
      ['risky configuration.removed query.namespaces[*]']
    ],
    [
      'an interwiki gone',
      { interwikis: ['w'] },
      ['risky configuration.removed query.interwikimap[*]']
    ]
  ])('%s', (_, after, expected) => {
    expect(told({ engine }, after)).toEqual(expected)
  })
})

describe('in the same version', () => {
  it.each<readonly [string, Wiki, readonly string[]]>([
    [
      'a right that a group lost',
      { rights: ['edit'] },
      ['risky configuration.removed query.usergroups[*].rights[*]']
    ],
    [
      'a setting in general',
      { general: { case: 'case-sensitive' } },
      ['risky configuration.changed query.general.case']
    ],
    [
      'other markup of a page at rest',
      { html: shown },
      ['risky configuration.changed parse.text', 'data html.text parse.text']
    ]
  ])('%s', (_, after, expected) => {
    expect(told({}, after)).toEqual(expected)
  })

  it('text of the parser is configuration where magic words differ', () => {
    expect(told({}, { words: ['if'], html: '<p>b <sup>1</sup></p>' })).toEqual([
      'risky configuration.changed parse.text',
      'risky configuration.removed query.magicwords[*]'
    ])
  })

  it('a page that was edited, or on a wiki that was edited, is content', () => {
    expect(
      told({}, { html: shown, revid: 6, newest: 9 }).filter((one) => /risky/.test(one))
    ).toEqual([])
    expect(
      told({}, { html: shown, newest: 10 }).filter((one) => /risky/.test(one))
    ).toEqual([])
  })

  it('another type of a setting is behaviour', () => {
    expect(
      told({ general: { timeoffset: 0, x: 1 } }, { general: { timeoffset: 0, x: '1' } })
    ).toEqual(['breaking type.changed query.general.x'])
  })
})

describe('the cause', () => {
  it('is one, by its name, whatever it shows in', () => {
    const { causes } = compareCassettes(
      wiki({}),
      wiki({ words: ['if'], namespaces: [0], interwikis: ['w'], html: shown })
    )
    expect(causes.map(({ title, findings }) => `${title} ×${findings.length}`)).toEqual([
      "the wiki's configuration ×4"
    ])
  })

  it('is the language of the wiki also for titles that begin otherwise', () => {
    const titles = 'action=query&titles=File:A|File:B&formatversion=2'
    const speaking = (lang: string, prefix: string): CassetteSide => {
      const spoken = wiki({ general: { lang } })
      const pages = ['A', 'B'].map((name, at) => ({
        pageid: at + 1,
        ns: 6,
        title: `${prefix}:${name}`
      }))
      const { interactions } = side('x', {
        [titles]: { query: { pages: lang === 'en' ? pages : pages.slice(1) } }
      })
      return { ...spoken, interactions: [...spoken.interactions, ...interactions] }
    }
    const { causes } = compareCassettes(speaking('en', 'File'), speaking('ru', 'Файл'))
    const risky = causes.filter(({ findings: [{ severity }] }) => severity === 'risky')
    expect(risky.map(({ title, findings }) => `${title} ×${findings.length}`)).toEqual([
      "the wiki's configuration ×3"
    ])
  })
})
