/** Rows of requests, as a list of them is read. */
import { describe, expect, it } from 'vitest'
import { distinctWords } from '../../ui/rows/distinct-words.ts'

describe('the words of requests in a list', () => {
  it('begin with what distinguishes them, and leave out what all of a module share', () => {
    expect(
      distinctWords([
        'list allpages · aplimit=500 · apnamespace=0 · apcontinue=Б',
        'list allpages · aplimit=500 · apnamespace=0',
        'list allpages · aplimit=500 · apnamespace=4',
        'parse · page=A'
      ])
    ).toEqual([
      'list allpages · apcontinue=Б · apnamespace=0',
      'list allpages · apnamespace=0',
      'list allpages · apnamespace=4',
      'parse · page=A'
    ])
  })

  it('of one module may name other pages', () => {
    const all = ['info of A · inprop=url · uselang=de', 'info of B · inprop=url']
    expect(distinctWords(all)).toEqual(['info of A · uselang=de', 'info of B'])
  })

  it('stay whole where the requests are equal', () => {
    const all = ['parse · page=A · prop=text', 'parse · page=A · prop=text']
    expect(distinctWords(all)).toEqual(all)
  })
})
