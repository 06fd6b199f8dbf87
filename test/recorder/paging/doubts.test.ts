/** Modules whose rows come otherwise than their recorded batches tell: nothing is made of these, and the miss says why. */
import { describe, expect, test } from 'vitest'
import type { SiteFacts } from '../../../src/recorder/wiki/site/site-facts.ts'
import { rowsOf, tapeOf } from './tape.ts'

const limit = {
  name: 'limit',
  type: 'limit',
  default: 10,
  min: 1,
  max: 500,
  highmax: 5000
}
const text = (name: string, more: object = {}): object => ({
  name,
  type: 'string',
  ...more
})

/** What a client gets at limit 1 of three recorded rows. */
function askedOf(
  list: { readonly module: string; readonly prefix: string; readonly more?: string },
  site: Partial<SiteFacts> = {},
  modules: readonly object[] = []
): string {
  const { module, prefix, more = '' } = list
  const { record, ask } = tapeOf(site, modules)
  const rows = rowsOf('0|1|A', '0|2|B', '0|3|C')
  const whole = record(`list=${module}&${prefix}limit=500&continue=${more}`, {
    batchcomplete: '',
    query: {
      [module]:
        module === 'allusers'
          ? rows.map((_, at) => ({ userid: at, name: `U${at}` }))
          : rows
    }
  })
  return ask(`list=${module}&${prefix}limit=1&continue=${more}`, whole)
}

describe('miser mode', () => {
  const marks = [{ key: 'api-help-param-limited-in-miser-mode', params: [] }]
  const things = {
    path: 'query+things',
    prefix: 'th',
    group: 'list',
    description: [{ key: 'apihelp-query+things-summary', params: [] }],
    parameters: [
      limit,
      text('continue'),
      text('kind', { description: marks }),
      text('lang')
    ]
  }
  const marked = { module: 'things', prefix: 'th', more: '&thkind=a' }

  test("refuses batches of other sizes with a parameter that the wiki's own help marks", () => {
    expect(askedOf(marked, { miserMode: true }, [things])).toContain(
      'in miser mode, where thkind may leave'
    )
    const other = { ...marked, more: '&thlang=a' }
    expect(askedOf(other, { miserMode: true }, [things])).toContain('"title":"A"')
    expect(askedOf(marked, { miserMode: false }, [things])).toContain('"title":"A"')
  })

  test("refuses what MediaWiki's own help marks, where the wiki's is not recorded", () => {
    const pages = {
      module: 'allpages',
      prefix: 'ap',
      more: '&apfilterredir=nonredirects'
    }
    expect(askedOf(pages, { miserMode: true })).toContain(
      'in miser mode, where apfilterredir may leave'
    )
    expect(askedOf(pages, { miserMode: false })).toContain('"title":"A"')
    expect(askedOf({ ...pages, more: '' }, { miserMode: true })).toContain('"title":"A"')
  })

  test('refuses any filter of an unknown module whose help is not recorded', () => {
    const { description: _, ...bare } = things
    expect(
      askedOf({ ...marked, more: '&thlang=a' }, { miserMode: true }, [bare])
    ).toContain('thlang may leave')
    expect(askedOf({ ...marked, more: '' }, { miserMode: true }, [bare])).toContain(
      '"title":"A"'
    )
  })

  test('is asked for by a miss, where a cassette does not say whether the wiki is in it', () => {
    const pages = {
      module: 'allpages',
      prefix: 'ap',
      more: '&apfilterredir=nonredirects'
    }
    const { site } = tapeOf().facts
    const { miserMode: _, ...unsaid } = site ?? expect.fail('no site')
    expect(askedOf(pages, { ...unsaid, miserMode: undefined as never })).toContain(
      'does not say whether the wiki is in miser mode'
    )
    expect(askedOf({ ...pages, more: '' }, { miserMode: undefined as never })).toContain(
      '"title":"A"'
    )
  })

  test.each(['generator', 'prop'])('refuses a marked parameter of a %s', (kind) => {
    const { record, ask } = tapeOf({ miserMode: true })
    const query =
      kind === 'prop'
        ? 'prop=redirects&titles=A&rdnamespace=0&rdlimit='
        : 'generator=categorymembers&gcmtitle=Category:X&gcmnamespace=14&gcmlimit='
    const whole = record(`${query}500`, {
      batchcomplete: '',
      query: { pages: { 1: rowsOf('0|1|A')[0] } }
    })
    expect(ask(`${query}2`, whole)).toContain('in miser mode, where')
  })
})

describe('a module of an extension with the name of a known one', () => {
  const own = (classname: string): object => ({
    path: 'query+allpages',
    prefix: 'ap',
    group: 'list',
    classname,
    source: 'Things',
    parameters: [limit, text('continue')]
  })
  const list = { module: 'allpages', prefix: 'ap' }

  test('gets nothing that is known of that one', () => {
    expect(askedOf(list, {}, [own('Things\\\\ApiThings')])).toContain(
      "is not MediaWiki's, but ApiThings"
    )
    expect(askedOf(list, {}, [own('MediaWiki\\\\Api\\\\ApiQueryAllPages')])).toContain(
      '"title":"A"'
    )
  })
})

describe('rows that are left out after the limit has counted them', () => {
  const of = (more: string): string => askedOf({ module: 'allusers', prefix: 'au', more })

  test('make a list of users a miss where users come twice, or may have been idle', () => {
    for (const more of ['&auactiveusers=', '&augroup=bot|sysop', '&aurights=edit'])
      expect(of(more)).toContain('leaves out rows after its limit')
    for (const more of ['', '&augroup=sysop', '&auwitheditsonly='])
      expect(of(more)).toContain('"name":"U0"')
  })

  test('make every part of the log of abuse filters a miss', () => {
    expect(askedOf({ module: 'abuselog', prefix: 'afl' })).toContain(
      'leaves out rows after its limit'
    )
  })
})

test('a range of sort keys, which the wiki forgets as it continues, makes a category a miss', () => {
  const of = (more: string): string =>
    askedOf({
      module: 'categorymembers',
      prefix: 'cm',
      more: `&cmtitle=Category:X${more}`
    })
  for (const more of [
    '&cmendsortkeyprefix=B',
    '&cmstartsortkey=B',
    '&cmendhexsortkey=42'
  ])
    expect(of(more)).toContain('keeps to that range in the first answer alone')
  expect(of('')).toContain('"title":"A"')
})

describe('what a search engine finds', () => {
  const list = { module: 'prefixsearch', prefix: 'ps', more: '&pssearch=A' }
  const withExtension = (name: string): Partial<SiteFacts> => ({
    configuration: { extensions: [{ name }] }
  })

  test('is filled up with other variants, where the language has some', () => {
    expect(askedOf(list, { hasVariants: true })).toContain('searches for other variants')
    expect(askedOf(list, { hasVariants: undefined as never, lang: 'sr' })).toContain(
      'searches for other variants'
    )
    expect(askedOf(list, { hasVariants: undefined as never, lang: 'ru' })).toContain(
      '"title":"A"'
    )
  })

  test.each(['CirrusSearch', 'MeiliSearch', 'SemanticMediaWiki', 'Something new'])(
    'may be ranked by an extension that does not come with MediaWiki: %s',
    (name) => {
      expect(askedOf(list, withExtension(name))).toContain("an extension's search engine")
    }
  )

  test('may be ranked by an extension if the cassette does not say which there are', () => {
    expect(askedOf(list, { configuration: undefined as never })).toContain(
      "an extension's search engine"
    )
  })

  test.each([
    { name: 'Cite' },
    { name: 'Replace Text' },
    { name: 'My own', type: 'skin' }
  ])('is ranked by none that is known to do something else: $name', (extension) => {
    const site = { configuration: { extensions: [extension] } }
    expect(askedOf(list, site)).toContain('"title":"A"')
  })

  test.each(['profile', 'backend'])(
    'is ranked by an extension that offers a %s',
    (name) => {
      const profiled = {
        path: 'query+prefixsearch',
        prefix: 'ps',
        group: 'list',
        parameters: [limit, text('offset'), text('search'), text(name)]
      }
      expect(askedOf(list, {}, [profiled])).toContain("an extension's search engine")
    }
  )
})

describe('diffs, of which an answer has those of its first revisions', () => {
  const { record, ask } = tapeOf()
  const revision = (revid: number, diff: object) => ({ revid, parentid: 0, diff })
  const rows = [revision(3, { body: '<tr>' }), revision(2, { notcached: '' })]
  const few = 'each answer has the diffs of its first revisions only'

  test.each([
    ['list=allrevisions', 'arv', { allrevisions: [{ pageid: 1, revisions: rows }] }],
    ['prop=revisions&titles=A', 'rv', { pages: { 1: { pageid: 1, revisions: rows } } }],
    [
      'generator=allpages&prop=info|revisions',
      'rv',
      { pages: { 1: { pageid: 1, revisions: [rows[0]] } } }
    ]
  ])('are not served in other batches: %s', (query, prefix, answer) => {
    const limit = query.startsWith('generator') ? 'gaplimit' : `${prefix}limit`
    for (const diff of ['diffto=prev', 'difftotext=x']) {
      const asked = `${query}&${prefix}${diff}&${limit}=`
      const whole = record(`${asked}500`, { batchcomplete: '', query: answer })
      expect(ask(`${asked}1`, whole)).toBe(few)
    }
  })
})

describe('a walk whose `continue` says that its module has finished', () => {
  const { record, ask } = tapeOf()
  const finished = /has finished$/
  const none = { batchcomplete: '' }

  test.each([
    ['prop=linkshere&titles=A', '-||', ''],
    ['prop=linkshere&titles=A', '||linkshere', ''],
    ['prop=linkshere&titles=A', '-||', '-||'],
    ['list=allpages', '-||allpages', ''],
    ['generator=allpages&prop=info', '-||', '']
  ])('says nothing of its rows: %s, recorded with %s', (query, sent, asked) => {
    const whole = record(`${query}&continue=${sent}`, none)
    expect(ask(`${query}&continue=${asked}`, whole)).not.toMatch(/^\{/)
    expect(ask(`${query}&continue=${sent}`, whole)).toMatch(finished)
  })
})

test.each(['Map', '|a', 'a||b||c'])('the wiki refuses continue=%s', (sent) => {
  const { record, ask } = tapeOf()
  const query = 'generator=linkshere&titles=A&glhlimit=3&continue='
  const none = record(query, { batchcomplete: '' })
  expect(ask(`${query}a||b`, none)).toMatch(/^\{/)
  expect(ask(query + sent, none)).toMatch(/has not two parts$/)
})

describe('a limit above a maximum that is warned of', () => {
  const { record, ask } = tapeOf()
  const extract = (pageid: number): object => ({
    pageid,
    ns: 0,
    title: `P${pageid}`,
    extract: 'x'
  })
  const pages = { 1: extract(1) }

  test.each([
    ['prop=extracts&titles=P1', 'ex', 'extracts', 'must be between 1 and 20.'],
    [
      'prop=revisions&titles=P1&rvparse=',
      'rv',
      'revisions',
      'may not be over 1 (set to 60) for users'
    ]
  ])('is not served to limits below: %s', (query, prefix, module, words) => {
    const text = `The value "60" for parameter "${prefix}limit" ${words}`
    const warned = record(`${query}&${prefix}limit=60`, {
      batchcomplete: '',
      warnings: { [module]: { '*': text } },
      query: { pages }
    })
    expect(ask(`${query}&${prefix}limit=1`, warned)).not.toContain('"60')
  })
})
