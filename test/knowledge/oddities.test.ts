/** What is true of one module is data (src/knowledge): nothing in src/paging knows a module by its name. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { dataFile } from '../../src/knowledge/data.ts'
import type { ModuleData } from '../../src/knowledge/modules.ts'

const described = dataFile('modules') as ModuleData
const modules = new Set(
  Object.keys(described.modules).flatMap((name) => (name.startsWith('query+') ? name.slice(6) : [])),
)
// Parameters of `action=query`, too.
modules.delete('redirects')

const folder = path.join(import.meta.dirname, '../../src/paging')
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
)

test('there are modules to look for, and files to look in', () => {
  expect(modules.size).toBeGreaterThan(40)
  expect(sources.length).toBeGreaterThan(30)
})

test.each(sources)('%s names no module', (name) => {
  const code = readFileSync(path.join(folder, name), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
  const texts = [...code.matchAll(/'([a-z]+)'/g)].flatMap(([, text]) => text ?? [])
  expect(texts.filter((text) => modules.has(text))).toEqual([])
})
