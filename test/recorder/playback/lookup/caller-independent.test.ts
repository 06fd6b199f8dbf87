import { describe, expect, it } from 'vitest'
import { fromPlain } from '../../../../src/recorder/json/plain-json.ts'
import { hidesAnything } from '../../../../src/recorder/playback/lookup/caller-independent.ts'

const page = (revision: object): object => ({
  query: { pages: [{ pageid: 1, revisions: [revision] }] },
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
    'suppressed',
  ])('says so by %s', (mark) => {
    expect(hidesAnything(fromPlain(page({ revid: 5, [mark]: true })))).toBe(true)
    expect(hidesAnything(fromPlain(page({ revid: 5, [mark]: '' })))).toBe(true)
  })

  it('is no other: a hidden category, a page of that name', () => {
    const tree = { query: { pages: [{ title: 'userhidden', categories: [{ hidden: true }] }] } }
    expect(hidesAnything(fromPlain(tree))).toBe(false)
  })
})
