/** Each test runs once as it is, and again for each change that it comes across and that none has noticed yet. */
import { appendFileSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { RunnerTestCase } from 'vitest'
import { VitestTestRunner } from 'vitest/runners'
import { getFn } from 'vitest/suite'
import type { Entry } from './journal.ts'
import { choose, seen, watch } from './switch.ts'

const journal = path.join(process.env['WIKITAPE_MUTANTS'] ?? '', 'journal.jsonl')

const note = (entry: Entry): void => appendFileSync(journal, `${JSON.stringify(entry)}\n`)

/** What some test has noticed, and what this one has passed over already, in a run that had to be ended. */
const settled = (test: string): ReadonlySet<number> =>
  new Set(
    readFileSync(journal, 'utf8')
      .split('\n')
      .filter(
        (line) =>
          line.includes('"noticed"') ||
          (line.includes('"passed"') && line.includes(`"${test}"`))
      )
      .map((line) => (JSON.parse(line) as Entry).id)
  )

// biome-ignore lint/style/noDefaultExport: vitest takes a runner from there.
export default class MutantRunner extends VitestTestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    const body = getFn(test)
    watch()
    await body()
    const { reached, steps } = seen()
    const before = settled(test.id)
    const alive = [...reached].filter((id) => !before.has(id))
    for (const id of alive) note({ what: 'reached', id })
    // A test that cannot be run twice says nothing of a change.
    if (alive.length === 0 || (await fails(body))) return
    for (const id of alive) {
      note({ what: 'tried', id, pid: process.pid })
      choose(id, 20 * steps + 1_000_000)
      const isNoticed = await fails(body)
      watch()
      // What a change left behind, in a cache say, must not count against the next.
      if (isNoticed && (await fails(body))) return
      note({
        what: isNoticed ? 'noticed' : 'passed',
        id,
        pid: process.pid,
        by: `${test.file.name}: ${test.name}`,
        test: test.id
      })
    }
  }
}

async function fails(body: () => unknown): Promise<boolean> {
  try {
    await body()
    return false
  } catch {
    return true
  }
}
