/** An error is that of requests with other limits, in another dialect, or with sets in another order; measured on 1.43. */
import { describe, expect, test } from 'vitest'
import { composeAny } from '../../../../../src/recorder/engine/replay/compose-any.ts'
import { writeCompact } from '../../../../../src/recorder/json/write-json.ts'
import {
  composeAtLimits,
  composeError
} from '../../../../../src/recorder/playback/compose/errors/compose-errors.ts'
import { derive } from '../../../../../src/recorder/request/derive.ts'
import type { ModuleLookup } from '../../../../../src/recorder/wiki/modules/module-descriptions.ts'
import { apiRequest } from '../../../../helpers/api-requests.ts'
import { tapeOf } from '../../../paging/tape.ts'

const { facts, record } = tapeOf()

/** The code of the error that a recorded one shows for another request; undefined where it shows none. */
function shown(recorded: string, info: string, asked: string): string | undefined {
  const body = { error: { code: 'refused', info, '*': 'See api.php, 2 of 174.' } }
  const derivation = derive(apiRequest(`action=query&format=json&${asked}`), facts)
  const found = composeError(derivation, [record(recorded, body)], facts)
  if (!found) return undefined
  expect(writeCompact(found.body, 'utf8')).toBe(JSON.stringify(body))
  return 'refused'
}

describe('the error of a list', () => {
  const recorded = 'list=watchlistraw&wrlimit=5&continue='
  const said = (asked: string): string | undefined =>
    shown(recorded, 'You must be logged in.', asked)

  test('is the same at any limit within bounds, sent or not, and in either dialect', () => {
    const same = ['wrlimit=7', 'wrlimit=max', 'continue=', 'rawcontinue=&wrlimit=500']
    same.push('continue=-||', 'continue=||', 'continue=foo||bar')
    for (const more of same) expect(said(`list=watchlistraw&${more}`)).toBe('refused')
  })

  test('may be another with any other difference', () => {
    const others = [
      'list=watchlistraw&wrlimit=501',
      'list=watchlistraw&wrlimit=0',
      'list=watchlistraw&wrlimit=bogus',
      'list=watchlistraw&wrlimit=5&wrnamespace=0',
      'list=watchlistraw&wrlimit=5&continue=-||watchlistraw',
      'list=watchlistraw&wrlimit=5&continue=bogus',
      'list=watchlistraw&wrlimit=5&continue=a||b||c',
      'list=watchlistraw&wrlimit=5&formatversion=2',
      'list=watchlistraw|nobodyknows&wrlimit=5'
    ]
    for (const asked of others) expect(said(asked)).toBeUndefined()
  })

  test('is not that of another limit which it names', () => {
    const named = shown(recorded, 'Use wrlimit.', 'list=watchlistraw&wrlimit=7')
    expect(named).toBeUndefined()
  })
})

describe('who is not logged in', () => {
  const recorded = 'list=watchlist&wllimit=5'
  function said(asked: string, code = 'notloggedin', more: object = {}): boolean {
    const body = {
      ...more,
      error: { code, info: 'Log in to edit.', '*': 'See api.php.' }
    }
    const derivation = derive(apiRequest(`action=query&format=json&${asked}`), facts)
    return composeError(derivation, [record(recorded, body)], facts) !== undefined
  }

  test('is refused a watchlist, whatever else is asked of it', () => {
    const same = [
      'list=watchlist&wltype=edit|new&wlallrev=1',
      'list=watchlist&wlstart=2024-01-01T00:00:00Z&wlshow=minor|!minor',
      'list=watchlist&wlnamespace=0|4&wluser=Bob'
    ]
    for (const one of same) expect(said(one)).toBe(true)
  })

  test('may be told of a wrong value before, or of another watchlist', () => {
    const others = [
      'list=watchlist&wltype=bogus',
      'list=watchlist&wlnamespace=999',
      'list=watchlist&wlstart=bogus',
      'list=watchlist&wluser=Bob%23x',
      'list=watchlist&wlowner=Bob',
      'list=watchlist&wltype=edit&wlowner=Bob&wltoken=abc',
      'list=watchlist|usercontribs&wltype=edit'
    ]
    for (const one of others) expect(said(one)).toBe(false)
    expect(said('list=watchlist&wltype=edit', 'badvalue')).toBe(false)
    const warned = { warnings: { watchlist: { '*': 'Deprecated.' } } }
    expect(said('list=watchlist&wltype=edit', 'notloggedin', warned)).toBe(false)
  })
})

test('an error is the same where rows are left out after the limit, but not of an unknown class', () => {
  const query = (limit: number): string =>
    `list=allusers&augroup=sysop&auprefix=<&aulimit=${limit}`
  const body = {
    error: { code: 'invalidtitle', info: 'Bad title.', '*': 'See api.php.' }
  }
  const derivation = derive(apiRequest(`action=query&format=json&${query(6)}`), facts)
  const said = (className?: string) => {
    const lookup: ModuleLookup = (path) => {
      const found = facts.lookup(path)
      return found && path === 'query+allusers' ? { ...found, className } : found
    }
    return composeAny(derivation, {
      recordings: [record(query(5), body)],
      entities: [],
      otherProps: [],
      anyProps: [],
      errors: [],
      describe: () => undefined,
      facts: { ...facts, lookup },
      history: { writes: [], writeSetOf: () => undefined, isOlder: false }
    })?.kind
  }
  expect(said('ApiQueryAllUsers')).toBe('composed')
  expect(said('ApiQueryOtherUsers')).toBeUndefined()
})

test('an error of a generator without props is the same at any limit', () => {
  const query = (limit: string): string =>
    `generator=langbacklinks&glbltitle=A&glbllimit=${limit}`
  expect(shown(query('5'), 'Incorrect.', query('50'))).toBe('refused')
  expect(shown(query('5'), 'Incorrect.', query('501'))).toBeUndefined()
})

test('an error is the same in another order of pages or of values, unless it names one', () => {
  const query = (ids: string, show: string): string =>
    `prop=categories&pageids=${ids}&clshow=${show}`
  const said = (info: string, ids: string, show: string): string | undefined =>
    shown(query('2|174', 'hidden|!hidden'), info, query(ids, show))
  expect(said('Incorrect parameter.', '174|2', '!hidden|hidden')).toBe('refused')
  expect(said('Incorrect parameter.', '174', '!hidden|hidden')).toBeUndefined()
  expect(said('There is no page 174.', '174|2', 'hidden|!hidden')).toBeUndefined()
  const twice = 'hidden|!hidden|hidden'
  expect(said('Incorrect parameter.', '2|174', twice)).toBe('refused')
  expect(said('Unrecognized value for "clshow": x.', '2|174', twice)).toBeUndefined()
})

test('an error of revisions depends on whether a limit was sent, and of texts on the limit', () => {
  const query = (more: string): string => `prop=revisions&titles=A|B${more}`
  const said = (one: string, other: string): string | undefined =>
    shown(query(one), 'Several pages.', query(other))
  expect(said('&rvlimit=5', '&rvlimit=6')).toBe('refused')
  expect(said('&rvlimit=5', '')).toBeUndefined()
  expect(said('&rvprop=content&rvlimit=5', '&rvprop=content&rvlimit=6')).toBeUndefined()
})

test('an error of lists that run in another order may be that of another one', () => {
  const lists = (names: string): string => `list=${names}&iwbltitle=X`
  const [one, other] = [
    lists('watchlistraw|iwbacklinks'),
    lists('iwbacklinks|watchlistraw')
  ]
  expect(shown(one, 'You must be logged in.', other)).toBeUndefined()
})

test('an error of the props of a generator may depend on how many pages it gives', () => {
  const query = (limit: number): string =>
    `generator=allpages&prop=revisions&rvlimit=2&gaplimit=${limit}`
  expect(shown(query(2), 'Several pages.', query(1))).toBeUndefined()
})

describe('what a module checks before it reads rows', () => {
  const said = (
    recorded: string,
    [code, info = 'Incorrect.']: readonly [code: string, info?: string],
    asked: string
  ): boolean => {
    const body = { error: { code, info, '*': 'See api.php.' } }
    const derivation = derive(apiRequest(`action=query&format=json&${asked}`), facts)
    return composeError(derivation, [record(recorded, body)], facts) !== undefined
  }

  test.each([
    [
      'the value of one that only may not be sent',
      'list=alldeletedrevisions&adruser=Bob&adrexcludeuser=A',
      'invalidparammix',
      '&adruser=Bob&adrexcludeuser=Eve'
    ],
    [
      'what is checked later',
      'list=alldeletedrevisions&adrstart=2024-01-01T00:00:00Z',
      'invalidparammix',
      '&adrstart=2024-01-01T00:00:00Z&adrnamespace=2'
    ],
    [
      'filters of rows',
      'list=categorymembers&cmtitle=A',
      'invalidcategory',
      '&cmtitle=A&cmtype=file|page&cmdir=older'
    ],
    [
      'flags of pages, without pages',
      'list=allpages&apfrom=<',
      'invalidtitle',
      '&apfrom=<&indexpageids=&redirects=1'
    ]
  ])('does not matter: %s', (_, recorded, code, more) => {
    const asked = `${recorded.split('&')[0]}${more}`
    expect(said(recorded, [code, 'Not with "adruser".'], asked)).toBe(true)
    expect(said(recorded, ['rowerror'], asked)).toBe(more.includes('redirects'))
  })

  test.each([
    [
      'a value that is checked',
      'list=allpages&apfrom=<',
      'invalidtitle',
      'list=allpages&apfrom=A'
    ],
    [
      'one that is checked before',
      'list=allpages&apprlevel=sysop',
      'invalidparammix',
      'list=allpages&apprlevel=sysop&apfrom=<'
    ],
    [
      'whether one is sent',
      'list=logevents&letitle=A&leprefix=B',
      'invalidparammix',
      'list=logevents&letitle=A'
    ],
    [
      'a value that the wiki refuses',
      'list=categorymembers&cmtitle=A',
      'invalidcategory',
      'list=categorymembers&cmtitle=A&cmtype=bogus'
    ],
    [
      'an empty text that must be sent',
      'list=pageswithprop|categorymembers&pwppropname=A&cmtitle=A',
      'invalidcategory',
      'list=pageswithprop|categorymembers&pwppropname=&cmtitle=A'
    ],
    [
      'a module that may refuse it first',
      'list=categorymembers|logevents&cmtitle=A',
      'invalidcategory',
      'list=categorymembers|logevents&cmtitle=A&letitle=<'
    ],
    [
      'a continue value',
      'list=allpages&apfrom=<',
      'invalidtitle',
      'list=allpages&apfrom=<&apcontinue=A'
    ],
    [
      'flags of pages',
      'prop=categories&titles=A&clshow=hidden|!hidden',
      'show',
      'prop=categories&titles=A&clshow=hidden|!hidden&redirects=1'
    ],
    [
      'an array',
      'list=allpages&apfrom=<',
      'invalidtitle',
      'list=allpages&apfrom=<&titles[]=A'
    ],
    [
      'rows of texts',
      'prop=revisions|categories&titles=A&clshow=hidden|!hidden&rvsection=9',
      'show',
      'prop=revisions|categories&titles=A&clshow=hidden|!hidden&rvsection=9&rvuser=Bob'
    ]
  ])('matters: %s', (_, recorded, code, asked) => {
    expect(said(recorded, [code], asked)).toBe(false)
  })

  test('parameters that no module has do not matter, in whatever order', () => {
    const lookup: ModuleLookup = (path) => {
      const found = facts.lookup(path)
      return found && { ...found, acceptsUnlisted: false }
    }
    const told = { ...facts, lookup }
    const query = (more: string): string => `list=allpages&apfrom=<&${more}`
    const body = { error: { code: 'invalidtitle', info: 'No.', '*': 'See api.php.' } }
    const composed = (one: string, other: string): boolean => {
      const requested = (more: string) =>
        derive(apiRequest(`action=query&format=json&${query(more)}`), told)
      const { canonical: request, sentValues } = requested(one)
      const from = { ...record(query(one), body), request, sentValues }
      return composeError(requested(other), [from], told) !== undefined
    }
    expect(composed('bar=2&foo=1', 'foo=1&bar=3&apfrom=<')).toBe(true)
    expect(composed('bar=2', 'bar=2&titles[]=A')).toBe(false)
  })

  test('rights are checked first, and again for texts', () => {
    const history = [
      'permissiondenied',
      "You can't view a page's deleted history."
    ] as const
    const text = ['permissiondenied', "You can't view deleted revision text."] as const
    const query = (more: string): string => `list=deletedrevs&${more}`
    const [one, other] = [query('druser=Bob'), query('drfrom=A&drprop=len')]
    expect(said(one, history, other)).toBe(true)
    expect(said(one, text, other)).toBe(false)
    expect(said(one, text, query('druser=Eve'))).toBe(true)
  })

  test('values of a closed list are a set, though the error names one', () => {
    const query = (prop: string): string => `list=recentchanges&rcprop=${prop}`
    const patrol = ['permissiondenied', 'You need a right to see patrolled.'] as const
    const one = query('patrolled|ids')
    expect(said(one, patrol, query('ids|patrolled'))).toBe(true)
    expect(said(one, ['rowerror', patrol[1]], query('ids|patrolled'))).toBe(false)
  })

  test('a generator is refused before what its pages are for, and a set of pages before both', () => {
    const generator = 'generator=linkshere&titles=A&glhshow=redirect|!redirect'
    const ofProp = (start: string): string =>
      `${generator}&prop=deletedrevisions&drvstart=${start}`
    expect(said(ofProp('2024-01-01T00:00:00Z'), ['show'], ofProp('bogus'))).toBe(true)
    expect(said(ofProp('bogus'), ['permissiondenied'], ofProp('2024'))).toBe(false)
    const wrong = [
      'badinteger',
      'Invalid value "4.0" for integer parameter "pageids".'
    ] as const
    const ofIds = (limit: string): string => `prop=links&pageids=4.0&pllimit=${limit}`
    expect(said(ofIds('5'), wrong, ofIds('bogus'))).toBe(true)
  })

  test('a parameter that must be set is not a check of another module', () => {
    const query = (title: string): string =>
      `list=backlinks|pageswithprop&bltitle=${title}`
    const unset = ['missingparam', 'The "pwppropname" parameter must be set.'] as const
    expect(said(query('A'), unset, query('<'))).toBe(false)
    expect(said(query('A'), unset, `${query('A')}&blnamespace=2`)).toBe(true)
  })

  test('a parameter that must be set is missed only where it is not set', () => {
    const query = (more: string): string =>
      `generator=search&prop=revisions&gsrlimit=2${more}`
    const unset = ['missingparam', 'The "gsrsearch" parameter must be set.'] as const
    expect(said(query(''), unset, query('&gsrnamespace=4'))).toBe(true)
    expect(said(query(''), unset, query('&gsrsearch=x'))).toBe(false)
  })

  test('of a parameter that the error names, it matters whether it is sent', () => {
    const query = (more: string): string => `list=alldeletedrevisions&adruser=Bob${more}`
    const mixed = [
      'invalidparammix',
      'The parameters "adrexcludeuser" and "adruser" can not be used together.'
    ] as const
    const one = query('&adrexcludeuser=Eve')
    expect(said(one, mixed, query('&adrexcludeuser=Ann'))).toBe(true)
    expect(said(one, mixed, query('&adrexcludeuser='))).toBe(false)
    expect(said(one, mixed, query(''))).toBe(false)
  })

  test('the module is the one whose parameter the error names', () => {
    const query = (more: string): string =>
      `list=allimages|usercontribs&ucuserprefix=A&aifilterbots=bots${more}`
    const of = (names: string): readonly [string, string] => [
      'invalidparammix',
      `The ${names}.`
    ]
    const images = of('"aifilterbots" parameter may only be used with "aisort=timestamp"')
    const users = of('parameters "ucuser" and "ucuserprefix" can not be used together')
    const [one, other] = [
      query('&ucuser=A&ucprop=ids'),
      query('&ucuser=B&ucprop=patrolled')
    ]
    expect(said(one, users, other)).toBe(true)
    // The other one's checks run before it.
    expect(said(one, images, other)).toBe(false)
    expect(said(one, ['invalidparammix'], other)).toBe(false)
    const generator = (limit: number): string =>
      `generator=alldeletedrevisions&prop=extracts&gadrstart=2024-01-01T00:00:00Z&gadrlimit=${limit}`
    const start = of('"adrstart" parameter may only be used with "adruser"')
    expect(said(generator(5), start, generator(2))).toBe(true)
  })

  test('titles that are plain are taken in any namespace', () => {
    const query = (more: string): string => `list=allpages|watchlistraw${more}`
    const refused = ['notloggedin'] as const
    expect(said(query(''), refused, query('&apfrom=Map'))).toBe(true)
    expect(said(query('&apcontinue='), refused, query(''))).toBe(false)
    expect(said(query('&apprefix=A'), refused, query('&apnamespace=2'))).toBe(true)
    expect(said(query(''), refused, query('&apfrom=a/../b'))).toBe(false)
    expect(said(query('&apto=<'), refused, query('&apto=<&apnamespace=2'))).toBe(false)
  })

  test('what is warned of single parameters is warned of again, if these are the same', () => {
    const query = (more: string): string => `list=filearchive&fasha1=bad${more}`
    const sent = query('&falimit=501&faprop=sha1')
    const ofLimit = 'The value "501" for parameter "falimit" must be between 1 and 500.'
    const warned = (text: string, asked: string): boolean => {
      const warnings = { filearchive: { '*': text } }
      const error = { code: 'invalidsha1hash', info: 'Bad.' }
      const derivation = derive(apiRequest(`action=query&format=json&${asked}`), facts)
      const from = record(sent, { error, warnings })
      return composeError(derivation, [from], facts) !== undefined
    }
    const other = query('&falimit=501&faprop=sha1&fadir=descending')
    expect(warned(ofLimit, other)).toBe(true)
    const ofSlots = 'Because "faslots" was not specified, a legacy format has been used.'
    expect(warned(ofSlots, other)).toBe(true)
    expect(warned(`${ofLimit}\nSubscribe to the list.`, other)).toBe(true)
    expect(warned(`${ofLimit}\n"<" is not a title.`, other)).toBe(false)
    expect(warned(ofLimit, query('&falimit=5&faprop=sha1'))).toBe(false)
    expect(warned(ofLimit.replace('limit', 'dir'), other)).toBe(false)
  })

  test('a limit matters to what an earlier module warned of rows', () => {
    const query = (limit: number): string =>
      `prop=imageinfo|stashimageinfo&titles=A|B&iilimit=${limit}`
    const composed = (text: string): boolean => {
      const error = { code: 'notloggedin', info: 'Please log in.' }
      const warnings = { imageinfo: { '*': text } }
      const wanted = derive(apiRequest(`action=query&format=json&${query(2)}`), facts)
      const from = record(query(3), { error, warnings })
      return composeError(wanted, [from], facts) !== undefined
    }
    expect(composed('The value passed for "iistart" contains invalid data.')).toBe(true)
    expect(composed('Could not create thumbnail.')).toBe(false)
  })

  test('more pages do not matter to what any of them is enough for', () => {
    const query = (more: string, props = 'stashimageinfo|linkshere'): string =>
      `prop=${props}&lhlimit=5${more}`
    const refused = ['notloggedin'] as const
    const one = query('&titles=A|B')
    expect(said(one, refused, query('&titles=B|C|A'))).toBe(true)
    expect(said(one, refused, query('&titles=A'))).toBe(false)
    expect(said(one, refused, query('&titles=A|B&pageids=1'))).toBe(false)
    const texts = (titles: string): string =>
      query(`&titles=${titles}`, 'stashimageinfo|revisions')
    expect(said(texts('A'), refused, texts('A|B'))).toBe(false)
    const checked = (titles: string): string =>
      query(`&titles=${titles}&clcategories=Hub`, 'stashimageinfo|categories')
    expect(said(checked('A'), refused, checked('A|B'))).toBe(false)
  })

  test('the finished generator and its props may not have been refused', () => {
    const query = (more: string): string =>
      `prop=stashimageinfo&generator=links&titles=A&${more}`
    const refused = ['notloggedin'] as const
    expect(said(query('continue='), refused, query('continue=||'))).toBe(true)
    expect(said(query('continue='), refused, query('continue=-||'))).toBe(false)
  })

  test('an unknown version of the format is refused after all modules have answered', () => {
    const info = 'Unrecognized value for parameter "formatversion": 9.'
    const warnings = {
      json: { '*': info },
      main: { '*': 'Error printer failed. Will retry without params.' }
    }
    const failed = { warnings, error: { code: 'badvalue', info, '*': 'See api.php.' } }
    const isSame = (recorded: string, asked: string, body: object = failed): boolean => {
      const query = `action=query&format=json&formatversion=9&${asked}`
      const from = record(`formatversion=9&${recorded}`, body)
      return composeError(derive(apiRequest(query), facts), [from], facts) !== undefined
    }
    const all = 'list=allpages&aplimit=5'
    expect(isSame(all, 'list=allpages&aplimit=7&apprefix=A&continue=-||')).toBe(true)
    expect(isSame(all, `${all}&apfrom=<`)).toBe(false)
    expect(isSame(all, `${all}&foo=`)).toBe(false)
    expect(isSame(all, `${all}&aplimit=501`)).toBe(false)
    expect(isSame(all, `${all}&continue=bogus`)).toBe(false)
    expect(isSame('prop=info&titles=A', 'prop=info&titles=A|B')).toBe(false)
    expect(isSame('action=help', 'action=help&rawcontinue=')).toBe(false)
    const alsoWarned = { ...failed, warnings: { ...warnings, result: { '*': 'Cut.' } } }
    expect(isSame(all, 'list=allpages&aplimit=7', alsoWarned)).toBe(false)
    const inRussian = { ...failed.error, info: 'Значение «formatversion»: 9.' }
    expect(isSame(all, `${all}&foo=`, { ...failed, error: inRussian })).toBe(false)
    const errors = [{ code: 'badvalue', module: 'json', text: info }]
    const text = 'errorformat=plaintext'
    expect(isSame(`${all}&${text}`, `${all}&${text}&foo=`, { errors })).toBe(false)
    const refused = { ...failed, error: { code: 'notloggedin', info: 'Log in.' } }
    const raw = 'list=watchlistraw&wrlimit=5'
    expect(isSame(raw, 'list=watchlistraw&wrlimit=7&foo=', refused)).toBe(true)
  })

  test('a set that the message repeats is another in another order', () => {
    const query = (prop: string): string => `list=allredirects&arunique=1&arprop=${prop}`
    const info = 'The "arprop=ids|title" parameter cannot be used with "arunique".'
    const [one, other] = [query('ids|title'), query('title|ids')]
    expect(said(one, ['invalidparammix', info], other)).toBe(false)
  })

  test('redirects are a flag of pages in queries only', () => {
    const info = 'Unrecognized value for parameter "redirects": x.'
    const asked = (redirects: string) =>
      derive(
        apiRequest(`action=opensearch&format=json&search=A&redirects=${redirects}`),
        facts
      )
    const { canonical: request, sentValues } = asked('x')
    const body = { error: { code: 'badvalue', info } }
    const from = { ...record('list=allpages', body), request, sentValues }
    expect(composeError(asked('resolve'), [from], facts)).toBeUndefined()
  })

  test('of other actions than queries, what descriptions refuse depends on nothing else', () => {
    const asked = (more: string) =>
      derive(apiRequest(`action=compare&format=json&fromrev=1&torev=x${more}`), facts)
    const refused = (code: string, more: string, info: string, members = {}): boolean => {
      const body = { error: { code, info, ...members, '*': 'See api.php.' } }
      const { canonical: request, sentValues } = asked('')
      const from = { ...record('list=allpages', body), request, sentValues }
      return composeError(asked(more), [from], facts) !== undefined
    }
    const wrong = 'Invalid value "x" for integer parameter "torev".'
    expect(refused('badinteger', '&prop=diff|ids&fromtitle=A', wrong)).toBe(true)
    expect(refused('badinteger', '&prop=bogus', wrong)).toBe(false)
    expect(refused('missingtitle', '&prop=diff', 'The page does not exist.')).toBe(false)
    const warnings = { main: { '*': 'Unrecognized parameter: continue.' } }
    expect(refused('warnings', '&continue=', 'Warnings.', { warnings })).toBe(false)
    const unset = 'The "totext" parameter must be set.'
    expect(refused('missingparam', '&prop=diff', unset)).toBe(false)
  })

  test('a set of pages may be refused after the parameters of its generator were read', () => {
    const query = (limit: string, link = '2'): string =>
      `generator=linkshere&pageids=1&revids=2&glhlimit=${limit}&prop=links&pllimit=${link}`
    expect(said(query('10'), ['multisource'], query('600'))).toBe(false)
    expect(said(query('10'), ['multisource'], query('10', '600'))).toBe(true)
  })

  test('a wrong value is refused for whatever pages, where its module runs alone', () => {
    const wrong = ['badvalue', 'Unrecognized value for parameter "tldir": x.'] as const
    const query = (pages: string, prop = 'templates'): string =>
      `prop=${prop}&pageids=${pages}&tldir=x`
    expect(said(query('2|3'), wrong, query('5'))).toBe(true)
    expect(said(query('2'), wrong, query('x'))).toBe(false)
    const both = 'revisions|templates'
    expect(said(query('2|3', both), wrong, query('5', both))).toBe(false)
  })

  test('is not known of versions before 1.35, nor beside warnings', () => {
    const asked = 'list=categorymembers&cmtitle=A&cmtype=page'
    const derivation = derive(apiRequest(`action=query&format=json&${asked}`), facts)
    const composed = (body: object, generator?: string): boolean => {
      const site = facts.site && { ...facts.site, ...(generator ? { generator } : {}) }
      const from = record('list=categorymembers&cmtitle=A', body)
      return composeError(derivation, [from], { ...facts, site }) !== undefined
    }
    const error = { code: 'invalidcategory', info: 'No category.', '*': 'See api.php.' }
    expect(composed({ error })).toBe(true)
    expect(composed({ error }, 'MediaWiki 1.34.4')).toBe(false)
    expect(composed({ warnings: { main: { '*': 'x' } }, error })).toBe(false)
  })
})

describe('a whole answer of props', () => {
  const links = (count: number): readonly object[] =>
    Array.from({ length: count }, (_, at) => ({ ns: 0, title: `L ${at}` }))
  const answerOf = (...counts: readonly number[]): object => ({
    batchcomplete: '',
    warnings: { info: { '*': 'Something else.' } },
    query: {
      pages: Object.fromEntries(
        counts.map((count, at) => [
          at + 1,
          { pageid: at + 1, ns: 0, title: `P ${at}`, links: links(count) }
        ])
      )
    }
  })
  function said(asked: string, body = answerOf(2, 3), prop = 'links|info'): boolean {
    const recorded = `generator=allpages&gaplimit=2&prop=${prop}&pllimit=9`
    const query = `action=query&format=json&generator=allpages&gaplimit=2&prop=${prop}&${asked}`
    const derivation = derive(apiRequest(query), facts)
    return composeAtLimits(derivation, [record(recorded, body)], facts) !== undefined
  }

  test('is the same at every limit that has room for the rows of all pages', () => {
    for (const limit of ['pllimit=5', 'pllimit=500', '']) expect(said(limit)).toBe(true)
  })

  test('may be cut at others, or say more, or differ in more', () => {
    const others = [
      'pllimit=4',
      'pllimit=501',
      'pllimit=0',
      'pllimit=max',
      'pllimit=5&pldir=descending'
    ]
    for (const one of others) expect(said(one)).toBe(false)
    expect(said('pllimit=5', { ...answerOf(2), batchcomplete: undefined })).toBe(false)
    expect(said('pllimit=5', answerOf(2), 'links|imageinfo')).toBe(false)
    expect(said('pllimit=5', answerOf(2), 'links|nobodyknows')).toBe(false)
  })
})
