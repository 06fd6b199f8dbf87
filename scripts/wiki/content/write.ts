/** Puts the content together and writes it as files of steps, one for each run of php/apply.php, and the images. */
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PageOrder } from '../lab.ts'
import { doomedPages, eventSteps, movingPages } from './events.ts'
import { imageFiles, uploadGroups } from './files/uploads.ts'
import { nastySteps } from './nasty.ts'
import { articles, subpages, talkPages } from './pages/articles.ts'
import { hub, longPage, redirects } from './pages/hub.ts'
import { categories, messages, templates } from './pages/namespaces.ts'
import { pageSteps } from './pages/page.ts'
import { accountSteps, admin } from './people.ts'
import { registerSteps } from './registers.ts'
import type { Step, StepGroup } from './step.ts'
import { scatter } from './words.ts'

/** Волга first, the rest scattered, so that page ids do not follow titles. */
function pageGroups(): readonly StepGroup[] {
  const [first, ...others] = articles()
  const rest = [
    ...[...others, hub(), longPage(), ...subpages(), ...talkPages(), ...redirects()],
    ...[
      ...templates(),
      ...categories(),
      ...messages(),
      ...doomedPages(),
      ...movingPages()
    ]
  ]
  const scattered = rest.toSorted(
    (one, other) => scatter(one.title) - scatter(other.title)
  )
  return [...(first === undefined ? [] : [first]), ...scattered].map(pageSteps)
}

interface Stage {
  readonly file: string
  readonly steps: readonly Step[]
}

/** Two runs, since MediaWiki sees new change tags and interwiki prefixes only from the next process on. */
export function contentStages(order: PageOrder): readonly Stage[] {
  const groups = [pageGroups(), uploadGroups()].flatMap((stage) =>
    order === 'reversed' ? stage.toReversed() : stage
  )
  return [
    { file: 'registers.ndjson', steps: [...accountSteps(), ...registerSteps(admin)] },
    { file: 'pages.ndjson', steps: [...groups.flat(), ...eventSteps()] }
  ]
}

/** Applied after MediaWiki's jobs have run. */
const settling: Stage = {
  file: 'settle.ndjson',
  steps: [{ kind: 'settle', at: '2026-01-01T00:00:00Z' }]
}

function ndjson(steps: readonly Step[]): string {
  return steps.map((step) => `${JSON.stringify(step)}\n`).join('')
}

/** Changes when anything that decides what the wiki holds changes: a built wiki with another print is out of date. */
export function contentPrint(order: PageOrder, ...more: readonly string[]): string {
  const hash = createHash('sha256')
  for (const { steps } of contentStages(order)) hash.update(ndjson(steps))
  for (const { file, bytes } of imageFiles()) hash.update(file).update(bytes)
  for (const text of more) hash.update(text)
  return hash.digest('hex').slice(0, 16)
}

/** The files of steps in the order in which to apply them: before MediaWiki's jobs run, and after. */
export interface WrittenContent {
  readonly beforeJobs: readonly string[]
  readonly afterJobs: string
}

export async function writeContent(
  folder: string,
  order: PageOrder
): Promise<WrittenContent> {
  const stages = contentStages(order)
  await writeStages(folder, [...stages, settling])
  return {
    beforeJobs: stages.map(({ file }) => join(folder, file)),
    afterJobs: join(folder, settling.file)
  }
}

/** What the wiki with nasty content has on top. */
export async function writeNasty(
  folder: string
): Promise<Pick<WrittenContent, 'beforeJobs'>> {
  const stage: Stage = { file: 'nasty.ndjson', steps: nastySteps() }
  await writeStages(folder, [stage])
  return { beforeJobs: [join(folder, stage.file)] }
}

async function writeStages(folder: string, stages: readonly Stage[]): Promise<void> {
  await mkdir(join(folder, 'files'), { recursive: true })
  for (const { file, steps } of stages) await writeFile(join(folder, file), ndjson(steps))
  for (const { file, bytes } of imageFiles())
    await writeFile(join(folder, 'files', file), bytes)
}
