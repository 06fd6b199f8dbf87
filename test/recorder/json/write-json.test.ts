import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonString, sameTree } from '../../../src/recorder/json/json-tree.ts'
import { readJson } from '../../../src/recorder/json/read-json.ts'
import { writeCompact, writePretty } from '../../../src/recorder/json/write-json.ts'
import { answerOf, goldenSeeds, readable } from '../../helpers/golden-calls.ts'
import { anyTree } from '../../helpers/json-values.ts'
import { rounds } from '../../helpers/scale.ts'

const spellings = ['ascii', 'utf8'] as const
const deep = { kind: 'array', items: [] } as const

describe('writing JSON', () => {
  it('gives back any tree, compact in either spelling and pretty with any indent', () => {
    fc.assert(
      fc.property(anyTree, fc.constantFrom('', ' ', '    ', '\t'), (tree, indent) => {
        for (const text of [
          ...spellings.map((spelling) => writeCompact(tree, spelling)),
          writePretty(tree, indent)
        ]) {
          const reading = readJson(text)
          expect(reading.ok && sameTree(reading.tree, tree), text).toBe(true)
        }
      }),
      { numRuns: rounds(2000) }
    )
  })

  it('gives the same compact text after a detour over the pretty one', () => {
    fc.assert(
      fc.property(anyTree, fc.constantFrom(...spellings), (tree, spelling) => {
        const reading = readJson(writePretty(tree))
        expect(reading.ok && writeCompact(reading.tree, spelling)).toBe(
          writeCompact(tree, spelling)
        )
      }),
      { numRuns: rounds(1000) }
    )
  })

  it('writes nothing but ASCII where that is asked for, and only well-formed text always', () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        expect(writeCompact(tree, 'ascii')).toMatch(/^[\u0020-\u007f]*$/)
        expect(writeCompact(tree, 'utf8').isWellFormed()).toBe(true)
        expect(writePretty(tree).isWellFormed()).toBe(true)
        expect(writeCompact(tree, 'utf8')).not.toMatch(/[\u2028\u2029\n]/)
      })
    )
  })

  it('escapes as PHP does', () => {
    const text = jsonString('/"\\\b\f\n\r\t\u0001\u007f é\u2028😀\ud800')
    expect(writeCompact(text, 'ascii')).toBe(
      '"/\\"\\\\\\b\\f\\n\\r\\t\\u0001\u007f \\u00e9\\u2028\\ud83d\\ude00\\ud800"'
    )
    expect(writeCompact(text, 'utf8')).toBe(
      '"/\\"\\\\\\b\\f\\n\\r\\t\\u0001\u007f é\\u2028😀\\ud800"'
    )
  })

  it('writes readable text with one member a line and empty containers closed', () => {
    const reading = readJson('{"b":{"2":[],"1":{}},"a":["Волга",1.0]}')
    expect(reading.ok && writePretty(reading.tree)).toBe(
      '{\n  "b": {\n    "2": [],\n    "1": {}\n  },\n  "a": [\n    "Волга",\n    1.0\n  ]\n}'
    )
  })
})

describe('writing JSON of any depth', () => {
  it('writes whatever can be read, however deep', () => {
    const tree = Array.from({ length: 999 }).reduce<
      typeof deep | { kind: 'array'; items: unknown[] }
    >((inner) => ({ kind: 'array', items: [inner] }), deep) as Parameters<
      typeof writePretty
    >[0]
    const reading = readJson(writePretty(tree))
    expect(reading.ok && writeCompact(reading.tree, 'ascii')).toBe(
      '['.repeat(1000) + ']'.repeat(1000)
    )
  })

  it.each(goldenSeeds.map((call) => [readable(call), call] as const))(
    'gives back the bytes of a real 1.25.4: %s',
    (_name, call) => {
      const text = Buffer.from(answerOf(call).body).toString('utf8')
      const utf8 = /utf8=|formatversion=2/.test(call.q)
      const reading = readJson(text)
      if (!reading.ok) return expect.fail(JSON.stringify(reading.fault))
      expect(writeCompact(reading.tree, utf8 ? 'utf8' : 'ascii') === text).toBe(true)
      const again = readJson(writePretty(reading.tree))
      expect(again.ok && writeCompact(again.tree, utf8 ? 'utf8' : 'ascii') === text).toBe(
        true
      )
    }
  )
})
