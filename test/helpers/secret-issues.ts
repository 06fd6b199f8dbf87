/** What `check` says of secrets in a cassette. */
import type { CassetteIssue } from '../../src/recorder/cassette-check/cassette-issue.ts'
import { cassetteIssues } from '../../src/recorder/cassette-check/cassette-issues.ts'
import type { CassetteStore } from '../../src/recorder/store/cassette-store.ts'

export const secretIssues = (store: CassetteStore): readonly CassetteIssue[] =>
  [...cassetteIssues(store)].filter(({ kind }) => kind === 'secret')
