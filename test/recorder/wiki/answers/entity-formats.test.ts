import { describe, expect, it } from 'vitest'
import { fromPlain } from '../../../../src/recorder/json/plain-json.ts'
import { writeEntities } from '../../../../src/recorder/wiki/answers/entity-formats.ts'
import { readPhp } from '../../../../src/recorder/wiki/answers/php-serialized.ts'

const answer = (entity: object): ReturnType<typeof fromPlain> =>
  fromPlain({ entities: { Q1: { type: 'item', id: 'Q1', ...entity } }, success: 1 })

const label = (value: string): object => ({ labels: { en: { language: 'en', value } } })

describe('entities in XML', () => {
  it('are escaped as the wiki does', () => {
    expect(writeEntities(answer(label(`A'B"C&D<é>`)), 'xml')).toBe(
      '<?xml version="1.0"?><api success="1"><entities><entity type="item" id="Q1"><labels>' +
        '<label language="en" value="A&#039;B&quot;C&amp;D&lt;é&gt;" /></labels></entity></entities></api>'
    )
  })

  it.each([
    ['a line break', label('A\nB')],
    ['a number with a fraction', { claims: { P1: [{ value: { latitude: 52.5 } }] } }],
    ['null', { claims: { P1: [{ value: { altitude: null } }] } }],
    ['a boolean', { flag: true }],
    [
      'a label of another language',
      { labels: { ru: { value: 'A', 'for-language': 'ru' } } }
    ],
    ['a link to a site', { sitelinks: { enwiki: { site: 'enwiki', title: 'A' } } }],
    ['a member of another kind', { lemmas: { en: { language: 'en', value: 'A' } } }],
    ['a list where a map is expected', { claims: [{ id: 'x' }] }]
  ])('are not written with %s', (_, entity) => {
    expect(writeEntities(answer(entity), 'xml')).toBeUndefined()
  })
})

describe('entities in PHP', () => {
  it('are written with the lengths of bytes, and read again', () => {
    const written =
      'a:2:{s:8:"entities";a:1:{s:2:"Q1";a:3:{s:4:"type";s:4:"item";s:2:"id";s:2:"Q1";s:6:"labels";' +
      'a:1:{s:2:"en";a:2:{s:8:"language";s:2:"en";s:5:"value";s:2:"é";}}}}s:7:"success";i:1;}'
    expect(writeEntities(answer(label('é')), 'php')).toBe(written)
    expect(readPhp(written)).toEqual(answer(label('é')))
  })

  it('are numbered as PHP does', () => {
    expect(writeEntities(fromPlain({ entities: { '-1': ['a'] } }), 'php')).toBe(
      'a:1:{s:8:"entities";a:1:{i:-1;a:1:{i:0;s:1:"a";}}}'
    )
  })

  it.each([0.5, true, null])('are neither written nor read with %s', (value) => {
    expect(writeEntities(answer({ value }), 'php')).toBeUndefined()
    for (const text of ['d:0.5;', 'd:5;', 'b:1;', 'N;'])
      expect(readPhp(`a:1:{s:1:"x";${text}}`)).toBeUndefined()
  })
})
