/** Modules that a request names and the wiki does not have, as real wikis describe themselves and warn. */
import { describe, expect, it, test } from 'vitest'
import { derive } from '../../../../src/recorder/request/derive.ts'
import { withoutMissingModules } from '../../../../src/recorder/wiki/modules/missing-modules.ts'
import { apiRequest } from '../../../helpers/api-requests.ts'
import { describedVersions, factsOfWiki } from '../../../helpers/described-wikis.ts'

describe.each(describedVersions)('MediaWiki %s', (version) => {
  const facts = factsOfWiki(version)
  const derived = (query: string) =>
    derive(apiRequest(`action=query&format=json&titles=A&${query}`), facts)
  const without = (query: string) => {
    const { canonical, sentValues } = derived(query)
    return withoutMissingModules(canonical, sentValues, facts.lookup)
  }

  // As the wikis answered.
  test.each([
    ['prop=info|bogus', 'prop=info', 'Unrecognized value for parameter "prop": bogus'],
    [
      'prop=zig|info|bogus|zag-2|categories|bogus',
      'prop=info|categories',
      'Unrecognized values for parameter "prop": zig, bogus, zag-2, bogus'
    ],
    ['prop=bogus', '', 'Unrecognized value for parameter "prop": bogus'],
    [
      'prop=%1Finfo%1Fbogus',
      'prop=info',
      'Unrecognized value for parameter "prop": bogus'
    ],
    [
      'meta=bar|Foo|siteinfo&list=allpages|foo&prop=nobody|categories|info',
      'prop=categories|info&list=allpages&meta=siteinfo',
      'Unrecognized value for parameter "prop": nobody\nUnrecognized value for parameter "list": foo\nUnrecognized values for parameter "meta": bar, Foo'
    ]
  ])('%s is %s with a warning', (query, plain, warning) => {
    const found = without(query)
    const { canonical, sentValues } = derived(plain)
    expect(found?.warning).toBe(warning)
    expect([...(found?.request ?? [])].sort()).toEqual([...canonical].sort())
    expect([...(found?.sentValues ?? [])].sort()).toEqual([...sentValues].sort())
  })

  it.each([
    'prop=info',
    'prop=info|a%26b',
    'prop=info|*',
    'prop=info||bogus',
    'prop=info|%20bogus',
    `prop=info|${'x'.repeat(300)}`,
    `prop=info|${Array.from({ length: 50 }, (_, nth) => `x${nth}`).join('|')}`,
    // Parameters of these would be taken for read.
    'prop=info|allpages',
    'generator=bogus'
  ])('%s is left as it is', (query) => {
    expect(without(query)).toBeUndefined()
  })
})

it('is not known where the wiki did not describe itself', () => {
  const request = new Map([
    ['action', 'query'],
    ['prop', 'info|bogus']
  ])
  expect(withoutMissingModules(request, new Map(), () => undefined)).toBeUndefined()
})
