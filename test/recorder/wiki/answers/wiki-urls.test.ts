import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  rewriteUrl,
  rewriteUrls,
  serverIn
} from '../../../../src/recorder/http/url-rewriter.ts'
import { writeCompact } from '../../../../src/recorder/json/write-json.ts'
import { treeOf } from '../../../helpers/recorded.ts'

const pointing = {
  from: ['http://127.0.0.1:8143', '//wiki.test'],
  to: 'http://localhost:4050/~tape'
}

describe('an address of the wiki', () => {
  it.each([
    [
      'http://127.0.0.1:8143/w/index.php?a=b#c',
      'http://localhost:4050/~tape/w/index.php?a=b#c'
    ],
    ['https://WIKI.test/wiki/Ж', 'http://localhost:4050/~tape/wiki/Ж'],
    ['//wiki.test', '//localhost:4050/~tape'],
    ['http://wiki.test?x', 'http://localhost:4050/~tape?x'],
    ['https://wiki.test/wiki/$1', 'http://localhost:4050/~tape/wiki/$1']
  ])('%s is pointed here', (address, wanted) => {
    expect(rewriteUrl(address, pointing)).toBe(wanted)
  })

  it.each([
    'http://127.0.0.1:81430/w/',
    'http://127.0.0.1/w/',
    'http://wiki.test.evil/',
    'http://wiki.test@evil/',
    'http://evil/?http://wiki.test/',
    'ftp://wiki.test/',
    'wiki.test',
    '/wiki/A',
    'http://wiki.test/ and more',
    ''
  ])('%s is not, for it is none', (address) => {
    expect(rewriteUrl(address, pointing)).toBe(address)
  })
})

describe('an answer', () => {
  const pointed = (text: string): string =>
    writeCompact(rewriteUrls(treeOf(text), pointing), 'utf8')

  it('keeps its content, wherever addresses stand in it', () => {
    for (const member of [
      '*',
      'content',
      'title',
      'comment',
      'text',
      'extract',
      'html',
      'value'
    ]) {
      const text = JSON.stringify({
        query: { pages: [{ [member]: 'http://wiki.test/' }] }
      })
      expect(pointed(text)).toBe(text)
    }
  })

  it('has the addresses that the API hands out pointed here', () => {
    expect(
      pointed(
        '{"query":{"general":{"base":"https://wiki.test/wiki/A","server":"//wiki.test","servername":"wiki.test"},' +
          '"pages":{"10":{"fullurl":"http://wiki.test/a","imageinfo":[{"thumburl":"http://wiki.test/t","responsiveUrls":{"1.5":"http://wiki.test/r"}}]}}}}'
      )
    ).toBe(
      '{"query":{"general":{"base":"http://localhost:4050/~tape/wiki/A","server":"//localhost:4050/~tape","servername":"wiki.test"},' +
        '"pages":{"10":{"fullurl":"http://localhost:4050/~tape/a","imageinfo":[{"thumburl":"http://localhost:4050/~tape/t","responsiveUrls":{"1.5":"http://localhost:4050/~tape/r"}}]}}}}'
    )
    expect(pointed('["A",["A"],[""],["http://wiki.test/wiki/A"]]')).toBe(
      '["A",["A"],[""],["http://localhost:4050/~tape/wiki/A"]]'
    )
  })

  it('is the same in all that is no address of the wiki', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(pointed(text)).toBe(writeCompact(treeOf(text), 'utf8'))
      })
    )
  })

  it('tells what the wiki calls itself', () => {
    expect(serverIn(treeOf('{"query":{"general":{"server":"//wiki.test"}}}'))).toBe(
      '//wiki.test'
    )
    for (const text of [
      '[]',
      '{"query":{"general":{"server":"evil"}}}',
      '{"query":{"general":{"server":1}}}'
    ])
      expect(serverIn(treeOf(text))).toBeUndefined()
  })
})
