/** The name of a test's cassette: its file and its title, as folder names that every file system accepts. */
import { uniqueName } from '../../text/unique-name.ts'
import { folderOfFile, slugOf } from '../testing/cassette-slug.ts'

/** The part of vitest's tasks that is used; the same in vitest 4 and 5. */
export interface TestTask {
  readonly name: string
  readonly suite?: SuiteTask | undefined
  /** Its name is its path from the project's root. */
  readonly file: SuiteTask
}

export interface SuiteTask {
  readonly type: string
  readonly name: string
  readonly suite?: SuiteTask | undefined
  readonly file?: SuiteTask
  readonly tasks: readonly VitestTask[]
}

export type VitestTask = SuiteTask | (TestTask & { readonly type: string })

/** e.g. `test/pages.test/lists_what_begins_with_Волга`: unique in its file, whatever part of the file runs. */
export function cassetteNameOf(test: TestTask): string {
  const used = new Set<string>()
  for (const one of testsIn(test.file)) {
    const name = uniqueName(slugOf(fullTitle(one)), used)
    if (one === test) return `${folderOfFile(test.file.name)}/${name}`
  }
  return `${folderOfFile(test.file.name)}/${uniqueName(slugOf(fullTitle(test)), used)}`
}

/** e.g. `test/pages.test/_hooks`: no test's name begins so. @param suite a file or `describe` */
export function hooksNameOf(suite: SuiteTask): string {
  const { file = suite } = suite
  const title = fullTitle(suite)
  return `${folderOfFile(file.name)}/_hooks${title === '' ? '' : `_${slugOf(title)}`}`
}

export function* testsIn(suite: SuiteTask): IterableIterator<TestTask> {
  for (const task of suite.tasks) {
    if ('tasks' in task) yield* testsIn(task)
    else yield task
  }
}

function fullTitle(test: TestTask | SuiteTask): string {
  const titles = 'filepath' in test ? [] : [test.name]
  for (let { suite } = test; suite !== undefined && suite.type === 'suite'; { suite } = suite)
    if (!('filepath' in suite)) titles.unshift(suite.name)
  return titles.join(' ')
}
