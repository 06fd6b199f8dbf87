/** The report as one HTML file: readable without script or network, with filters by script. */
import type { Cause } from '../../drift/findings/cause.ts'
import type { DriftReport } from '../../drift/findings/drift-report.ts'
import type { Finding } from '../../drift/findings/finding.ts'
import { plural } from '../../text/plural.ts'
import {
  affectedRequestsText,
  causesByGroup,
  causeText,
  comparedText,
  findingsByGroup,
  groupOf,
  severityMeanings,
  severitySigns,
  sideText,
  suppressedLines,
  timesText,
  verdict,
} from '../labels.ts'
import { type CardStyle, escapeHtmlText, findingCard } from './html-finding.ts'
import { htmlPage } from './html-page.ts'

/** Bytes of cards after which findings are lines without a body, and after which they are only counted. */
const maxCardBytes = 380_000
const maxLineBytes = 440_000

export function htmlReport(report: DriftReport): string {
  const worst = [...causesByGroup(report).keys()][0]
  return htmlPage({
    title: `wikitape: ${verdict(report)}`,
    tone: worst ?? 'additive',
    head: headHtml(report),
    main: filterBar(report) + findingsHtml(report) + suppressedHtml(report),
  })
}

function headHtml(report: DriftReport): string {
  const side = (letter: string, text: string): string => {
    const [name = '', ...rest] = text.split(' · ')
    return `<div><b>${letter} · ${escapeHtmlText(name)}</b><span>${escapeHtmlText(rest.join(' · '))}</span></div>`
  }
  return (
    `<h1>${escapeHtmlText(verdict(report))}</h1>` +
    `<div class="sides">${side('A', sideText(report.a))}${side('B', sideText(report.b))}</div>` +
    `<p class="meta">${comparedText(report)}</p>${remarksHtml(report)}`
  )
}

/** Remarks about the comparison itself. */
export const remarksHtml = ({ remarks }: DriftReport): string =>
  remarks
    .map(({ text, fatal }) => `<p class="remark${fatal ? ' fatal' : ''}">${escapeHtmlText(text)}</p>`)
    .join('')

function filterBar(report: DriftReport): string {
  const groups = [...findingsByGroup(report.findings)]
  if (groups.length === 0) return ''
  const [links, boxes] = [[] as string[], [] as string[]]
  for (const [group, { length }] of groups) {
    const [title, chip] = [severityMeanings[group], `<i></i><b>${length}</b> ${group}`]
    links.push(`<a class="chip ${group}" href="#group-${group}" title="${title}">${chip}</a>`)
    boxes.push(
      `<label class="chip ${group}" title="${title}"><input type="checkbox" data-group="${group}" checked>${chip}</label>`,
    )
  }
  return (
    `<nav class="bar no-js">${links.join('')}</nav><form class="bar js-only" role="search">${boxes.join('')}` +
    selectHtml(report, 'kind', 'every kind') +
    selectHtml(report, 'scope', 'every request and module') +
    '<input type="search" id="search" placeholder="search ( / )" aria-label="search findings"><span id="shown" class="meta" role="status"></span></form>'
  )
}

function selectHtml({ findings }: DriftReport, by: 'kind' | 'scope', label: string): string {
  const options = [...new Set(findings.map((one): string => one[by]))].sort().map((one) => {
    const value = escapeHtmlText(one)
    return `<option value="${value}">${one === '*' ? 'all requests' : value}</option>`
  })
  return `<select id="${by}" aria-label="${by}"><option value="">${label}</option>${options.join('')}</select>`
}

/**
 * Sections by group; accepted findings come last.
 * @param prefix of element ids
 * @param share of a page's bytes that these findings may take
 */
export function findingsHtml(report: DriftReport, prefix = '', share = 1): string {
  const size = { bytes: 0, leftOut: 0 }
  const cardWithinLimit = (finding: Finding): string => {
    const html = findingCard(finding, cardStyleOf(finding, size.bytes / share), prefix)
    if (size.bytes + html.length > maxLineBytes * share) size.leftOut += 1
    else size.bytes += html.length
    return size.bytes > 0 && size.leftOut > 0 ? '' : html
  }
  const sections = [...causesByGroup(report)].map(([group, causes]) => {
    const head = `<h2 id="${prefix}group-${group}"><i></i>${escapeHtmlText(severitySigns[group])} ${group} ${causes.length} <small>${severityMeanings[group]}</small></h2>`
    return `<section class="${group}" data-section="${group}">${head}${causes.map((one) => causeHtml(one, cardWithinLimit)).join('')}</section>`
  })
  const accepted = report.findings.filter((one) => one.accepted !== undefined)
  if (accepted.length > 0) {
    sections.push(
      `<section class="noise" data-section="accepted"><h2><i></i>accepted ${accepted.length}</h2>${accepted.map(cardWithinLimit).join('')}</section>`,
    )
  }
  const leftOut =
    size.leftOut === 0
      ? ''
      : `<p class="remark">${plural(size.leftOut, 'finding')} left out to keep this file small: see the JSON report.</p>`
  return sections.join('') + leftOut
}

/** A heading with the cause above its findings, unless the one finding says it all. */
function causeHtml(cause: Cause, findingHtml: (finding: Finding) => string): string {
  const cards = cause.findings.map(findingHtml).join('')
  if (cause.findings.length === 1 && cause.known === undefined) return cards
  const text = `${causeText(cause)} · ${affectedRequestsText(cause)}`
  return `<h3>${escapeHtmlText(text)} <code>${cause.fingerprint}</code></h3>${cards}`
}

function cardStyleOf(finding: Finding, bytes: number): CardStyle {
  if (bytes > maxCardBytes) return 'line'
  return groupOf(finding) === 'breaking' && finding.accepted === undefined ? 'open' : 'folded'
}

/** A table of what was suppressed, and entries of committed files that had no effect. */
export function suppressedHtml(report: DriftReport): string {
  const rows = report.suppressed.map(
    ({ rule, kind, scope, place, count }) =>
      `<tr><td>${escapeHtmlText(rule)}</td><td><code>${kind}</code></td><td><code>${escapeHtmlText(scope)}</code></td><td><code>${escapeHtmlText(place)}</code></td><td>${timesText(count) || '×1'}</td></tr>`,
  )
  const total = report.suppressed.reduce((sum, { count }) => sum + count, 0)
  const noise =
    rows.length === 0
      ? ''
      : `<details class="quiet"><summary>${plural(total, 'difference')} suppressed as noise</summary><div class="scroll"><table><tr><th>rule</th><th>kind</th><th>where</th><th>place</th><th></th></tr>${rows.join('')}</table></div></details>`
  // The summary of the table says how much was suppressed.
  const lines = suppressedLines({ ...report, suppressed: [] })
  return noise + lines.map((line) => `<p class="remark">${escapeHtmlText(line)}</p>`).join('')
}
