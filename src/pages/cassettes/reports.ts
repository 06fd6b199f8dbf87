/** What `check` and `diff` say of cassettes, and two recorded answers compared. */
import path from 'node:path'
import { compareCassettes } from '../../drift/compare.ts'
import { driftMatrixOf } from '../../drift/findings/drift-report.ts'
import { alignInteractions } from '../../drift/inputs/align-requests.ts'
import type { CassetteSide } from '../../drift/inputs/cassette-side.ts'
import { loadSide } from '../../drift/inputs/load-side.ts'
import { reportValue } from '../../drift/report/formats/json-report.ts'
import { matrixJson } from '../../drift/report/matrix-report.ts'
import type { Interaction } from '../../recorder/cassette/interaction.ts'
import { cassetteIssues } from '../../recorder/cassette-check/cassette-issues.ts'
import { displayText } from '../../recorder/engine/miss/describe-request.ts'
import { CassetteStore } from '../../recorder/store/cassette-store.ts'
import { commandName, shellQuote } from '../../recorder/store/command-name.ts'
import { BadRequest } from '../query-params.ts'
import type { CheckView } from '../views.ts'
import { CassetteCatalog } from './cassette-catalog.ts'
import { openRecording } from './interaction-view.ts'

const maxIssues = 500

/** @throws StoreError */
export function checkView(dir: string): CheckView {
  const store = CassetteStore.open(dir)
  const all = [...cassetteIssues(store)]
  const complaints = all.slice(0, maxIssues).map(({ kind, file, what }) => ({
    kind,
    file: displayText(file, 500),
    what: displayText(what, 1_000)
  }))
  return {
    complaints,
    total: all.length,
    command: `${commandName} check ${shellQuote(dir)}`
  }
}

const sideOf = (dir: string) => loadSide(dir, path.basename(dir)).side

/** @returns a drift report as JSON. @throws StoreError */
export const compareFolders = (a: string, b: string): unknown =>
  reportValue(compareCassettes(sideOf(a), sideOf(b)))

/** Each version with the next one. @param dirs oldest first. @returns a matrix as JSON. @throws StoreError */
export function compareVersions(dirs: readonly string[]): unknown {
  const [first, ...others] = dirs.map(sideOf)
  let before = first
  const steps = others.flatMap((side) => {
    const report = before && compareCassettes(before, side)
    before = side
    return report ?? []
  })
  return JSON.parse(matrixJson(driftMatrixOf(steps)))
}

/** A recorded answer; of B, an empty key stands for the recording of the same request. */
interface AnswerRef {
  readonly dir: string
  readonly key: string
  readonly response: number
}

/** Compares two answers as drift does: order and noise are known. @returns a drift report as JSON, and the key of B. @throws BadRequest */
export function compareRecordings(a: AnswerRef, b: AnswerRef): object {
  const first = openRecording(new CassetteCatalog(a.dir).snapshot(), a.key)
  const storeA = CassetteStore.open(a.dir)
  const storeB = CassetteStore.open(b.dir)
  const second =
    b.key === ''
      ? counterpart(first, storeA, storeB)
      : openRecording(new CassetteCatalog(b.dir).snapshot(), b.key)
  // Both sides get A's request, whatever B was asked: requests are compared by the page itself.
  const side = (
    { dir, manifest }: CassetteStore,
    { responses }: Interaction,
    at: number
  ): CassetteSide => ({
    name: dir,
    manifest: { ...manifest, site: undefined },
    interactions: [{ ...first, responses: [responses[at] ?? responses[0]] }],
    modules: new Map()
  })
  const report = compareCassettes(
    side(storeA, first, a.response),
    side(storeB, second, b.response)
  )
  return { keyB: second.key, report: reportValue(report) }
}

/** The recording of this request in another cassette, also if the two wikis spell it differently. */
function counterpart(first: Interaction, from: CassetteStore, to: CassetteStore) {
  const same = to.get(first.key).interaction
  if (same) return same
  const sideA = { ...loadSide(from.dir).side, interactions: [first] }
  const [pair] = alignInteractions(sideA, loadSide(to.dir).side).pairs
  if (pair) return pair.b
  const what = `${to.dir} has no recording of this request`
  throw new BadRequest(404, 'no-counterpart', what)
}
