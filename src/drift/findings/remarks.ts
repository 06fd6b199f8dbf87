/** What is to be known of a comparison before its findings are believed. */
import type { Alignment } from '../inputs/align-requests.ts'
import type { CassetteSide } from '../inputs/cassette-side.ts'
import { pageIdsIn } from '../inputs/id-renumbering.ts'
import type { ComparisonRemark } from './drift-report.ts'

export function remarksOn(
  a: CassetteSide,
  b: CassetteSide,
  alignment: Alignment,
  listings: number,
): readonly ComparisonRemark[] {
  const remarks = [a, b].flatMap(remarksOnSide)
  const bothFull = a.interactions.length > 0 && b.interactions.length > 0
  if (bothFull && alignment.pairs.length === 0 && listings === 0) {
    remarks.push({ kind: 'nothing-in-common', text: 'the two sides have no request in common', fatal: true })
  }
  const [langA, langB] = [a.manifest.site?.lang ?? '', b.manifest.site?.lang ?? '']
  if (langA !== '' && langB !== '' && langA !== langB) {
    const text = `the wikis speak different languages: ${langA} and ${langB}`
    remarks.push({ kind: 'other-language', text, fatal: false })
  }
  const otherWiki = otherWikiText(a, b, alignment)
  if (otherWiki !== undefined) remarks.push({ kind: 'other-wiki', text: otherWiki, fatal: false })
  return remarks
}

function remarksOnSide(side: CassetteSide): ComparisonRemark[] {
  const remarks: ComparisonRemark[] = []
  for (const fault of side.faults ?? [])
    remarks.push({ kind: 'partial', text: `${side.name}: ${fault}`, fatal: true })
  for (const text of side.skipped ?? [])
    remarks.push({ kind: 'not-asked', text: `${side.name}: ${text}`, fatal: false })
  if (side.interactions.length === 0)
    remarks.push({ kind: 'empty', text: `${side.name} holds no interaction`, fatal: true })
  else if (side.modules.size === 0) {
    const text = `${side.name} holds no module descriptions: the contract was not compared`
    remarks.push({ kind: 'no-descriptions', text, fatal: false })
  }
  return remarks
}

/** Fewer pages than these say nothing about a wiki; and so many pairs of answers are looked at. */
const minPages = 10
const maxPairs = 300

/** Two wikis with other pages are seldom what was meant, and one that lost most of its pages is worth a line too. */
function otherWikiText(a: CassetteSide, b: CassetteSide, { pairs }: Alignment): string | undefined {
  const seen = pairs.slice(0, maxPairs)
  const [inA, inB] = [pageIdsIn(seen.map((one) => one.a)), pageIdsIn(seen.map((one) => one.b))]
  const fewer = Math.min(inA.size, inB.size)
  const common = [...inA.keys()].filter((title) => inB.has(title)).length
  if (fewer < minPages || common * 5 >= fewer) return undefined
  const [hostA, hostB] = [a, b].map(({ manifest }) =>
    manifest.upstream.replace(/^https?:\/\/([^/]*).*$/, '$1'),
  )
  return `answers to the same requests have only ${common} of ${fewer} pages in common: is it the same wiki (${hostA}, ${hostB})?`
}
