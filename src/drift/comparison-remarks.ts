/** Remarks on a comparison itself: incomplete sides, other callers, other languages, other wikis. */
import type { Interaction } from '../recorder/cassette/interaction.ts'
import { plural } from '../recorder/text/words.ts'
import type { OutgrownAcceptance } from './findings/acceptances.ts'
import type { ComparisonRemark } from './findings/drift-report.ts'
import { type Alignment, isSentOtherwise } from './inputs/align-requests.ts'
import type { CassetteSide } from './inputs/cassette-side.ts'
import { shownIn } from './inputs/shown-facts.ts'

export function remarksOn(
  a: CassetteSide,
  b: CassetteSide,
  alignment: Alignment,
  listings: number
): readonly ComparisonRemark[] {
  const { pairs } = alignment
  const remarks = [a, b].flatMap(remarksOnSide)
  const add = (...given: Parameters<typeof remark>) => void remarks.push(remark(...given))
  const isEmpty = [a, b].some(({ interactions }) => interactions.length === 0)
  const callers = otherCallersText(alignment)
  if (callers !== undefined) add('other-user', callers, isOfOtherCallers(alignment))
  else if (!isEmpty && pairs.length + listings === 0)
    add('nothing-in-common', 'the two sides have no request in common', true)
  const resent = plural(pairs.filter(isSentOtherwise).length, 'request')
  if (pairs.some(isSentOtherwise))
    add(
      'sent-otherwise',
      `${resent} sent in another spelling or order: what the answers repeat of it is not compared`
    )
  const langA = a.manifest.site?.lang
  const langB = b.manifest.site?.lang
  if (langA && langB && langA !== langB)
    add('other-language', `the wikis speak different languages: ${langA} and ${langB}`)
  const otherWiki = otherWikiText(a, b, alignment)
  if (otherWiki !== undefined) add('other-wiki', otherWiki)
  return remarks
}

const remark = (kind: ComparisonRemark['kind'], text: string, fatal = false) => ({
  kind,
  text,
  fatal
})

/** True if most requests were asked by another caller: nothing of the two sides is compared. */
export const isOfOtherCallers = ({ pairs, otherCallers }: Alignment): boolean =>
  otherCallers.length > pairs.length

function otherCallersText({ otherCallers }: Alignment) {
  const [first] = otherCallers
  const by = ({ request }: Interaction) => {
    const caller = request.get('as user')
    return caller === undefined ? 'anonymously' : `as ${caller.replace(/^user:/, '')}`
  }
  return (
    first &&
    `${plural(otherCallers.length, 'request')} asked ${by(first.a)} in A and ${by(first.b)} in B: not compared; ` +
      'record both sides with the same --login, or both without'
  )
}

export function remarkOnOutgrown({
  acceptance: { fingerprint, about, seen = [about] },
  now: [one, ...more]
}: OutgrownAcceptance): ComparisonRemark {
  const accepted = seen.length > maxShown ? about : seen.join('; ')
  const others = more.length === 0 ? '' : ` and ${more.length} more`
  return remark(
    'acceptance-outgrown',
    `the change went further than acceptance ${fingerprint}: accepted: ${accepted}; now: ${one}${others}`
  )
}
const maxShown = 3

function remarksOnSide(side: CassetteSide) {
  const { name, faults = [], skipped = [], interactions, modules } = side
  const remarks = [
    ...faults.map((text) => remark('partial', `${name}: ${text}`, true)),
    ...skipped.map((text) => remark('not-asked', `${name}: ${text}`))
  ]
  if (interactions.length === 0)
    remarks.push(remark('empty', `${name} has no interaction`, true))
  else if (modules.size === 0) {
    remarks.push(
      remark(
        'no-descriptions',
        `${name} has no module descriptions: the contract was not compared`
      )
    )
  }
  return remarks
}

/** Fewer pages prove nothing about a wiki. */
const minPages = 10
/** Pairs of answers whose pages are read. */
const maxPairs = 300

/** Two wikis with other pages are seldom what was meant, and a wiki that lost most of its pages is worth a line. */
function otherWikiText(a: CassetteSide, b: CassetteSide, { pairs }: Alignment) {
  const seen = pairs.slice(0, maxPairs)
  const idsOf = ({ interactions }: CassetteSide, side: 'a' | 'b') => {
    // What all answers of a side show has been read already.
    const isAll = seen.length === interactions.length
    return shownIn(isAll ? interactions : seen.map((pair) => pair[side])).ids
  }
  const inA = idsOf(a, 'a')
  const inB = idsOf(b, 'b')
  const fewer = Math.min(inA.size, inB.size)
  const common = [...inA.keys()].filter((title) => inB.has(title)).length
  if (fewer < minPages || common * 5 >= fewer) return undefined
  const hostOf = ({ manifest }: CassetteSide) =>
    manifest.upstream.replace(/^https?:\/\/([^/]*).*$/, '$1')
  return `answers to the same requests have only ${common} of ${fewer} pages in common: is it the same wiki (${hostOf(a)}, ${hostOf(b)})?`
}
