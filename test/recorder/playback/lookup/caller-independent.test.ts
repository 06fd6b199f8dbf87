import { describe, expect, it } from 'vitest'
import { fromPlain } from '../../../../src/recorder/json/plain-json.ts'
import {
  hidesAnything,
  isCallerIndependent
} from '../../../../src/recorder/playback/lookup/caller-independent.ts'
import { factsOfWiki } from '../../../helpers/described-wikis.ts'

const page = (revision: object): object => ({
  query: { pages: [{ pageid: 1, revisions: [revision] }] }
})

describe('an answer that hides something from its caller', () => {
  it.each([
    'userhidden',
    'commenthidden',
    'texthidden',
    'sha1hidden',
    'actionhidden',
    'filehidden',
    'fromuserhidden',
    'suppressed'
  ])('says so by %s', (mark) => {
    expect(hidesAnything(fromPlain(page({ revid: 5, [mark]: true })))).toBe(true)
    expect(hidesAnything(fromPlain(page({ revid: 5, [mark]: '' })))).toBe(true)
  })

  it('is no other: a hidden category, a page of that name', () => {
    const tree = {
      query: { pages: [{ title: 'userhidden', categories: [{ hidden: true }] }] }
    }
    expect(hidesAnything(fromPlain(tree))).toBe(false)
  })
})

describe('what a wiki says of itself', () => {
  const { site } = factsOfWiki('1.43')
  const forAll = (siprop: string, hasVariants: boolean): boolean =>
    isCallerIndependent(
      new Map([
        ['action', 'query'],
        ['meta', 'siteinfo'],
        ...(siprop === '' ? [] : [['siprop', siprop] as const])
      ]),
      site && { ...site, hasVariants }
    )

  it('is for all but its logo, which may be that of the reader’s language', () => {
    expect(forAll('', false) && forAll('general|namespaces', false)).toBe(true)
    expect(forAll('', true) || forAll('general|namespaces', true)).toBe(false)
    expect(forAll('namespaces', true)).toBe(true)
  })
})
