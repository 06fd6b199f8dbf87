/** The names that the integration with a test runner gives to the tests from which other recorders' files are named. */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { folderOfFile, slugOf } from '../../../recorder/cassette/test-names.ts'
import { digest } from '../../../recorder/request/request-key.ts'
import { readHead, readText } from '../../../recorder/store/files/whole-files.ts'
import type { RecordingFile } from '../../../transfer/find-recordings.ts'
import { UsageError } from '../../args/command.ts'

export interface RecordingUnit {
  /** Path of its cassette below the folder of cassettes; empty for that folder itself. */
  readonly name: string
  readonly files: readonly RecordingFile[]
}

interface NamedUnits {
  readonly units: readonly RecordingUnit[]
  /** Recordings whose test cannot be known, each with where and why. */
  readonly unplaced: readonly string[]
}

/** Each with the name of its test's cassette. @throws UsageError if no test can be known */
export function namedForRunner(
  found: readonly RecordingUnit[],
  target: string,
  runner: string
): NamedUnits {
  const nameOf = runner === 'pytest' ? pytestNames(target) : namesByTitles()
  const named = found.map((unit) => ({ unit, name: nameOf(unit) }))
  const units = named.flatMap(({ unit, name }) =>
    name === undefined ? [] : [{ ...unit, name }]
  )
  const unplaced = named.flatMap(({ unit, name }) =>
    name === undefined
      ? [
          `${unit.files[0]?.file}: no test, or several, have its name, ${recordedName(unit)}`
        ]
      : []
  )
  if (units.length > 0) return { units, unplaced }
  throw new UsageError(
    `${unplaced[0]}, nor those of the others; run this in the folder in which ${runner} runs, or leave out --for and name the cassettes in the tests (docs/moving-a-suite.md)`
  )
}

/** Polly writes down the titles of the test; the names of its folders have lost characters. */
function recordedName({ name, files: [first] }: RecordingUnit) {
  const head = Buffer.from(readHead(first?.file ?? '', 2000), 'latin1').toString()
  const [, recorded] = /"_recordingName":\s*("(?:[^"\\]|\\.)*")/.exec(head) ?? []
  return recorded === undefined
    ? name.replaceAll(path.sep, '/')
    : String(JSON.parse(recorded))
}

/** For vitest, jest, mocha and node:test: by the titles of the tests in the files below the working directory. */
function namesByTitles() {
  const tests = [...filesBelow('', isScriptOfTests)].flatMap(testsIn)
  return (unit: RecordingUnit) => {
    const parts = recordedName(unit).split('/')
    const names = parts.map((_, at) => lettersOf(parts.slice(at).join('')))
    const byTitle = names.map((name) =>
      tests.filter(({ title }) => lettersOf(title) === name)
    )
    const byOwn = tests.filter(({ own }) => lettersOf(own) === names.at(-1))
    const found = [...byTitle, byOwn].find(({ length }) => length > 0)
    const [only, second] = found ?? []
    return only && !second
      ? `${folderOfFile(only.file)}/${slugOf(only.title)}`
      : undefined
  }
}

const isScriptOfTests = (file: string) =>
  /\.[cm]?[jt]sx?$/.test(file) &&
  /(?:^|[\\/._-])(?:tests?|specs?|__tests__)[\\/.]/.test(file)

const titleCall =
  /^([ \t]*)(?:\w+\.)?(it|test|specify|describe|context|suite)\b[.\w]*\(\s*(['"`])((?:\\.|(?!\3)[^\\])*)\3/gm

/** Each test with the titles of the blocks around it: those that are indented less. */
function testsIn(file: string) {
  const around: { readonly indent: number; readonly title: string }[] = []
  return [...(readText(file) ?? '').matchAll(titleCall)].flatMap(
    ([, space = '', kind = '', , text = '']) => {
      const own = text.replace(/\\(.)/g, '$1')
      while ((around.at(-1)?.indent ?? -1) >= space.length) around.pop()
      const title = [...around.map((one) => one.title), own].join(' ')
      if (/^(?:it|test|specify)$/.test(kind)) return [{ file, own, title }]
      around.push({ indent: space.length, title: own })
      return []
    }
  )
}

const lettersOf = (text: string) =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

/** As pytest-recording names files, `tests/cassettes/test_pages/TestA.test_b[1].yaml`, or pytest-vcr, `tests/cassettes/TestA.test_b[1].yaml`. */
function pytestNames(target: string) {
  const above = path.relative('', path.dirname(path.resolve(target)))
  const modules = [...filesBelow(above, (file) => file.endsWith('.py'))].map((file) => ({
    module: file.slice(0, -'.py'.length).split(path.sep).join('/'),
    text: readText(file) ?? ''
  }))
  return ({ name }: RecordingUnit) => {
    const [test = '', ...folders] = name.split(path.sep).reverse()
    const [, prefix = '', own = test] = /^(\w+)\.(\w.*)$/.exec(test) ?? []
    if (folders.length > 0) {
      const module = [...above.split(path.sep), ...folders.reverse()].filter(Boolean)
      return pytestName(module.join('/'), prefix, own)
    }
    const [, called = ''] = /^(\w*)/.exec(own) ?? []
    const [only, second] = modules.filter(
      ({ module, text }) =>
        hasLine(text, `(?:async )?def ${called}\\(`) &&
        (isNamed(module, prefix) || prefix === '' || hasLine(text, `class ${prefix}\\b`))
    )
    if (!only || second) return undefined
    return pytestName(only.module, isNamed(only.module, prefix) ? '' : prefix, own)
  }
}

const hasLine = (text: string, start: string) =>
  new RegExp(`^[ \\t]*${start}`, 'm').test(text)

const isNamed = (module: string, name: string) => path.posix.basename(module) === name

/** As `cassette_name` of the plugin. */
function pytestName(module: string, group: string, test: string) {
  const parts = group === '' ? [test] : [group, test]
  const plain = [module.replaceAll('/', '.'), ...parts].join('.').replaceAll('/', '.')
  const safe = plain.replace(/[^\p{L}\p{N}_.-]+/gu, '_').replace(/^[._]+|[._]+$/g, '')
  if (safe === plain && [...safe].length <= 80) return safe
  const start = [...safe]
    .slice(0, 70)
    .join('')
    .replace(/[._]+$/, '')
  return `${start}-${digest([`${module}.py`, ...parts].join('::'), 8)}`
}

/** Not in folders of packages and of what is built, nor in hidden ones. */
function* filesBelow(
  folder: string,
  isWanted: (file: string) => boolean
): IterableIterator<string> {
  for (const entry of readdirSync(folder || '.', { withFileTypes: true })) {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory() && !/^(?:\.|node_modules$)/.test(entry.name))
      yield* filesBelow(file, isWanted)
    else if (entry.isFile() && isWanted(file)) yield file
  }
}
