/** A page and its history, before it becomes steps. */
import { author } from '../people.ts'
import type { Step, StepGroup } from '../step.ts'

export interface Page {
  readonly title: string
  /** The texts of its revisions, oldest first. */
  readonly texts: readonly string[]
  /** Who made each revision; the authors in turn when not said. */
  readonly by?: readonly string[]
  readonly tags?: readonly string[]
}

const firstEdit = Date.parse('2024-03-01T00:00:00Z')
const secondsBetweenPages = 90
const secondsBetweenRevisions = 2 * 86_400

/** Revision `revision` of the `page`th page: a time that no other revision has, whatever the order of the steps. */
function editedAt(page: number, revision: number): string {
  const seconds = page * secondsBetweenPages + revision * secondsBetweenRevisions + 7
  return new Date(firstEdit + seconds * 1000).toISOString().replace('.000Z', 'Z')
}

function summary(revision: number): string {
  return revision === 0 ? 'Новая страница' : `Правка № ${revision + 1}: уточнение`
}

export function pageSteps(page: Page, index: number): StepGroup {
  return page.texts.map((text, revision): Step => {
    const marks = {
      ...(revision % 3 === 2 ? { minor: '1' } : {}),
      ...(page.tags ? { tags: page.tags.join('|') } : {})
    }
    return {
      kind: 'call',
      at: editedAt(index, revision),
      as: page.by?.[revision] ?? author(index + revision * 5),
      params: {
        action: 'edit',
        title: page.title,
        text,
        summary: summary(revision),
        ...marks
      }
    }
  })
}
