/** The steps from version to version as a picture: a bar for each, of its causes by severity. */
import type { DriftReport } from '../../findings/drift-report.ts'
import { driftCounts, groupWord } from '../drift-counts.ts'
import { escapeHtmlText } from './html-finding.ts'

/** @param nameOf a step; its findings stand at `#step-0` and so on */
export function timelineHtml(
  steps: readonly DriftReport[],
  nameOf: (step: DriftReport) => string
): string {
  const most = Math.max(1, ...steps.map(({ causes }) => causes.length))
  const rows = steps.map((step, at) => {
    const parts = [...driftCounts(step).open].map(
      ([group, count]) =>
        `<i class="${group}" style="flex-grow:${count}" title="${count} ${groupWord(group)}">${count}</i>`
    )
    const width = Math.round((100 * step.causes.length) / most)
    const bar = `<span style="width:${width}%">${parts.join('')}</span>`
    return `<li><a href="#step-${at}">${escapeHtmlText(nameOf(step))}</a>${bar}</li>`
  })
  return `<ol class="steps" aria-label="causes of each step, by severity">${rows.join('')}</ol>`
}
