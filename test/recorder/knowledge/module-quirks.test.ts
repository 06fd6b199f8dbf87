/** What is true of one module is data (src/knowledge): nothing in src/paging knows a module by its name. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { dataFile } from '../../../src/recorder/knowledge/data-file.ts'
import type { ModuleData } from '../../../src/recorder/knowledge/known-modules.ts'
import type { ModuleQuirk } from '../../../src/recorder/knowledge/module-quirks.ts'

const described = dataFile('modules') as ModuleData
const modules = new Set(
  Object.keys(described.modules).flatMap((name) =>
    name.startsWith('query+') ? name.slice(6) : []
  )
)
// Of extensions that no wiki of the lab has.
for (const name of ['coordinates', 'pageterms', 'videoinfo']) modules.add(name)
// Parameters of `action=query`, too.
modules.delete('redirects')

const folder = path.join(import.meta.dirname, '../../../src/recorder/paging')
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts')
)

const quirks = Object.entries(
  dataFile('module-quirks') as Readonly<Record<string, ModuleQuirk>>
)

test.each(quirks)('%s is said of described modules, and of a source', (_, quirk) => {
  const {
    is,
    modules: owners,
    source,
    names = [],
    since,
    when = {},
    texts,
    limits,
    ...other
  } = quirk
  expect(Object.keys(other)).toEqual([])
  expect(Object.keys(when).filter((module) => !owners.includes(module))).toEqual([])
  expect(texts === undefined ? owners : Object.keys(texts)).toEqual(owners)
  expect(limits === undefined || limits.max < limits.highMax).toBe(true)
  expect(
    [is, source, ...names].every((text) => typeof text === 'string' && text !== '')
  ).toBe(true)
  const isDescribed = (module: string): boolean =>
    modules.has(module) ||
    module in described.modules ||
    `query+${module}` in described.modules
  expect(owners.filter((module) => !isDescribed(module))).toEqual([])
  expect(owners.length).toBeGreaterThan(0)
  expect(since === undefined || since > 25).toBe(true)
})

test('there are modules to look for, and files to look in', () => {
  expect(modules.size).toBeGreaterThan(40)
  expect(sources.length).toBeGreaterThan(25)
  const rooms = new Set(sources.map((name) => path.dirname(name)))
  expect([...rooms].sort()).toEqual([
    '.',
    'joining',
    'placing',
    'reading',
    'rules',
    'writing'
  ])
})

test.each(sources)('%s names no module', (name) => {
  const code = readFileSync(path.join(folder, name), 'utf8').replace(
    /\/\*[\s\S]*?\*\/|\/\/.*/g,
    ''
  )
  const texts = [...code.matchAll(/'([a-z]+)'/g)].flatMap(([, text]) => text ?? [])
  expect(texts.filter((text) => modules.has(text))).toEqual([])
})
