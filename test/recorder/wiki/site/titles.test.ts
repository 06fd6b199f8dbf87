import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  canonicalTitle,
  parseTitle,
  type SiteFacts
} from '../../../../src/recorder/wiki/site/site-facts.ts'
import { character } from '../../../helpers/any-text.ts'
import { describedVersions, factsOfWiki } from '../../../helpers/described-wikis.ts'
import { rounds } from '../../../helpers/scale.ts'

const siteOf = (name: string): SiteFacts =>
  factsOfWiki(name).site ?? expect.fail(`${name} has no siteinfo`)
const site = siteOf('1.43')
const canonical = (title: string): string | undefined => canonicalTitle(title, site)

describe('canonicalTitle', () => {
  it.each([
    ['Волга', 'Волга'],
    ['волга', 'Волга'],
    ['Albert_Einstein', 'Albert Einstein'],
    ['_ Albert  _Einstein_', 'Albert Einstein'],
    ['Albert\u00a0\u2003Einstein', 'Albert Einstein'],
    ['Файл:Map_07.png', 'Файл:Map 07.png'],
    ['File:map 07.png', 'Файл:Map 07.png'],
    ['fILE : map_07.png', 'Файл:Map 07.png'],
    ['Image:Map 07.png', 'Файл:Map 07.png'],
    ['категория:Природа 0', 'Категория:Природа 0'],
    ['Category_talk:x', 'Обсуждение категории:X'],
    ['обсуждение_категории:x', 'Обсуждение категории:X'],
    ['Файл:a:b', 'Файл:A:b'],
    ['1+1=2', '1+1=2'],
    ['50 ₽', '50 ₽'],
    ['"Кавычки"', '"Кавычки"'],
    ['漢字', '漢字'],
    ['...', '...'],
    ['А/Б', 'А/Б']
  ])('writes %j as %j', (given, expected) => {
    expect(canonical(given)).toBe(expected)
  })
})

describe('canonicalTitle where it cannot be certain', () => {
  it.each([
    '',
    ' ',
    '_',
    ':Волга',
    ' :Волга',
    '_:Волга',
    'Файл:',
    'Файл: _',
    'Файл::X',
    'Unknown:X',
    'en:Volga',
    'a#b',
    'a<b',
    'a>b',
    'a[b',
    'a]b',
    'a{b',
    'a}b',
    'a|b',
    'a%41',
    'a&amp;b',
    '~~~',
    '.',
    '..',
    './a',
    'a/../b',
    '_.',
    'Файл:./a',
    'Talk:File:X',
    'Файл: ..',
    'a/.',
    'a\u200eb',
    'a\u202eb',
    'a\ufffd',
    'a\u0000b',
    'a\nb',
    'e\u0301',
    '\ud800',
    '\ufeffВолга',
    'ßx',
    'ŉx',
    'ǆx',
    'ა',
    'Участник:127.000.000.001',
    'User talk:2001:db8::1',
    'Участник:::1/подстраница'
  ])('does not guess the form of %j', (given) => {
    expect(canonical(given)).toBeUndefined()
  })
})

describe('canonicalTitle of other wikis', () => {
  it('keeps the first letter where the wiki wants it kept', () => {
    const strict: SiteFacts = {
      ...site,
      namespaces: site.namespaces.map((one) => ({ ...one, firstLetter: false }))
    }
    expect(canonicalTitle('волга', strict)).toBe('волга')
    expect(canonicalTitle('file:map', strict)).toBe('Файл:map')
  })

  it('leaves the capital of i to wikis in languages that dot it', () => {
    expect(canonicalTitle('istanbul', { ...site, lang: 'tr' })).toBeUndefined()
    expect(canonicalTitle('ankara', { ...site, lang: 'tr' })).toBe('Ankara')
    expect(canonicalTitle('istanbul', site)).toBe('Istanbul')
  })

  it('is certain of nothing where the wiki named no namespaces', () => {
    expect(
      canonicalTitle('Волга', { generator: '', lang: '', namespaces: [] })
    ).toBeUndefined()
  })
})

describe('canonicalTitle of any title', () => {
  it('changes nothing when applied to its own result', () => {
    const piece = fc.constantFrom(
      'Файл',
      'file',
      'Talk',
      ':',
      ' ',
      '_',
      'в',
      'Ё',
      'i',
      '/',
      '.',
      '-',
      '\u00a0',
      '漢',
      'ß',
      'é',
      '7',
      '😀'
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('')),
          fc.string({ unit: character })
        ),
        (given) => {
          const once = canonical(given)
          fc.pre(once !== undefined)
          expect(canonical(once ?? '')).toBe(once)
          expect(canonical((once ?? '').replaceAll(' ', '_'))).toBe(once)
        }
      ),
      { numRuns: rounds(3000) }
    )
  })

  it.each(describedVersions)(
    'finds every namespace of %s by name, canonical name and alias in any case',
    (version) => {
      const own = siteOf(version)
      for (const namespace of own.namespaces.filter(({ id }) => id !== 0))
        for (const name of [namespace.name, ...namespace.aliases])
          for (const spelled of [
            name,
            name.toUpperCase(),
            name.toLowerCase(),
            name.replaceAll(' ', '_')
          ])
            expect(parseTitle(`${spelled}:Имя`, own)?.namespace.id, spelled).toBe(
              namespace.id
            )
    }
  )

  it('takes a megabyte in its stride', () => {
    expect(canonical('ы'.repeat(500_000))).toHaveLength(500_000)
    expect(canonical(`А${' '.repeat(1_000_000)}Б`)).toBe('А Б')
    expect(canonical(`${'.'.repeat(500_000)}/`)).toBeDefined()
    expect(canonical(`А${'/.a'.repeat(300_000)}`)).toBeDefined()
  })
})
