import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutMembers } from '../../../src/recorder/json/edit-json.ts'
import {
  itemsOf,
  type JsonTree,
  jsonArray,
  jsonLiteral,
  jsonObject,
  jsonString,
  memberAt,
  memberOf,
  membersOf,
  numberOf,
  sameTree,
  textOf,
  withoutMember
} from '../../../src/recorder/json/json-tree.ts'
import { mapStrings } from '../../../src/recorder/json/map-strings.ts'
import { readJson } from '../../../src/recorder/json/read-json.ts'
import { writeCompact } from '../../../src/recorder/json/write-json.ts'
import { anySpelling, anyTree } from '../../helpers/json-values.ts'
import { rounds } from '../../helpers/scale.ts'

const read = (text: string): JsonTree => {
  const reading = readJson(text)
  return reading.ok ? reading.tree : expect.fail(text)
}

describe('a JSON tree', () => {
  it('answers a doubled name with its last value, as PHP and JavaScript do', () => {
    expect(textOf(memberOf(read('{"a":"1","a":"2"}'), 'a'))).toBe('2')
  })

  it('knows no inherited names', () => {
    for (const name of ['__proto__', 'constructor', 'toString'])
      expect(memberOf(read('{}'), name)).toBeUndefined()
    expect(memberAt(read('{"__proto__":{"a":1}}'), '__proto__', 'a')).toEqual(
      jsonLiteral(1)
    )
  })

  it('answers questions about the wrong kind with nothing', () => {
    const text = jsonString('x')
    expect([
      memberOf(text, 'a'),
      memberAt(text, 'a', 'b'),
      numberOf(text),
      textOf(jsonLiteral(1))
    ]).toEqual(Array.from({ length: 4 }, () => undefined))
    expect([itemsOf(text), membersOf(jsonArray([]))]).toEqual([[], []])
    expect(
      [
        numberOf(jsonLiteral(null)),
        numberOf(jsonLiteral(true)),
        numberOf(jsonLiteral(-1.5))
      ].at(-1)
    ).toBe(-1.5)
    expect(numberOf(jsonLiteral(null))).toBeUndefined()
    expect(numberOf(jsonLiteral(true))).toBeUndefined()
  })

  it('takes the items of a numbered object like those of an array', () => {
    expect(itemsOf(read('{"5":"a","-1":"b"}')).map(textOf)).toEqual(['a', 'b'])
  })

  it('is the same as itself read again and different when any order or spelling differs', () => {
    fc.assert(
      fc.property(anyTree, (tree) => sameTree(tree, read(writeCompact(tree, 'ascii'))))
    )
    for (const [a, b] of [
      ['{"a":1,"b":2}', '{"b":2,"a":1}'],
      ['1', '1.0'],
      ['"1"', '1'],
      ['[]', '{}'],
      ['[1]', '[1,1]'],
      ['{"a":1}', '{"a":1,"a":1}']
    ] as const)
      expect(sameTree(read(a), read(b)), `${a} ${b}`).toBe(false)
  })

  it('loses every member of a name and nothing else', () => {
    const tree = read('{"x":1,"a":{"x":2},"x":3}')
    expect(writeCompact(withoutMember(tree, 'x'), 'ascii')).toBe('{"a":{"x":2}}')
    expect(withoutMember(tree, 'y')).toBe(tree)
    expect(withoutMember(jsonArray([tree]), 'x')).toEqual(jsonArray([tree]))
  })

  it('changes strings but no names, and shares what did not change', () => {
    const tree = jsonObject([
      ['a', jsonString('a')],
      ['b', jsonArray([jsonString('b')])]
    ])
    const changed = mapStrings(tree, (value, { path }) =>
      value === 'a' ? path.join('/').toUpperCase() : value
    )
    expect(writeCompact(changed, 'ascii')).toBe('{"a":"A","b":["b"]}')
    expect(memberOf(changed, 'b')).toBe(memberOf(tree, 'b'))
    expect(mapStrings(tree, (value) => value)).toBe(tree)
  })
})

const cutMember = (text: string, key: string): string =>
  cutMembers(text, [key]) ?? 'not JSON'

describe('cutMembers', () => {
  it('cuts what withoutMember removes and leaves every other byte', () => {
    fc.assert(
      fc.property(
        anySpelling,
        fc.constantFrom('debuginfo', 'requestid', '__proto__', '1', '', '*'),
        ([tree, text], key) => {
          const cut = cutMember(text, key)
          expect(
            sameTree(read(cut), withoutMember(tree, key)),
            `${text} less ${key}`
          ).toBe(true)
          if (membersOf(tree).every((member) => member.key !== key))
            expect(cut).toBe(text)
        }
      ),
      { numRuns: rounds(3000) }
    )
  })

  it('keeps odd spellings around the cut', () => {
    expect(
      cutMember(
        '{ "a":"\\/" , "debuginfo" : {"x":[1,{"debuginfo":2}]}, "b":1.50 }',
        'debuginfo'
      )
    ).toBe('{ "a":"\\/" , "b":1.50 }')
    expect(cutMember('{"debuginfo":1,"a":2}', 'debuginfo')).toBe('{"a":2}')
    expect(cutMember('{"a":2,"debuginfo":1}', 'debuginfo')).toBe('{"a":2}')
    expect(cutMember(' {"debuginfo":1}\n', 'debuginfo')).toBe(' {}\n')
    expect(cutMember('{}', 'debuginfo')).toBe('{}')
    expect(cutMember('[{"debuginfo":1}]', 'debuginfo')).toBe('[{"debuginfo":1}]')
  })
})
