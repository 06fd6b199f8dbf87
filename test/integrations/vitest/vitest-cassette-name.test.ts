/** Names of cassettes out of titles: safe everywhere, unique in their file, readable in any script. */
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cassetteFolder } from '../../../src/integrations/in-process/insert-options.ts'
import {
  type SuiteTask,
  type TestTask,
  vitestCassetteName
} from '../../../src/integrations/vitest/used-cassette.ts'
import { slugOf } from '../../../src/recorder/cassette/test-names.ts'
import { character } from '../../helpers/any-text.ts'

interface MutableSuite {
  readonly type: string
  readonly name: string
  readonly tasks: (TestTask | SuiteTask)[]
}

/** A file with tests of these titles, `describe` names before them. */
function fileOf(
  name: string,
  ...titles: readonly (readonly string[])[]
): readonly TestTask[] {
  const tasks: (TestTask & { readonly type: string })[] = []
  const file: SuiteTask & MutableSuite = {
    type: 'suite',
    name,
    filepath: `/project/${name}`,
    tasks: []
  } as never
  for (const [title = '', ...around] of titles.map((one) => [...one].reverse())) {
    const suite = around.reduceRight<SuiteTask | undefined>(
      (outer, one) => ({ type: 'suite', name: one, suite: outer, tasks: [] }),
      undefined
    )
    tasks.push({ type: 'test', name: title, file, suite })
  }
  file.tasks.push(...tasks)
  return tasks
}

const namesOf = (tests: readonly TestTask[]): readonly string[] =>
  tests.map((test) => vitestCassetteName(test))

describe('a title', () => {
  it.each([
    ['lists pages', 'lists_pages'],
    ['Список страниц на Ж', 'Список_страниц_на_Ж'],
    ['v1.43', 'v1.43'],
    ['日本語', '日本語']
  ])('%s is kept: %s', (title, slug) => {
    expect(slugOf(title)).toBe(slug)
  })

  it.each([
    ['a/b', /^a_b-[0-9a-f]{8}$/],
    ['what? «quoted»: 50 %', /^what_quoted_50-[0-9a-f]{8}$/],
    ['CON', /^_CON-[0-9a-f]{8}$/],
    ['nul.txt', /^_nul\.txt-[0-9a-f]{8}$/],
    ['ends with a dot.', /^ends_with_a_dot-[0-9a-f]{8}$/],
    ['.hidden', /^hidden-[0-9a-f]{8}$/],
    ['…', /^test-[0-9a-f]{8}$/],
    ['', /^test-[0-9a-f]{8}$/],
    ['Ж'.repeat(200), /^Ж{60}-[0-9a-f]{8}$/]
  ])('%s is told apart by a digest', (title, slug) => {
    expect(slugOf(title)).toMatch(slug)
  })

  it('differs from others that look the same once made safe', () => {
    expect(slugOf('a/b')).not.toBe(slugOf('a:b'))
    expect(slugOf('x'.repeat(61))).not.toBe(slugOf('x'.repeat(62)))
  })
})

describe('the tests of a file', () => {
  it('lie in a folder named after it', () => {
    const [test] = fileOf('test/api/pages.test.ts', ['a client', 'lists pages'])
    expect(namesOf(test === undefined ? [] : [test])).toEqual([
      'test/api/pages.test/a_client_lists_pages'
    ])
    expect(namesOf(fileOf('test\\api\\pages.spec.mts', ['x']))).toEqual([
      'test/api/pages.spec/x'
    ])
  })

  it('are told apart though their titles are equal, or differ in case', () => {
    expect(namesOf(fileOf('a.ts', ['x'], ['X'], ['x'], ['x-2'], ['y']))).toEqual(
      ['x', 'X-2', 'x-3', 'x-2-2', 'y'].map((name) => `a/${name}`)
    )
  })

  it('have names that are safe and unique, whatever their titles', () => {
    const title = fc.oneof(
      fc.string({ unit: character, maxLength: 100 }),
      fc.string({
        unit: fc.constantFrom(
          'a',
          'A',
          'é',
          'e\u0301',
          '.',
          '/',
          '\\',
          ' ',
          ':',
          'я',
          '😀'
        ),
        maxLength: 6
      }),
      fc.constantFrom('con', 'LPT1', 'a-2', '..', 'aux.x')
    )
    fc.assert(
      fc.property(
        fc.array(fc.array(title, { minLength: 1, maxLength: 3 }), {
          minLength: 1,
          maxLength: 12
        }),
        (titles) => {
          const names = namesOf(fileOf('test/a.test.ts', ...titles))
          expect(
            new Set(names.map((name) => name.normalize('NFKC').toLowerCase())).size
          ).toBe(titles.length)
          for (const name of names) {
            const folder = cassetteFolder(name, 'root')
            expect(path.relative('root/test/a.test', folder)).toMatch(/^[^./\\][^/\\]*$/)
            expect(name).not.toMatch(/[.\s]$|\/(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i)
            expect(Buffer.byteLength(path.basename(folder))).toBeLessThan(160)
          }
        }
      )
    )
  })
})
