import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  folderOf,
  interactionPath,
  keyInFileName
} from '../../../src/recorder/cassette/interaction-path.ts'
import {
  type CanonicalRequest,
  requestKey
} from '../../../src/recorder/request/request-key.ts'
import { anyString } from '../../helpers/json-values.ts'
import { rounds } from '../../helpers/scale.ts'

const pathOf = (request: Readonly<Record<string, string>>): string => {
  const canonical = new Map(Object.entries(request))
  return interactionPath(canonical, requestKey(canonical))
}
const device = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9¹²³])(?:\.|$)/i

describe('the name of a file', () => {
  it.each([
    [
      { action: 'query', list: 'allpages', apfrom: 'B' },
      /^query\.allpages\/apfrom=B\.[0-9a-f]{12}\.json$/
    ],
    [
      { action: 'query', prop: 'categories|info', titles: 'Волга' },
      /^query\.categories\+info\/titles=Волга\.[0-9a-f]{12}\.json$/
    ],
    [
      { action: 'query', generator: 'allimages', prop: 'duplicatefiles' },
      /^query\.g-allimages\+duplicatefiles\/[0-9a-f]{12}\.json$/
    ],
    [{ action: 'query' }, /^query\/[0-9a-f]{12}\.json$/],
    [
      { action: 'parse', text: '{{PAGENAME}}', title: 'Test' },
      /^parse\/text=_PAGENAME_,title=Test\.[0-9a-f]{12}\.json$/
    ],
    [{}, /^help\/[0-9a-f]{12}\.json$/],
    [
      { 'plain target': '/wiki/Волга?x=1' },
      /^plain\/wiki_Волга_x=1\.[0-9a-f]{12}\.json$/
    ],
    [{ action: 'con' }, /^_con\//],
    [{ action: 'LPT1' }, /^_LPT1\//],
    [{ action: 'com¹' }, /^_com¹\//],
    [{ action: 'paraminfo', modules: 'main' }, /^_paraminfo\/modules=main\./],
    [{ action: '../../etc' }, /^_etc\//],
    [{ action: '' }, /^_\//],
    [{ 'plain target': '/con' }, /^plain\/_con\./],
    [{ 'plain target': '/aux' }, /^plain\/_aux\./]
  ] as const)('of %j', (request, expected) => {
    expect(pathOf(request)).toMatch(expected)
  })
})

describe('the name of any file', () => {
  it('is safe on every system, short, and ends in the key, whatever was asked', () => {
    const names = fc.oneof(
      anyString,
      fc.constantFrom('action', 'list', 'prop', 'titles', 'plain target', 'generator')
    )
    const values = fc.oneof(
      anyString,
      fc.constantFrom(
        'con',
        'query',
        'x'.repeat(500),
        'Щ'.repeat(200),
        '../..',
        'a/b\\c:d*e?"<>|',
        ' .',
        '😀'.repeat(90)
      )
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(names, values), { maxLength: 6 }), (entries) => {
        const request: CanonicalRequest = new Map(entries)
        const key = requestKey(request)
        const path = interactionPath(request, key)
        const parts = path.split('/')
        expect(parts).toHaveLength(2)
        const unsafe = (part: string): boolean =>
          Buffer.byteLength(part) > 120 ||
          /[<>:"|?*\\\u0000-\u001f\u007f]|[ .]$|^[ .]|^$/.test(part) ||
          device.test(part) ||
          !part.isWellFormed() ||
          part.normalize('NFC') !== part
        expect(parts.filter(unsafe)).toEqual([])
        expect(keyInFileName(parts[1] ?? '')).toBe(key)
        expect(parts[0]).not.toBe('paraminfo')
      }),
      { numRuns: rounds(2000) }
    )
  })

  it('is not taken for an interaction where it is none', () => {
    for (const name of [
      'cassette.json',
      'x.json',
      'x.0123456789ab.0.bin',
      'x.0123456789ab.json.77.tmp',
      'x.0123456789AB.json',
      'x0123456789ab.json',
      '.0123456789ab.json~'
    ])
      expect(keyInFileName(name), name).toBeUndefined()
    expect(keyInFileName('0123456789ab.json')).toBe('0123456789ab')
    expect(keyInFileName('any thing.0123456789ab.json')).toBe('0123456789ab')
  })

  it('groups the batches of one listing in one folder', () => {
    const listing = { action: 'query', list: 'allpages' }
    const folders = [
      listing,
      { ...listing, apfrom: 'B' },
      { ...listing, apcontinue: 'C', aplimit: '5' }
    ].map((one) => folderOf(new Map(Object.entries(one))))
    expect(new Set(folders)).toEqual(new Set(['query.allpages']))
  })
})
