/** Members that stand in the order of modules or of values: turned into the order of this request, or not at all. */
import { describe, expect, it } from 'vitest'
import { type JsonTree, memberAt } from '../../../../src/recorder/json/json-tree.ts'
import { writeCompact } from '../../../../src/recorder/json/write-json.ts'
import {
  memberOrder,
  reorderSiblings,
  reorderSiteinfo,
  reorderTokens
} from '../../../../src/recorder/playback/reorder/reorder-members.ts'
import { treeOf } from '../../../helpers/recorded.ts'

const text = (tree: JsonTree | undefined): string | undefined =>
  tree && writeCompact(tree, 'utf8')
const sent = (recorded: string, requested: string) => ({ recorded, requested })
const none = sent('', '')

describe('lists and meta modules', () => {
  const answer = (...members: readonly string[]): string =>
    `{"batchcomplete":"","query":{${members.map((one) => `"${one}":[]`).join()}}}`
  const turned = (body: string, list = none, meta = none, siprop = 'general') =>
    text(reorderSiblings(treeOf(body), list, meta, siprop))

  it('come in the order of the request, lists first, and all members of one together', () => {
    const lists = sent('allpages|search|blocks', 'search|blocks|allpages')
    expect(turned(answer('allpages', 'searchinfo', 'search', 'blocks'), lists)).toBe(
      answer('searchinfo', 'search', 'blocks', 'allpages')
    )
    const meta = sent('siteinfo|userinfo', 'userinfo|siteinfo')
    expect(
      turned(
        answer('namespaces', 'general', 'userinfo'),
        none,
        meta,
        'general|namespaces'
      )
    ).toBe(answer('userinfo', 'namespaces', 'general'))
    expect(
      turned(
        answer('blocks', 'allpages', 'userinfo', 'general'),
        sent('blocks|allpages', 'allpages|blocks'),
        sent('userinfo|siteinfo', 'siteinfo|userinfo')
      )
    ).toBe(answer('allpages', 'blocks', 'general', 'userinfo'))
  })

  it('stay behind the pages', () => {
    const lists = sent('allpages|blocks', 'blocks|allpages')
    expect(
      turned(answer('normalized', 'pageids', 'pages', 'allpages', 'blocks'), lists)
    ).toBe(answer('normalized', 'pageids', 'pages', 'blocks', 'allpages'))
  })

  it('are not turned where a member is of an unknown module, or stands where it should not', () => {
    const lists = sent('allpages|mystery', 'mystery|allpages')
    expect(turned(answer('allpages', 'riddle'), lists)).toBeUndefined()
    expect(turned(answer('mystery', 'allpages'), lists)).toBeUndefined()
    expect(
      turned(answer('pages', 'export', 'allpages', 'mystery'), lists)
    ).toBeUndefined()
  })

  it('are not turned where other members list modules too', () => {
    const lists = sent('allpages|blocks', 'blocks|allpages')
    const query = '"query":{"allpages":[],"blocks":[]}'
    expect(
      turned(`{"limits":{"allpages":500,"blocks":500},${query}}`, lists)
    ).toBeUndefined()
    expect(
      turned(
        `{"continue":{"apcontinue":"A","bkcontinue":"B","continue":"-||"},${query}}`,
        lists
      )
    ).toBeUndefined()
    expect(
      turned(`{"query-continue":{"allpages":{},"blocks":{}},${query}}`, lists)
    ).toBeUndefined()
    const one = '{"continue":{"apcontinue":"A","continue":"-||blocks"},"query":{'
    expect(turned(`${one}"allpages":[],"blocks":[]}}`, lists)).toBe(
      `${one}"blocks":[],"allpages":[]}}`
    )
  })
})

describe('values that name members', () => {
  it('of siteinfo are turned in their place', () => {
    const body = treeOf('{"query":{"pages":{},"general":1,"skins":2,"userinfo":3}}')
    expect(text(reorderSiteinfo(body, sent('general|skins', 'skins|general')))).toBe(
      '{"query":{"pages":{},"skins":2,"general":1,"userinfo":3}}'
    )
    const apart = treeOf('{"query":{"general":1,"userinfo":3,"skins":2}}')
    expect(reorderSiteinfo(apart, sent('general|skins', 'skins|general'))).toBeUndefined()
    expect(reorderSiteinfo(body, sent('skins|general', 'general|skins'))).toBeUndefined()
  })

  it('are the kinds of tokens', () => {
    const body = treeOf('{"query":{"tokens":{"csrftoken":"a","watchtoken":"b"}}}')
    const turned = reorderTokens(
      body,
      ['query', 'tokens'],
      sent('csrf|watch', 'watch|csrf')
    )
    expect(text(memberAt(turned, 'query', 'tokens'))).toBe(
      '{"watchtoken":"b","csrftoken":"a"}'
    )
    const strange = treeOf('{"tokens":{"riddle":"a"}}')
    expect(
      reorderTokens(strange, ['tokens'], sent('edit|watch', 'watch|edit'))
    ).toBeUndefined()
  })

  it('are known by the module that reads them', () => {
    const order = (name: string, request: Readonly<Record<string, string>>) =>
      memberOrder(name, new Map(Object.entries(request)))
    expect(order('prop', { action: 'query' })).toBe('prop')
    expect(order('prop', { action: 'parse' })).toBeUndefined()
    expect(order('siprop', { action: 'query', meta: 'siteinfo' })).toBe('siteinfo')
    expect(order('siprop', { action: 'query' })).toBeUndefined()
    expect(order('type', { action: 'query', meta: 'tokens' })).toBe('tokens')
    expect(order('type', { action: 'query', list: 'x' })).toBeUndefined()
  })
})
