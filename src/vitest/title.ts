/** The name of a test's cassette: its file and its title, as folders that every file system takes. */
import { createHash } from 'node:crypto'

/** What of vitest's tasks is needed; the same in vitest 4 and 5. */
export interface TestTask {
  readonly name: string
  readonly suite?: SuiteTask | undefined
  readonly file: FileTask
}

export interface SuiteTask {
  readonly type: string
  readonly name: string
  readonly suite?: SuiteTask | undefined
  readonly tasks: readonly Task[]
}

/** Its name is its path from the project's root. */
export interface FileTask extends SuiteTask {
  readonly name: string
}

export type Task = SuiteTask | (TestTask & { readonly type: string })

const mostLetters = 60
const mostBytes = 120

/** e.g. `test/pages.test/lists_what_begins_with_Волга`: unique in its file, whatever part of the file runs. */
export function cassetteNameOf(test: TestTask): string {
  const taken = new Set<string>()
  for (const one of testsIn(test.file)) {
    const name = unused(slugOf(titleOf(one)), taken)
    if (one === test) return `${folderOfFile(test.file.name)}/${name}`
  }
  return `${folderOfFile(test.file.name)}/${unused(slugOf(titleOf(test)), taken)}`
}

/** Every test of a suite, in the order of the source. */
export function* testsIn(suite: SuiteTask): IterableIterator<TestTask> {
  for (const task of suite.tasks) {
    if ('tasks' in task) yield* testsIn(task)
    else yield task
  }
}

/** e.g. `test/pages.test` for `test/pages.test.ts`, so that the files of other runners do not share it. */
const folderOfFile = (file: string): string =>
  file
    .replace(/\.[cm]?[jt]sx?$/, '')
    .split(/[\\/]/)
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .map(slugOf)
    .join('/')

function titleOf(test: TestTask): string {
  const titles = [test.name]
  for (let { suite } = test; suite !== undefined && suite.type === 'suite'; { suite } = suite)
    if (!('filepath' in suite)) titles.unshift(suite.name)
  return titles.join(' ')
}

/** macOS and Windows take names that differ in case for the same. */
function unused(slug: string, taken: Set<string>): string {
  let name = slug
  for (let number = 2; taken.has(folded(name)); number += 1) name = `${slug}-${number}`
  taken.add(folded(name))
  return name
}

const folded = (name: string): string => name.normalize('NFKC').toLowerCase()

/** Letters and digits of every script, `.`, `_` and `-`. What does not survive is told apart by a digest. */
export function slugOf(title: string): string {
  const whole = title.normalize('NFC')
  const safe = whole.replace(/[^\p{L}\p{N}.-]+/gu, '_').replace(/^[_.]+|[_.]+$/g, '')
  const slug = cut(safe)
  if (slug !== '' && slug === whole.replaceAll(' ', '_') && !devices.test(slug)) return slug
  const digest = createHash('sha256').update(title).digest('hex').slice(0, 8)
  return slug === '' ? `test-${digest}` : `${devices.test(slug) ? '_' : ''}${slug}-${digest}`
}

function cut(text: string): string {
  let [kept, bytes] = ['', 0]
  for (const letter of [...text].slice(0, mostLetters)) {
    bytes += Buffer.byteLength(letter)
    if (bytes > mostBytes) break
    kept += letter
  }
  return kept.replace(/[_.]+$/, '')
}

/** Device names of Windows, with any ending. Source: https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const devices = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\.|$)/i
