/** The report for those who run the wiki: what breaks, for which clients, how often, and a text to send to each. */
import {
  byCalls,
  callsOf,
  type Traffic
} from '../../../recorder/cassette/format/traffic-file.ts'
import { escapeControls } from '../../../recorder/text/escape-control-characters.ts'
import { formatCount, plural } from '../../../recorder/text/words.ts'
import type { RequestRef } from '../../changes/change.ts'
import { type Cause, requestsOf } from '../../findings/cause.ts'
import type { DriftReport } from '../../findings/drift-report.ts'
import { causeGroup, isSeriousCause, verdict } from '../drift-counts.ts'
import {
  callsText,
  causeText,
  clientLabel,
  inRequestsText,
  requestText,
  severityStyles,
  sideText
} from '../labels.ts'
import { truncateColumns, wrapColumns } from './column-width.ts'

/** Clients that get a text; clients that are only named. */
const maxClients = 20
const maxNames = 10

export function clientsReport(report: DriftReport, columns: number): string {
  const { traffic, a, b, remarks } = report
  const serious = report.causes.filter(isSeriousCause)
  const causes = serious.filter((one) => one.traffic?.calls !== 0)
  const unused = serious.length - causes.length
  const lines = [
    `wikitape: ${verdict(report)}`,
    `A ${sideText(a)}`,
    `B ${sideText(b)}`,
    ...(traffic
      ? trafficLines(traffic)
      : ['Who calls is not known: wikitape capture --log counts it.']),
    ...remarks.map(({ text, fatal }) => (fatal ? `! ${text}` : text)),
    '',
    causes.length === 0 ? 'NOTHING BREAKS' : 'WHAT BREAKS (!) OR MAY BREAK (~)',
    ...causes.flatMap((one) =>
      causeLines(one, `${severityStyles[causeGroup(one)].sign} `, inRequestsText(one))
    ),
    ...(unused > 0
      ? [`and ${plural(unused, 'cause')} that no call of the log hits: --format terminal`]
      : []),
    ...(traffic ? clientLines(report, causes, traffic) : [])
  ]
  return `${lines.flatMap((line) => wrapLine(escapeControls(line), columns)).join('\n')}\n`
}

/** What continues a line stands as far in as its text. Requests are cut: wrapped ones could not be copied. */
function wrapLine(line: string, columns: number) {
  if (/^ *e\.g\. /.test(line)) return [truncateColumns(line, columns)]
  const [margin = ''] = /^ *(?:[!~-] )?/.exec(line) ?? []
  const rows = wrapColumns(line.slice(margin.length), columns - margin.length)
  return [
    margin + (rows[0] ?? ''),
    ...rows.slice(1).map((row) => ' '.repeat(margin.length) + row)
  ]
}

function trafficLines({ total, skipped, sampled }: Traffic) {
  const day = (time: number) => new Date(time).toISOString().slice(0, 10)
  return [
    `${plural(total.calls, 'call')} of ${plural(total.agents.size, 'client')} from ${day(total.first)} to ${day(total.last)}`,
    ...(sampled
      ? ['Not every request was sent: its calls are counted with one of the same form.']
      : []),
    ...(skipped.size > 0
      ? ['Not rehearsed (record a client that posts: wikitape record):']
      : []),
    ...[...skipped].map(
      ([why, count]) => `- ${formatCount(count.calls)} ${why}${namesText(byCalls(count))}`
    )
  ]
}

function namesText(agents: readonly (readonly [agent: string, calls: number])[]) {
  const names = [...new Set(agents.map(([agent]) => clientLabel(agent)))].slice(
    0,
    maxNames
  )
  return names.length === 0 ? '' : `: ${names.join(', ')}`
}

function causeLines(
  cause: Cause,
  bullet: string,
  hits: string,
  example = cause.requests[0]
) {
  const [{ hint = '' }] = cause.findings
  const more = [hits, hint, example ? `e.g. ${requestText(example)}` : '']
  const margin = ' '.repeat(bullet.length)
  return [
    bullet + causeText(cause),
    ...more.filter((one) => one !== '').map((one) => margin + one)
  ]
}

/** The clients that serious causes hit, each with a text for its author, and the names of the others. */
function clientLines({ a, b }: DriftReport, causes: readonly Cause[], traffic: Traffic) {
  const hit = callsOf(requestsOf(causes), traffic)
  const others = byCalls(traffic.total).filter(([agent]) => !hit.agents.has(agent))
  const texts = byCalls(hit).map(([agent, calls]) => {
    const callsTo = ({ key }: RequestRef) =>
      traffic.requests.get(key)?.agents.get(agent) ?? 0
    const all = callsText({ ...hit, calls: traffic.total.agents.get(agent) ?? calls })
    const some = callsText({ ...hit, calls })
    const unitOf = (text: string) => text.replace(/^[\d,]+ calls?/, '')
    const share = unitOf(all) === unitOf(some) ? some.replace(/ .*/, '') : some
    return [
      '',
      agent,
      `  Our wiki will go from MediaWiki ${a.engine} to ${b.engine}.`,
      `  Of your ${all}, ${share} will get a different answer:`,
      ...causes.flatMap((cause) => {
        const [most] = cause.requests.toSorted((x, y) => callsTo(y) - callsTo(x))
        return most && callsTo(most) > 0 ? causeLines(cause, '  - ', '', most) : []
      })
    ]
  })
  return [
    ...(texts.length > 0 ? ['', 'WHOM TO TELL'] : []),
    ...texts.slice(0, maxClients).flat(),
    ...(texts.length > maxClients
      ? ['', `and ${texts.length - maxClients} more: --format json`]
      : []),
    ...(others.length > 0
      ? ['', `Not hit: ${plural(others.length, 'client')}${namesText(others)}`]
      : [])
  ]
}
