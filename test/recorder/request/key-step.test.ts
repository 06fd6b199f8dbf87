/** Pairs of requests that a wiki answers differently, although they look like one; MediaWiki's source is named in docs/rules.md. */
import { describe, expect, it } from 'vitest'
import { knownModule } from '../../../src/recorder/knowledge/known-modules.ts'
import { type Derivation, derive } from '../../../src/recorder/request/derive.ts'
import { keyForExactOrder } from '../../../src/recorder/request/scoped-keys.ts'
import {
  decodeModule,
  type ModuleLookup
} from '../../../src/recorder/wiki/modules/module-descriptions.ts'
import {
  mergeParams,
  parseUrlencoded
} from '../../../src/recorder/wiki/parameters/request-params.ts'
import { apiRequest, fromParams } from '../../helpers/api-requests.ts'
import { factsOfWiki } from '../../helpers/described-wikis.ts'

describe.each(['1.35', '1.39', '1.43'] as const)('a request to %s', (version) => {
  // What the wiki of that version says of all of its modules.
  const lookup: ModuleLookup = (path) =>
    decodeModule(knownModule(path, `MediaWiki ${version}.0`))
  const facts = { ...factsOfWiki(version), lookup }
  const of = (query: string): Derivation => derive(apiRequest(query), facts)

  const differ = (one: string, other: string): void =>
    expect(of(other).key).not.toBe(of(one).key)

  it('leaves out what jQuery adds only beside a callback, where the wiki does not warn of it', () => {
    const query = 'action=query&titles=A&format=json'
    expect(of(`${query}&_=17&callback=f`).key).toBe(of(query).key)
    differ(`${query}&_=17`, query)
    differ(`${query}&_=17`, `${query}&_=17&callback=f`)
  })

  it('counts a default of a generator that has another one than the list', () => {
    const query = 'action=query&generator=search&gsrsearch=A'
    differ(`${query}&gsrprop=size|wordcount|timestamp|snippet`, query)
    const listed = 'action=query&list=search&srsearch=A'
    expect(of(`${listed}&srprop=size|wordcount|timestamp|snippet`).key).toBe(
      of(listed).key
    )
    const paged = 'action=query&generator=allpages'
    expect(of(`${paged}&gapfilterredir=all`).key).toBe(of(paged).key)
  })

  it('counts a default beside the parameter that the wiki refuses together with it', () => {
    const random = 'action=query&list=random'
    differ(`${random}&rnredirect=1&rnfilterredir=nonredirects`, `${random}&rnredirect=1`)
    expect(of(`${random}&rnfilterredir=nonredirects`).key).toBe(of(random).key)
    const generated = 'action=query&generator=random&grnredirect=1'
    differ(`${generated}&grnfilterredir=nonredirects`, generated)
  })

  it('counts the value and the order of what its continue value repeats', () => {
    const query = 'action=query&titles=A&continue=foo|bar||'
    differ(`${query}&foo=1&bar=1`, `${query}&foo=2&bar=1`)
    differ(`${query}&foo=1&bar=1`, `${query}&bar=1&foo=1`)
    const other = 'action=query&titles=A&continue=||info'
    expect(of(`${other}&foo=1`).key).toBe(of(`${other}&foo=2`).key)
  })

  it('counts how it was spelled where a debugging page has a link to it', () => {
    for (const format of ['nonefm', 'xmlfm', 'phpfm', 'rawfm', 'jsonfm&wrappedhtml=1'])
      differ(
        `action=query&titles=A&format=${format}`,
        `action=query&format=${format}&titles=A`
      )
    for (const format of ['xml', 'json', 'jsonfm'])
      expect(of(`action=query&titles=A&format=${format}`).key).toBe(
        of(`action=query&format=${format}&titles=A`).key
      )
  })

  it('has all values by one `*` alone: of two the wiki knows none', () => {
    const members = 'action=query&list=categorymembers&cmtitle=Category:A&cmnamespace='
    differ(`${members}*`, `${members}*|*`)
    expect(of(`${members}0|0`).key).toBe(of(`${members}0`).key)
  })

  it('keeps the value of an unknown parameter where hooks may read it, but in no key', () => {
    for (const query of [
      'action=parse&page=A',
      'action=query&list=search&srsearch=A',
      'action=opensearch&search=A'
    ]) {
      const one = of(`${query}&dtenable=0`)
      expect(of(`${query}&dtenable=1`).key).toBe(one.key)
      expect([...one.sentValues]).toEqual([['dtenable', '0']])
      expect(one.orderless.has('dtenable')).toBe(false)
      expect(keyForExactOrder(of(`${query}&dtenable=1`)).key).not.toBe(
        keyForExactOrder(one).key
      )
      expect(of(`${query}&_=1764350000000`).sentValues.size).toBe(0)
    }
    expect(of('action=query&prop=info&titles=A&dtenable=0').sentValues.size).toBe(0)
    expect(
      of('action=query&prop=revisions&rvprop=content&titles=A&dtenable=0').sentValues.size
    ).toBe(0)
    expect(
      of('action=query&prop=revisions&rvparse=1&titles=A&dtenable=0').sentValues.size
    ).toBe(1)
  })

  it('names what no module knows in the order sent, also beside a module that is not described', () => {
    expect(of('action=query&prop=info|bogus&foo=1&bar=2').unknownNames).toEqual([
      'foo',
      'bar'
    ])
    const exact = (query: string): string => keyForExactOrder(of(query)).key
    expect(exact('action=query&prop=info|bogus&foo=1&bar=2')).not.toBe(
      exact('action=query&prop=info|bogus&bar=2&foo=1')
    )
  })

  it('counts every parameter of the form that an action has of its own', () => {
    differ('action=rsd&format=json', 'action=rsd&format=json&formatversion=1')
    expect(of('action=query&formatversion=1').key).toBe(of('action=query').key)
  })

  it('knows which lists of values show their order', () => {
    const orderless = (query: string): readonly string[] =>
      [...of(query).orderless].sort()
    expect(
      orderless(
        'action=query&list=categorymembers&cmtype=file|page&cmprop=ids|title&cmnamespace=0|1'
      )
    ).toEqual(['cmnamespace', 'cmprop'])
    expect(
      orderless('action=query&meta=siteinfo|tokens&siprop=general|skins&type=csrf|watch')
    ).toEqual([])
    expect(
      orderless(
        'action=query&generator=categorymembers&gcmtype=file|page&gcmprop=ids|title'
      )
    ).toEqual(['gcmprop'])
  })
})

describe('bytes that are no UTF-8', () => {
  const facts = factsOfWiki('1.43')
  const query = 'action=query&titles=%CD%E8%EB'
  const send = (inQuery: string, body?: string): Derivation => {
    const params = mergeParams(parseUrlencoded(body ?? ''), parseUrlencoded(inQuery))
    return derive(
      { ...fromParams(params), query: inQuery, posted: body !== undefined },
      facts
    )
  }

  it('are read in the old encoding of the wiki out of the address alone', () => {
    expect(send('', query).key).not.toBe(send(query).key)
    expect(send('titles=%CD%E8%EB', 'action=query').key).toBe(send(query).key)
    // There is a variable of that name in the address.
    expect(send('titles[]=Y', query).key).not.toBe(send('', query).key)
    expect(send('titles[]=Y', query).key).toBe(send(query).key)
    expect(send('', 'action=query&titles=%D0%9D').key).toBe(
      send('action=query&titles=%D0%9D').key
    )
  })
})

describe('a closed list of a module', () => {
  const onlySelects = (path: string, source?: string): boolean | undefined =>
    decodeModule({
      path,
      source,
      parameters: [{ name: 'prop', type: ['a', 'b'], multi: true }]
    })?.parameters.get('prop')?.onlySelects

  it('only selects in a module of MediaWiki or one that was read, and may do anything in others', () => {
    expect(onlySelects('query+info', 'MediaWiki')).toBe(true)
    expect(onlySelects('query+info')).toBe(true)
    expect(onlySelects('query+pageimages', 'PageImages')).toBe(true)
    expect(onlySelects('query+mystery', 'Mystery')).toBe(false)
    expect(onlySelects('query+siteinfo', 'MediaWiki')).toBe(false)
  })
})
