/** `wikitape init --pytest`: the plugin for pytest as a file of the suite, and the line of conftest.py that loads it. */
import path from 'node:path'
import { readText } from '../../../store/files/whole-files.ts'
import { orUsageError, UsageError } from '../../args/command.ts'
import { writeText } from '../../files/text-files.ts'
import { pytestPluginFile } from '../../package-version.ts'

export type SetupStep = { readonly what: string; readonly done: boolean; readonly carryOut: () => void }

const loadingLine = 'pytest_plugins = ["wikitape_pytest"]'

/** @param dir the folder of the suite's conftest.py. @throws UsageError where that must be edited by hand */
export function pytestSteps(dir: string): readonly SetupStep[] {
  const plugin = readText(pytestPluginFile()) ?? ''
  const file = path.join(dir, 'wikitape_pytest.py')
  const conftest = path.join(dir, 'conftest.py')
  const existing = (name: string): string | undefined =>
    orUsageError(`cannot read ${name}`, () => readText(name))
  const settings = existing(conftest)
  const writing = (name: string, text: string, what: string): SetupStep => ({
    what: `${name}: ${what}`,
    done: existing(name) === text,
    carryOut: () => writeText(name, text),
  })
  const steps = [writing(file, plugin, 'the plugin for pytest')]
  if (settings === undefined) return [...steps, writing(conftest, `${loadingLine}\n`, loadingLine)]
  if (settings.includes('wikitape_pytest')) return steps
  throw new UsageError(
    `${conftest} does not load the plugin, and wikitape edits no program: add this line to it, and run wikitape init --pytest again: ${loadingLine}`,
  )
}
