/**
 * The statements of the API's specification (version 1.25), each on the answers of a real 1.25.4 and of every
 * shipped cassette, as wikitape replays them: what the wiki promised, a replay keeps.
 */
import { describe, expect, it } from 'vitest'
import {
  itemsOf,
  memberAt,
  memberOf,
  membersOf,
  numberOf,
  textOf
} from '../../src/recorder/json/json-tree.ts'
import { writePretty } from '../../src/recorder/json/write-json.ts'
import { envelopeOf, wrapInEnvelope } from '../../src/recorder/wiki/answers/envelope.ts'
import { splitValues } from '../../src/recorder/wiki/parameters/request-params.ts'
import { paramsOf } from '../helpers/api-requests.ts'
import { goldenSeeds } from '../helpers/golden-calls.ts'
import { type Replayed, replayMoment, type Source, sources } from '../helpers/replayed.ts'
import { scaled } from '../helpers/scale.ts'

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

const isVersion1 = ({ params }: Replayed): boolean =>
  (params.get('formatversion') ?? '1') === '1'
const isError = ({ tree }: Replayed): boolean => memberOf(tree, 'error') !== undefined
const uses =
  (name: string, module: string) =>
  ({ params }: Replayed): boolean =>
    params.get('action') === 'query' &&
    splitValues(params.get(name) ?? '').includes(module)
const lists = (module: string) => uses('list', module)
const acts =
  (action: string) =>
  ({ params }: Replayed): boolean =>
    params.get('action') === action
const query = (one: Replayed, ...path: readonly string[]) =>
  memberAt(one.tree, 'query', ...path)
const texts = (
  items: ReturnType<typeof itemsOf>,
  member: string
): readonly (string | undefined)[] => items.map((item) => textOf(memberOf(item, member)))
const isSorted = (values: readonly (string | number | undefined)[]): boolean =>
  values.every((value, at) => at === 0 || (values[at - 1] ?? '') <= (value ?? ''))
const dbKeys = (titles: readonly (string | undefined)[]): readonly string[] =>
  titles.map((title) =>
    Buffer.from((title ?? '').replaceAll(' ', '_')).toString('latin1')
  )
const warning = (one: Replayed, module: string): string =>
  textOf(memberAt(one.tree, 'warnings', module, '*')) ?? ''

/** One statement, checked wherever a source has an answer that it speaks of; the real 1.25.4 always has. */
function statement(
  name: string,
  selects: (one: Replayed) => boolean,
  check: (one: Replayed) => void
): void {
  const speaksOf = (source: Source): readonly Replayed[] =>
    source.replayed.filter((one) => isVersion1(one) && !isError(one) && selects(one))
  const having = sources.filter((source) => speaksOf(source).length > 0)
  it.each(having.map((source) => [source.name, source] as const))(
    `${name} (%s)`,
    (_name, source) => {
      for (const one of speaksOf(source)) check(one)
    }
  )
  it(`${name}: was shown by the wiki that the specification describes`, () => {
    const shown = having
      .map(({ name }) => name)
      .filter((name) => name.startsWith('MediaWiki 1.25.4'))
    expect(shown).toEqual([
      'MediaWiki 1.25.4 through the proxy',
      'MediaWiki 1.25.4 through nock'
    ])
  })
}

describe('What the service does', () => {
  it('is replayed from a real 1.25.4 and from three shipped cassettes, through the proxy and in one process', () => {
    const wikis = [
      'MediaWiki 1.25.4',
      'cassettes/ru-1.35',
      'cassettes/ru-1.39',
      'cassettes/ru-1.43'
    ]
    expect(sources.map(({ name }) => name)).toEqual(
      ['through the proxy', 'through nock'].flatMap((way) =>
        wikis.map((wiki) => `${wiki} ${way}`)
      )
    )
    for (const { name, replayed } of sources) {
      if (name.startsWith('MediaWiki')) expect(replayed).toHaveLength(goldenSeeds.length)
      else
        expect(replayed.length).toBeGreaterThan(
          scaled(name.endsWith('nock') ? 85 : 250, 700)
        )
    }
  })

  it('is the same on both ways, byte for byte', () => {
    const half = sources.length / 2
    for (const [at, { replayed }] of sources.slice(0, half).entries()) {
      const byPlace = new Map(replayed.map((one) => [one.at, one.text]))
      const other = sources[half + at]?.replayed ?? []
      expect(other.length).toBeGreaterThan(0)
      for (const one of other) expect(one.text).toBe(byPlace.get(one.at))
    }
  })

  it('a replay is what the wiki sent, byte for byte, less debuginfo', () => {
    for (const { replayed } of sources.filter(({ name }) =>
      name.startsWith('MediaWiki 1.25.4')
    ))
      for (const [at, call] of goldenSeeds.entries()) {
        const cut = call.body.indexOf('"debuginfo":')
        const sent = cut < 0 ? call.body : `${call.body.slice(0, cut).replace(/,$/, '')}}`
        // An empty list before the block was an object after it: PHP writes an array without names as [].
        expect(replayed[at]?.text).toBe(sent)
      }
  })
})

describe('What the service does with any request', () => {
  statement(
    '3. every body is a JSON object, bare with format=json',
    () => true,
    ({ tree, text }) => {
      expect(tree.kind === 'object' || text === '[]').toBe(true)
    }
  )

  statement(
    '3. the debugging page is four banner lines and the pretty JSON',
    () => true,
    ({ tree }) => {
      const envelope = envelopeOf(paramsOf(''))
      const page = envelope.kind === 'page' ? wrapInEnvelope(envelope, tree).text : ''
      const shown = page
        .replace(/^[\s\S]*<body>/, '')
        .replace(/<[^>]*>/g, '')
        .trim()
      const json = writePretty(tree, '    ')
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;')
      expect(shown.endsWith(json)).toBe(true)
      expect(shown.slice(0, -json.length).trim().split('\n')).toHaveLength(4)
    }
  )

  statement(
    '5. debuginfo never reaches a cassette',
    () => true,
    ({ tree }) => {
      expect(memberOf(tree, 'debuginfo')).toBeUndefined()
    }
  )
})

describe('Resources: conventions', () => {
  statement(
    'a title in another form than its canonical one is in normalized',
    (one) => query(one, 'normalized') !== undefined,
    (one) => {
      const pages = new Set(texts(itemsOf(query(one, 'pages')), 'title'))
      for (const entry of itemsOf(query(one, 'normalized'))) {
        expect(membersOf(entry).map(({ key }) => key)).toEqual(['from', 'to'])
        expect(splitValues(one.params.get('titles') ?? '')).toContain(
          textOf(memberOf(entry, 'from'))
        )
        expect(pages).toContain(textOf(memberOf(entry, 'to')))
        expect(textOf(memberOf(entry, 'to'))).not.toMatch(/_|^file:|^category:/i)
      }
    }
  )

  statement('timestamps are ISO 8601 in UTC', lists('allimages'), (one) => {
    for (const time of texts(itemsOf(query(one, 'allimages')), 'timestamp'))
      expect(time).toMatch(timestamp)
  })
})

describe('Resources: page reference', () => {
  const hasPages = (one: Replayed): boolean => query(one, 'pages') !== undefined

  statement(
    'query.pages is an object keyed by page id, in the order of the wiki',
    hasPages,
    (one) => {
      // 1.25.4 writes a list where the largest page id is the number of pages less one (measured).
      const pages = query(one, 'pages')
      const largest = Math.max(
        -1,
        ...itemsOf(pages).map((page) => numberOf(memberOf(page, 'pageid')) ?? -1)
      )
      expect(pages?.kind === 'object' || largest === itemsOf(pages).length - 1).toBe(true)
      for (const { key, value } of membersOf(query(one, 'pages'))) {
        const id = numberOf(memberOf(value, 'pageid'))
        if (id !== undefined) expect(key).toBe(String(id))
        else expect(Number(key)).toBeLessThan(0)
      }
    }
  )

  statement(
    'missing titles are numbered -1, -2, … in request order',
    (one) => hasPages(one) && one.params.has('titles'),
    (one) => {
      const missing = membersOf(query(one, 'pages')).filter(
        ({ value }) => memberOf(value, 'missing') !== undefined
      )
      expect(missing.map(({ key }) => key)).toEqual(
        missing.map((_, at) => String(-1 - at))
      )
      const asked = splitValues(one.params.get('titles') ?? '').map((title) =>
        title.replaceAll('_', ' ').replace(/^Category:/, 'Категория:')
      )
      const places = missing.map(({ value }) =>
        asked.indexOf(textOf(memberOf(value, 'title')) ?? '')
      )
      expect(isSorted(places)).toBe(true)
      expect(places).not.toContain(-1)
    }
  )

  statement(
    'a missing page carries ns, title and missing only',
    (one) => /"missing":""/.test(one.text) && one.params.has('prop'),
    (one) => {
      for (const page of itemsOf(query(one, 'pages'))) {
        if (memberOf(page, 'missing') === undefined) continue
        expect(textOf(memberOf(page, 'missing'))).toBe('')
        expect(memberOf(page, 'pageid')).toBeUndefined()
      }
    }
  )
})

describe('Resources: entries', () => {
  statement(
    'a duplicate file is name, user and timestamp',
    (one) => one.text.includes('"duplicatefiles":'),
    (one) => {
      for (const page of itemsOf(query(one, 'pages')))
        for (const file of itemsOf(memberOf(page, 'duplicatefiles'))) {
          expect(
            membersOf(file)
              .map(({ key }) => key)
              .filter((key) => key !== 'shared')
          ).toEqual(expect.arrayContaining(['name', 'user', 'timestamp']))
          expect(textOf(memberOf(file, 'name'))).not.toContain(':')
          expect(textOf(memberOf(file, 'timestamp'))).toMatch(timestamp)
        }
    }
  )

  statement(
    'a file is name, timestamp, url, descriptionurl, ns 6 and title',
    (one) => lists('allimages')(one) && !one.params.has('aiprop'),
    (one) => {
      for (const file of itemsOf(query(one, 'allimages'))) {
        expect(membersOf(file).map(({ key }) => key)).toEqual(
          expect.arrayContaining([
            'name',
            'timestamp',
            'url',
            'descriptionurl',
            'ns',
            'title'
          ])
        )
        expect(numberOf(memberOf(file, 'ns'))).toBe(6)
        expect(textOf(memberOf(file, 'title'))).toBe(
          `Файл:${(textOf(memberOf(file, 'name')) ?? '').replaceAll('_', ' ')}`
        )
        for (const url of ['url', 'descriptionurl'])
          expect(textOf(memberOf(file, url))).toMatch(/^https?:\/\//)
      }
    }
  )

  statement(
    'a page property is its name, sorted and distinct',
    lists('pagepropnames'),
    (one) => {
      const names = texts(itemsOf(query(one, 'pagepropnames')), 'propname')
      expect(names.length).toBeGreaterThan(0)
      expect([...new Set(names)].sort()).toEqual(names)
    }
  )

  statement(
    'an anonymous user is id 0, an address, anon and the group *',
    uses('meta', 'userinfo'),
    (one) => {
      const user = query(one, 'userinfo')
      expect([numberOf(memberOf(user, 'id')), textOf(memberOf(user, 'anon'))]).toEqual([
        0,
        ''
      ])
      expect(textOf(memberOf(user, 'name'))).toMatch(/^[\d.:a-f]+$/)
      expect(itemsOf(memberOf(user, 'groups')).map(textOf)).toEqual(['*'])
      expect(itemsOf(memberOf(user, 'rights')).map(textOf)).toEqual(
        expect.arrayContaining([
          'createaccount',
          'read',
          'createpage',
          'createtalk',
          'viewmyprivateinfo'
        ])
      )
      expect([memberOf(user, 'blockinfo'), memberOf(user, 'messages')]).toEqual([
        undefined,
        undefined
      ])
    }
  )

  statement(
    'a repository is name and displayname',
    uses('meta', 'filerepoinfo'),
    (one) => {
      expect(
        itemsOf(query(one, 'repos')).map((repo) => membersOf(repo).map(({ key }) => key))
      ).toEqual([['name', 'displayname']])
      expect(texts(itemsOf(query(one, 'repos')), 'name')).toEqual(['local'])
    }
  )
})

describe('Resources: results of actions', () => {
  statement(
    'messages are name and text, sorted, their constructs left as they are',
    uses('meta', 'allmessages'),
    (one) => {
      const messages = itemsOf(query(one, 'allmessages'))
      const names = texts(messages, 'name')
      expect(isSorted(names)).toBe(true)
      for (const name of names)
        expect(name?.startsWith(one.params.get('amprefix') ?? '')).toBe(true)
      for (const message of messages)
        expect(
          textOf(memberOf(message, '*')) ?? textOf(memberOf(message, 'missing'))
        ).toBeDefined()
      expect(one.text).toMatch(/\$1|\{\{(?:GENDER|PLURAL|int):/)
    }
  )

  statement(
    'a comparison is two revisions and the rows of a table',
    acts('compare'),
    (one) => {
      const compare = memberOf(one.tree, 'compare')
      expect([
        numberOf(memberOf(compare, 'fromrevid')),
        numberOf(memberOf(compare, 'torevid'))
      ]).toEqual(['fromrev', 'torev'].map((name) => Number(one.params.get(name))))
      const rows = textOf(memberOf(compare, '*')) ?? ''
      expect(rows).toMatch(/diff-lineno/)
      expect(rows).toMatch(/diff-marker/)
      expect(rows).toMatch(/diff-(?:deleted|added)line/)
    }
  )

  statement(
    'a parse is title, text with the limit report, lists and displaytitle',
    acts('parse'),
    (one) => {
      const parse = memberOf(one.tree, 'parse')
      expect(textOf(memberOf(parse, 'title'))).toBe(one.params.get('title'))
      const html = textOf(memberAt(parse, 'text', '*')) ?? ''
      expect(html).toContain(one.params.get('title') ?? '?')
      for (const [label, most] of [
        ['Preprocessor visited node count', 1_000_000],
        ['Post.expand include size', 2_097_152],
        ['Template argument size', 2_097_152],
        ['Expensive parser function count', 100]
      ] as const)
        expect(html).toMatch(new RegExp(`${label}: \\d+/${most}`))
      for (const name of [
        'langlinks',
        'categories',
        'links',
        'templates',
        'images',
        'externallinks',
        'sections',
        'iwlinks',
        'properties'
      ])
        expect(memberOf(parse, name), name).toMatchObject({ kind: 'array', items: [] })
      expect(textOf(memberOf(parse, 'displaytitle'))).toBeDefined()
    }
  )

  statement(
    'an expansion without prop is one text and a warning',
    acts('expandtemplates'),
    (one) => {
      expect(textOf(memberAt(one.tree, 'expandtemplates', '*'))).toBeDefined()
      expect(warning(one, 'expandtemplates')).toContain('prop')
    }
  )
})

describe('Endpoints: common response rules', () => {
  const hasLegacy = (one: Replayed): boolean =>
    memberOf(one.tree, 'query-continue') !== undefined

  statement('query-continue is one object of one text a module', hasLegacy, (one) => {
    for (const { value } of membersOf(memberOf(one.tree, 'query-continue')))
      for (const { key, value: next } of membersOf(value)) {
        expect(key).toMatch(/continue$|from$|offset$|start$/)
        expect(next.kind === 'string' || next.kind === 'literal').toBe(true)
      }
  })

  statement(
    'the continue value of allpages is the next title, of allimages the next file name',
    (one) => hasLegacy(one) && (lists('allpages')(one) || lists('allimages')(one)),
    (one) => {
      const module = one.params.get('list') ?? ''
      const prefix = module === 'allpages' ? 'apcontinue' : 'aicontinue'
      const next = textOf(memberAt(one.tree, 'query-continue', module, prefix)) ?? ''
      const last = texts(
        itemsOf(query(one, module)),
        module === 'allpages' ? 'title' : 'name'
      ).at(-1)
      expect(next).not.toBe('')
      expect((dbKeys([last])[0] ?? '') < (dbKeys([next])[0] ?? '')).toBe(true)
    }
  )

  statement(
    'a link-type listing continues at title|pageid',
    (one) =>
      hasLegacy(one) &&
      (uses('generator', 'alltransclusions')(one) ||
        uses('generator', 'allfileusages')(one)),
    (one) => {
      for (const { value } of membersOf(memberOf(one.tree, 'query-continue')))
        for (const { key, value: next } of membersOf(value))
          if (/^ga[tf]continue$/.test(key)) expect(textOf(next)).toMatch(/^.+\|\d+$/)
    }
  )

  statement(
    'a listing has ten elements at most unless more are asked for',
    (one) =>
      one.params.get('action') === 'query' &&
      one.params.has('list') &&
      ![...one.params.keys()].some((name) => name.endsWith('limit')),
    (one) => {
      for (const module of splitValues(one.params.get('list') ?? '')) {
        if (module === 'gadgetcategories') continue
        expect(itemsOf(query(one, module)).length).toBeLessThanOrEqual(10)
      }
    }
  )
})

describe('Endpoints: action=query', () => {
  statement(
    '1. and 12. an existing file page may carry duplicatefiles',
    uses('prop', 'duplicatefiles'),
    (one) => {
      for (const page of itemsOf(query(one, 'pages'))) {
        if (memberOf(page, 'duplicatefiles') === undefined) continue
        expect(memberOf(page, 'missing')).toBeUndefined()
        expect(numberOf(memberOf(page, 'ns'))).toBe(6)
      }
    }
  )
  statement(
    '2. a missing category has ns 14',
    (one) => uses('prop', 'categoryinfo')(one) && one.params.has('titles'),
    (one) => {
      for (const page of itemsOf(query(one, 'pages')))
        expect(numberOf(memberOf(page, 'ns'))).toBe(14)
    }
  )
  statement(
    '3. and 4. a missing page has the missing form',
    (one) =>
      (uses('prop', 'pageprops')(one) || uses('prop', 'images')(one)) &&
      one.text.includes('"missing"'),
    (one) => {
      for (const page of itemsOf(query(one, 'pages')))
        if (memberOf(page, 'missing') !== undefined)
          expect(membersOf(page).map(({ key }) => key)).toEqual([
            'ns',
            'title',
            'missing'
          ])
    }
  )
  statement(
    '6. prefixsearch finds titles that begin with the text, its first letter in capitals',
    (one) => lists('prefixsearch')(one) && !one.params.has('psoffset'),
    (one) => {
      const wanted = (one.params.get('pssearch') ?? '').toLowerCase()
      for (const title of texts(itemsOf(query(one, 'prefixsearch')), 'title'))
        expect(title?.toLowerCase().startsWith(wanted)).toBe(true)
    }
  )
  statement(
    '8. blocks are newest first',
    (one) => lists('blocks')(one) && !one.params.has('bkdir'),
    (one) => {
      expect(
        isSorted([...texts(itemsOf(query(one, 'blocks')), 'timestamp')].reverse())
      ).toBe(true)
    }
  )
  statement(
    '9. allpages lists namespace 0 from a title on, ascending',
    (one) =>
      lists('allpages')(one) &&
      !one.params.has('apdir') &&
      !one.params.has('apnamespace'),
    (one) => {
      const pages = itemsOf(query(one, 'allpages'))
      const keys = dbKeys(texts(pages, 'title'))
      expect(isSorted(keys)).toBe(true)
      expect(
        (dbKeys([one.params.get('apfrom') ?? ''])[0] ?? '') <= (keys[0] ?? '\uffff')
      ).toBe(true)
      for (const page of pages) {
        expect(membersOf(page).map(({ key }) => key)).toEqual(['pageid', 'ns', 'title'])
        expect(numberOf(memberOf(page, 'ns'))).toBe(0)
      }
    }
  )
})

describe('Endpoints: files, gadgets and other lists', () => {
  statement(
    '10. alltransclusions goes by template and yields each page that transcludes one once (measured: not the template)',
    uses('generator', 'alltransclusions'),
    (one) => {
      const titles = texts(itemsOf(query(one, 'pages')), 'title')
      expect(new Set(titles).size).toBe(titles.length)
    }
  )
  statement(
    '11. allfileusages yields pages',
    uses('generator', 'allfileusages'),
    (one) => {
      expect(itemsOf(query(one, 'pages')).length).toBeGreaterThan(0)
    }
  )
  statement(
    '13. allimages is sorted by name, of the asked types',
    lists('allimages'),
    (one) => {
      expect(isSorted(dbKeys(texts(itemsOf(query(one, 'allimages')), 'name')))).toBe(true)
    }
  )
  statement(
    '14. friprop=apiurl is rejected with a warning, the rest is processed',
    (one) =>
      uses('meta', 'filerepoinfo')(one) &&
      (one.params.get('friprop') ?? '').includes('apiurl'),
    (one) => {
      expect(warning(one, 'filerepoinfo')).toMatch(/friprop.*apiurl/)
      expect(itemsOf(query(one, 'repos'))).toHaveLength(1)
    }
  )
  statement(
    '15. contributions are newest first',
    (one) => lists('usercontribs')(one) && !one.params.has('ucdir'),
    (one) => {
      expect(
        isSorted([...texts(itemsOf(query(one, 'usercontribs')), 'timestamp')].reverse())
      ).toBe(true)
    }
  )
  statement('16. gadgetcategories is an array', lists('gadgetcategories'), (one) => {
    expect(query(one, 'gadgetcategories')?.kind).toBe('array')
  })
})

describe('Authentication', () => {
  statement(
    '4. logging out answers nothing and deletes the cookies of the session',
    (one) => acts('logout')(one) && one.cookies.length > 0,
    (one) => {
      const named = new Map(
        one.cookies.map((cookie) => [
          /^[^=]*?(UserID|Token|forceHTTPS|LoggedOut)=/.exec(cookie)?.[1] ?? cookie,
          cookie
        ])
      )
      expect([...named.keys()]).toEqual(
        expect.arrayContaining(['UserID', 'Token', 'LoggedOut'])
      )
      for (const [name, cookie] of named) {
        const expires = Date.parse(/expires=([^;]+)/.exec(cookie)?.[1] ?? '')
        expect(cookie).toMatch(/path=\/(?:;|$)/i)
        expect(cookie).toMatch(/httponly/i)
        expect(cookie).not.toMatch(/;\s*secure/i)
        if (name === 'LoggedOut') expect(expires).toBeGreaterThan(replayMoment)
        else expect(expires).toBeLessThan(replayMoment - 86_000_000)
      }
    }
  )
  statement(
    '5. tokens for email and move are refused by warnings',
    acts('tokens'),
    (one) => {
      expect(
        memberOf(one.tree, 'tokens')?.kind === 'object' ||
          itemsOf(memberOf(one.tree, 'tokens')).length === 0
      ).toBe(true)
      const lines = warning(one, 'tokens').split('\n')
      expect(lines[0]).toContain('action=query&meta=tokens')
      expect(lines.slice(1).map((line) => /email|move/.exec(line)?.[0])).toEqual([
        'email',
        'move'
      ])
    }
  )
})

describe('Errors', () => {
  statement(
    '1. a warning is an object of one text a module',
    (one) => memberOf(one.tree, 'warnings') !== undefined,
    (one) => {
      for (const { value } of membersOf(memberOf(one.tree, 'warnings')))
        expect(textOf(memberOf(value, '*'))).toBeDefined()
    }
  )
  statement(
    '2. the legacy continuation is warned of where neither dialect is chosen',
    (one) =>
      one.params.get('action') === 'query' &&
      !one.params.has('continue') &&
      !one.params.has('rawcontinue') &&
      memberOf(one.tree, 'query-continue') !== undefined,
    (one) => {
      expect(warning(one, 'query')).toMatch(/rawcontinue/)
    }
  )
  statement(
    '3. missing titles are no errors',
    (one) => one.text.includes('"missing":""'),
    (one) => {
      expect([one.status, memberOf(one.tree, 'error')]).toEqual([200, undefined])
    }
  )
})

describe('Versioning', () => {
  statement(
    '2. rawcontinue keeps the legacy form',
    (one) => one.params.has('rawcontinue'),
    (one) => {
      expect(memberOf(one.tree, 'continue')).toBeUndefined()
    }
  )
  statement(
    '2. an empty continue chooses the new form',
    (one) => one.params.get('continue') === '' && acts('query')(one),
    (one) => {
      expect(memberOf(one.tree, 'query-continue')).toBeUndefined()
    }
  )
})
