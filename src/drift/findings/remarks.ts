/** Remarks on a comparison itself: incomplete sides, other languages, other wikis. */
import { plural } from '../../text/words.ts'
import type { Alignment } from '../inputs/align-requests.ts'
import type { CassetteSide } from '../inputs/cassette-side.ts'
import { pageIdsIn } from '../inputs/id-renumbering.ts'
import type { OutgrownAcceptance } from './acceptances.ts'
import type { ComparisonRemark } from './drift-report.ts'

export function remarksOn(
  a: CassetteSide,
  b: CassetteSide,
  alignment: Alignment,
  listings: number,
): readonly ComparisonRemark[] {
  const remarks = [a, b].flatMap(remarksOnSide)
  const bothFull = a.interactions.length > 0 && b.interactions.length > 0
  const callers = otherCallersText(alignment)
  if (callers !== undefined) remarks.push(remark('other-user', callers, isOfOtherCallers(alignment)))
  else if (bothFull && alignment.pairs.length === 0 && listings === 0)
    remarks.push(remark('nothing-in-common', 'the two sides have no request in common', true))
  const [langA, langB] = [a.manifest.site?.lang ?? '', b.manifest.site?.lang ?? '']
  if (langA !== '' && langB !== '' && langA !== langB)
    remarks.push(remark('other-language', `the wikis speak different languages: ${langA} and ${langB}`))
  const otherWiki = otherWikiText(a, b, alignment)
  return otherWiki === undefined ? remarks : [...remarks, remark('other-wiki', otherWiki)]
}

/** True where most requests were asked by another caller: nothing of the two sides is compared. */
export const isOfOtherCallers = ({ pairs, otherCallers }: Alignment): boolean =>
  otherCallers.length > pairs.length

function otherCallersText({ otherCallers }: Alignment): string | undefined {
  const [first] = otherCallers
  if (first === undefined) return undefined
  const [before, after] = [first.a, first.b].map(({ request }) => request.get('as user'))
  const by = (caller: string | undefined): string =>
    caller === undefined ? 'anonymously' : `as ${caller.replace(/^user:/, '')}`
  return (
    `${plural(otherCallers.length, 'request')} asked ${by(before)} in A and ${by(after)} in B: not compared; ` +
    'record both sides with the same --login, or both without'
  )
}

export const remarkOnOutgrown = ({ acceptance, now }: OutgrownAcceptance): ComparisonRemark => {
  const { fingerprint, about, seen = [about] } = acceptance
  const [one, ...more] = now
  const accepted = seen.length > maxShown ? about : seen.join('; ')
  const others = more.length === 0 ? '' : ` and ${more.length} more`
  const text = `the change went further than acceptance ${fingerprint}: accepted: ${accepted}; now: ${one}${others}`
  return remark('acceptance-outgrown', text)
}
const maxShown = 3

const remark = (kind: ComparisonRemark['kind'], text: string, fatal = false): ComparisonRemark => ({
  kind,
  text,
  fatal,
})

function remarksOnSide(side: CassetteSide): ComparisonRemark[] {
  const { name, faults = [], skipped = [], interactions, modules } = side
  const remarks = [
    ...faults.map((text) => remark('partial', `${name}: ${text}`, true)),
    ...skipped.map((text) => remark('not-asked', `${name}: ${text}`)),
  ]
  if (interactions.length === 0) remarks.push(remark('empty', `${name} has no interaction`, true))
  else if (modules.size === 0)
    remarks.push(
      remark('no-descriptions', `${name} has no module descriptions: the contract was not compared`),
    )
  return remarks
}

/** Fewer pages prove nothing about a wiki. */
const minPages = 10
/** Pairs of answers whose pages are read. */
const maxPairs = 300

/** Two wikis with other pages are seldom what was meant, and a wiki that lost most of its pages is worth a line. */
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
