/** What single values, members and items are called, and how their order is told: functions of their arguments. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noteText } from '../../../src/drift/changes/change.ts'
import {
  canonicalText,
  isFlag,
  isTelling
} from '../../../src/drift/content/same-state.ts'
import {
  isNumberedMap,
  SampleShape,
  variantOf
} from '../../../src/drift/members/sample-shape.ts'
import { countMoved, mayFollowIds } from '../../../src/drift/trees/item-order.ts'
import { formatChange, lexicalClassOf } from '../../../src/drift/trees/value-classes.ts'
import { writeCompact } from '../../../src/recorder/json/write-json.ts'
import { subtractItems } from '../../../src/recorder/text/group-by.ts'
import { tree } from '../sides.ts'

describe('a text', () => {
  it.each([
    ['', 'empty'],
    ['2026-01-02T03:04:05Z', 'ISO timestamp'],
    ['2026-01-02T03:04:05.678Z', 'ISO timestamp with fractions'],
    ['20260102030405', 'MediaWiki timestamp'],
    ['12345678901234', 'integer'],
    ['infinity', 'infinity'],
    ['infinite', 'infinite'],
    ['-12', 'integer'],
    ['1.5e-3', 'decimal'],
    ['+\\', 'token'],
    ['0123456789abcdef0123456789abcdef+\\', 'token'],
    ['deadbeef', 'hex digest'],
    ['deadbee', 'text'],
    ['127.0.0.1', 'IP address'],
    ['2001:db8::1', 'IP address'],
    ['https://wiki.example/', 'URL'],
    ['//wiki.example/', 'protocol-relative URL'],
    ['a <b>', 'HTML'],
    ['a < b', 'text']
  ])('%j is of the sort "%s"', (text, sort) => {
    expect(lexicalClassOf(text)).toBe(sort)
  })

  it.each([
    ['2026-01-02T03:04:05Z', '20260102030405', 'ISO timestamp → MediaWiki timestamp'],
    ['infinity', 'infinite', 'infinity → infinite'],
    ['2026-01-02T03:04:05Z', 'infinity', undefined],
    ['https://wiki.example/', '//wiki.example/', 'URL → protocol-relative URL'],
    ['Красная_площадь', 'Красная площадь', 'DB key → title'],
    ['Красная площадь', 'Красная_площадь', 'title → DB key'],
    ['one', 'one', undefined],
    ['one', 'other', undefined]
  ])('%j that becomes %j changed its format: %s', (before, after, note) => {
    const change = formatChange(before, after)
    expect(change && noteText(change)).toBe(note)
  })
})

describe('one value in two encodings', () => {
  it.each([
    ['""', 'true'],
    ['[]', '{}'],
    ['{"*":"a"}', '"a"'],
    ['{"a":1,"gone":false}', '{"a":1}'],
    ['{"a":1,"b":2}', '{"b":2,"a":1}']
  ])('%s is %s', (one, other) => {
    expect(canonicalText(tree(one))).toBe(canonicalText(tree(other)))
  })

  it.each([
    ['{"*":"a","b":1}', '"a"'],
    ['[1,2]', '[2,1]'],
    ['"1"', '1'],
    ['{"a":null}', '{}'],
    ['{"a":true}', '{}']
  ])('%s is not %s', (one, other) => {
    expect(canonicalText(tree(one))).not.toBe(canonicalText(tree(other)))
  })

  it.each([
    ['"ab"', true],
    ['"a"', false],
    ['10', true],
    ['-10', true],
    ['9', false],
    ['true', false],
    ['[0]', true],
    ['[]', false],
    ['{"a":0}', true],
    ['{}', false]
  ])('%s in two places proves that they are one: %s', (value, telling) => {
    expect(isTelling(tree(value))).toBe(telling)
  })
})

describe('the members of all samples', () => {
  const shapeOf = (...samples: readonly string[]): SampleShape => {
    const shape = new SampleShape()
    for (const one of samples) shape.add(tree(one))
    return shape
  }

  it('are required where all samples have them, and absent where none has', () => {
    const shape = shapeOf('{"a":1,"b":""}', '{"a":null}')
    expect([shape.isRequired('a'), shape.isRequired('b'), shape.isRequired('c')]).toEqual(
      [true, false, true]
    )
    expect([shape.count('a') === 0, shape.count('c') === 0]).toEqual([false, true])
    expect([
      shape.presence('a'),
      shape.presence('b'),
      new SampleShape().presence('a')
    ]).toEqual(['2/2', '1/2', '0/0'])
    const [a, b] = ['a', 'b'].map((name) => shape.members.get(name))
    expect([a?.flags, b?.flags]).toEqual([0, 1])
  })

  it('are those of the items of a list, or of an object that is numbered, each sort by itself', () => {
    const list = shapeOf('[{"title":"А"},{"title":"Б","missing":""},"text",7]')
    const map = shapeOf('{"1":{"title":"А"},"-2":{"title":"Б","missing":true}}')
    for (const shape of [list, map]) {
      expect([...shape.items.keys()]).toEqual(['', 'missing'])
      expect(shape.members.size).toBe(0)
      expect(shape.items.get('missing')?.samples).toBe(1)
    }
  })

  it.each([
    ['""', true],
    ['true', true],
    ['false', true],
    ['"x"', false],
    ['null', false],
    ['0', false]
  ])('%s says only yes or no: %s', (value, flag) => {
    expect(isFlag(tree(value))).toBe(flag)
  })

  it.each([
    ['{"title":"А"}', ''],
    ['{"title":"А","missing":""}', 'missing'],
    ['{"title":"А","missing":true}', 'missing'],
    ['{"title":"А","missing":false}', ''],
    ['{"title":"А","invalidreason":"x","invalid":""}', 'invalid'],
    ['{"logid":5,"type":"move","action":"move_redir"}', 'move move_redir'],
    ['{"logtype":"block","logaction":"block"}', 'block block'],
    ['{"type":"edit"}', ''],
    ['{"logid":5,"type":7}', ''],
    ['"missing"', '']
  ])('%s is an item of the sort "%s"', (item, sort) => {
    expect(variantOf(tree(item))).toBe(sort)
  })

  it.each([
    ['{"1":{},"-2":{}}', true],
    ['{"1":{},"a":{}}', false],
    ['{"1":{},"2":7}', false],
    ['{}', false],
    ['[{}]', false]
  ])('%s is numbered: %s', (value, numbered) => {
    expect(isNumberedMap(tree(value))).toBe(numbered)
  })
})

describe('another order', () => {
  /** The most numbers that rise, by trying every choice. */
  const byTrying = (positions: readonly number[]): number => {
    let most = 0
    for (let choice = 0; choice < 2 ** positions.length; choice += 1) {
      const chosen = positions.filter((_, at) => (choice >> at) % 2 === 1)
      if (chosen.every((one, at) => at === 0 || (chosen[at - 1] ?? 0) < one))
        most = Math.max(most, chosen.length)
    }
    return most
  }

  it('leaves as many items where they are as stand in order among themselves', () => {
    const orders = fc.integer({ min: 0, max: 8 }).chain((count) =>
      fc.shuffledSubarray(
        Array.from({ length: count }, (_, at) => at * 3),
        {
          minLength: count,
          maxLength: count
        }
      )
    )
    fc.assert(
      fc.property(orders, (positions) => {
        expect(positions.length - countMoved(positions)).toBe(byTrying(positions))
        expect(countMoved(positions)).toBe(positions.length - byTrying(positions))
      })
    )
  })

  const items = (...texts: readonly string[]): ReturnType<typeof tree>[] =>
    texts.map(tree)

  it.each([
    [
      'follows ids that are shown',
      ['{"pageid":1,"title":"Б"}', '{"pageid":2,"title":"А"}'],
      true
    ],
    ['follows ids downwards', ['{"pageid":9}', '{"pageid":3}'], true],
    [
      'follows titles',
      [
        '{"pageid":2,"title":"А"}',
        '{"pageid":1,"title":"Б"}',
        '{"pageid":3,"title":"В"}'
      ],
      false
    ],
    [
      'shows nothing that it follows',
      ['{"title":"Б"}', '{"title":"А"}', '{"title":"В"}'],
      true
    ],
    ['has one and the same title', ['{"title":"А"}', '{"title":"А"}'], true],
    ['has no items', [], true]
  ])('%s', (_, texts, follows) => {
    expect(mayFollowIds(items(...texts), items(...texts))).toBe(follows)
  })

  it('follows no id that rises on one side alone', () => {
    const [up, mixed] = [
      [1, 2, 3],
      [2, 3, 1]
    ].map((ids) => items(...ids.map((id, at) => `{"pageid":${id},"title":"${at}"}`)))
    expect([
      mayFollowIds(up ?? [], mixed ?? []),
      mayFollowIds(mixed ?? [], up ?? [])
    ]).toEqual([false, false])
  })
})

describe('a list less another', () => {
  it.each([
    ['an item as often as it is there', '[1,1,1,2]', '[1,1]', '[1,2]'],
    ['the first ones, so that the last stay', '["a","b","a"]', '["a"]', '["b","a"]'],
    ['nothing for what is not there', '[1]', '[2]', '[1]']
  ])('loses %s', (_, all, less, left) => {
    const itemsIn = (text: string): ReturnType<typeof tree>[] => {
      const list = tree(text)
      return list.kind === 'array' ? [...list.items] : []
    }
    const text = (item: ReturnType<typeof tree>): string => writeCompact(item, 'utf8')
    expect(`[${subtractItems(itemsIn(all), itemsIn(less), text).map(text).join()}]`).toBe(
      left
    )
  })
})
