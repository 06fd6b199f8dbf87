/** The words and signs that all reports share. */
import {
  byCalls,
  type CallCount,
  daysOf
} from '../../recorder/cassette/format/traffic-file.ts'
import type { JsonTree } from '../../recorder/json/json-tree.ts'
import { writeCompact } from '../../recorder/json/write-json.ts'
import { dataFile } from '../../recorder/knowledge/data-file.ts'
import { truncateText } from '../../recorder/text/escape-control-characters.ts'
import { decodePercent } from '../../recorder/text/percent-decoding.ts'
import { formatCount, plural } from '../../recorder/text/words.ts'
import { writeQuery } from '../../recorder/wiki/parameters/request-params.ts'
import { type RequestRef, teamSeverities } from '../changes/change.ts'
import type { Rating, Severity } from '../changes/kinds.ts'
import type { Cause } from '../findings/cause.ts'
import type { DriftReport, SideSummary } from '../findings/drift-report.ts'
import type { Finding } from '../findings/finding.ts'

/** How findings are grouped and counted: by severity, changes of the wiki's content apart. */
export type SeverityGroup = Severity | 'data'

/** In the order of all reports. */
export const severityGroups: readonly SeverityGroup[] = [...teamSeverities, 'data']

/** How a group is shown without colour, in Markdown, and as a colour of a terminal (SGR code); a sentence for legends. */
type SeverityStyle = Readonly<Record<'sign' | 'mark' | 'code' | 'meaning', string>>

export const severityStyles: Readonly<Record<SeverityGroup, SeverityStyle>> = (
  dataFile('kinds-of-changes') as {
    readonly groups: Readonly<Record<SeverityGroup, SeverityStyle>>
  }
).groups

export const groupOf = ({ severity, axis }: Rating): SeverityGroup =>
  axis === 'data' ? 'data' : severity

/** `1.37: the old token parameters ended`, or what its findings have in common. */
export const causeText = ({ knownChange, title }: Cause): string =>
  knownChange ? `${knownChange.since}: ${title}` : title

/** `in 3 requests, 412 calls a day, Pywikibot 9.1 and 2 others`, or that none is affected. */
export function inRequestsText({
  requests,
  traffic
}: Pick<Cause, 'requests' | 'traffic'>): string {
  if (requests.length === 0) return 'in no recorded request'
  const text = `in ${plural(requests.length, 'request')}`
  const [first, ...more] = !traffic ? [] : byCalls(traffic)
  if (!traffic || !first) return text
  const others = more.length === 0 ? '' : ` and ${plural(more.length, 'other')}`
  return `${text}, ${callsText(traffic)}, ${clientLabel(first[0])}${others}`
}

/** `412 calls a day`; of a log of less than a day only how many. */
export function callsText(traffic: CallCount): string {
  const { calls } = traffic
  const days = daysOf(traffic)
  if (days < 1) return plural(calls, 'call')
  return calls < days
    ? `${plural(calls, 'call')} in ${plural(Math.round(days), 'day')}`
    : `${plural(Math.round(calls / days), 'call')} a day`
}

/** `Pywikibot 9.1` of a whole User-Agent; never a sign that means something in a report's format. */
export function clientLabel(agent: string): string {
  const bare = agent.replace(/\([^()]*\)/g, ' ')
  const [, product, version] =
    /(?<![\w/.:])([A-Za-z][\w.:-]{0,40})\/v?(\d+(?:\.\d+)?)/.exec(bare) ?? []
  if (product !== undefined) return `${product} ${version}`
  return truncateText(bare.replace(/[^\p{L}\p{N}.:-]+/gu, ' ').trim(), 40)
}

/** `cassettes/ru-1.43 · MediaWiki 1.43.9 · ru · 91 requests`. */
export function sideText({ name, engine, lang, interactions }: SideSummary): string {
  const software = engine === '' ? '' : `MediaWiki ${engine}`
  return joinParts([name, software, lang, plural(interactions, 'request')], ' · ')
}

export function comparedText({ compared, listings, a, b }: DriftReport): string {
  const modules = Math.min(a.modules, b.modules)
  const parts = [
    plural(compared, 'request'),
    listings > 0 ? plural(listings, 'whole listing') : '',
    modules > 0 ? plural(modules, 'module description') : ''
  ]
  return `compared ${joinParts(parts, ', ')}`
}

/** One line each: differences suppressed as noise, and entries of committed files that had no effect. */
export function suppressedLines(report: DriftReport): readonly string[] {
  const hidden = totalOf(report.suppressed)
  return [
    ...report.expiredAcceptances.map(
      (one) => `expired acceptance ${one.fingerprint} (${one.expires}): ${one.reason}`
    ),
    ...report.unknownAcceptances.map(
      (one) => `acceptance without a finding ${one.fingerprint}: ${one.reason}`
    ),
    ...report.staleNoise.map(
      (one) => `noise entry that matched nothing: ${one.scope} ${one.place}`
    ),
    ...(hidden === 0 ? [] : [`${plural(hidden, 'difference')} suppressed as noise`])
  ]
}

/** `×10,000`, or nothing for one. */
export const timesText = (count: number): string =>
  count === 1 ? '' : `×${formatCount(count)}`

/** A value as JSON on one line; strings without quotes if `bare`. */
export function valueText(tree: JsonTree | undefined, bare = false): string {
  if (!tree) return '(absent)'
  if (bare && tree.kind === 'string') return tree.value
  return writeCompact(tree, 'utf8')
}

/** A class of requests, or a module. */
export const scopeName = ({ scope }: Pick<Finding, 'scope'>): string =>
  scope === '*' ? 'all requests' : scope

/** The subject of a finding: a class of requests or a module. */
export const scopeText = (finding: Pick<Finding, 'scope' | 'axis'>): string =>
  finding.axis === 'contract' && !['*', 'siteinfo'].includes(finding.scope)
    ? `module ${finding.scope}`
    : scopeName(finding)

/** The place in an answer; empty if a finding is everywhere in it. */
export const placeName = ({ place }: Pick<Finding, 'place'>): string =>
  place === '*' ? '' : place

/** Where a finding is: request class or module, and the place in it. */
export const findingPlaceText = (finding: Pick<Finding, 'scope' | 'place'>): string =>
  joinParts([scopeName(finding), placeName(finding)])

/** Where a finding is, what it is, and how often. */
export const findingText = (finding: Finding): string =>
  joinParts([
    `${findingPlaceText(finding)}: ${finding.title}`,
    timesText(finding.count),
    inRequestsText(finding)
  ])

/** How often all of them were found. */
export const totalOf = (counted: readonly Pick<Finding, 'count'>[]): number =>
  counted.reduce((sum, { count }) => sum + count, 0)

/** A request as one readable line. */
export const requestText = ({ request }: Pick<RequestRef, 'request'>): string =>
  request.get('plain target') ?? decodePercent(writeQuery(request))

/** Joins the parts that are not empty. */
export const joinParts = (parts: readonly string[], separator = '  '): string =>
  parts.filter((part) => part !== '').join(separator)

/** Whether findings of the group may break a client. */
export const isSerious = (group: SeverityGroup): boolean =>
  group === 'breaking' || group === 'risky'
