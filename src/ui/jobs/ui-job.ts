/** Slow jobs of the pages: comparing, checking, joining listings. Plain functions of the job, for a worker thread. */
import path from 'node:path'
import { cassetteIssues } from '../../cassette-check/cassette-issues.ts'
import { loadSide } from '../../cassette-check/load-side.ts'
import { secretIssues } from '../../cassette-check/secret-issues.ts'
import { compareCassettes } from '../../drift/compare.ts'
import type { CassetteSide } from '../../drift/inputs/cassette-side.ts'
import { displayText } from '../../engine/miss/describe-request.ts'
import { reportValue } from '../../report/formats/json-report.ts'
import { CassetteStore } from '../../store/cassette-store.ts'
import { commandName, shellQuote } from '../../store/command-name.ts'
import type { CheckView } from '../views.ts'
import { type AskJob, askView } from './ask-job.ts'
import { type AnswerRef, compareAnswers } from './compare-job.ts'
import { listingRows, listingViews } from './listing-views.ts'

export type UiJob =
  | { readonly kind: 'check'; readonly dir: string }
  | { readonly kind: 'listings'; readonly dir: string; readonly folder: string }
  | { readonly kind: 'rows'; readonly dir: string; readonly folder: string; readonly listing: string }
  | { readonly kind: 'drift'; readonly a: string; readonly b: string }
  | { readonly kind: 'compare'; readonly a: AnswerRef; readonly b: AnswerRef }
  | AskJob

const maxItems = 500

/** @returns a view. @throws StoreError, BadRequest */
export async function runJob(job: UiJob): Promise<unknown> {
  switch (job.kind) {
    case 'check':
      return checkView(CassetteStore.open(job.dir))
    case 'listings':
      return listingViews(CassetteStore.open(job.dir), job.folder)
    case 'rows':
      return listingRows(CassetteStore.open(job.dir), job.folder, job.listing)
    case 'drift':
      return reportValue(compareCassettes(sideOf(job.a), sideOf(job.b)))
    case 'compare':
      return compareAnswers(job.a, job.b)
    case 'ask':
      return askView(job)
  }
}

const sideOf = (dir: string): CassetteSide => loadSide(dir, path.basename(dir)).side

function checkView(store: CassetteStore): CheckView {
  const all = [...cassetteIssues(store), ...secretIssues(store)]
  const complaints = all
    .slice(0, maxItems)
    .map(({ kind, file, what }) => ({ kind, file: displayText(file, 500), what: displayText(what, 1_000) }))
  return { complaints, total: all.length, command: `${commandName} check ${shellQuote(store.dir)}` }
}
