/** The report as one HTML file: readable without script or network, with filters by script. */

import { plural } from '../../../recorder/text/words.ts'
import { acceptedCausesOf, type Cause } from '../../findings/cause.ts'
import type { DriftReport } from '../../findings/drift-report.ts'
import type { Finding } from '../../findings/finding.ts'
import {
  answerText,
  causesByGroup,
  driftCounts,
  verdict,
  worstGroup
} from '../drift-counts.ts'
import {
  causeText,
  comparedText,
  inRequestsText,
  severityStyles,
  sideText,
  suppressedLines,
  timesText,
  totalOf
} from '../labels.ts'
import { escapeHtmlText, type FindingSection, findingCard } from './html-finding.ts'
import { htmlPage } from './html-page.ts'

/** Bytes of cards after which a cause's further findings have no body, after which none has, and after which all are only counted. */
const maxRowBytes = 250_000
const maxCardBytes = 380_000
const maxLineBytes = 440_000

export function htmlReport(report: DriftReport): string {
  const main = filterBar(report) + findingsHtml(report) + suppressedHtml(report)
  return htmlPage({
    title: `wikitape: ${verdict(report)}`,
    tone: worstGroup(report) ?? 'additive',
    head: headHtml(report),
    main
  })
}

function headHtml(report: DriftReport) {
  const side = (letter: string, text: string) => {
    const [name = '', ...rest] = text.split(' · ')
    return `<div><b>${letter} · ${escapeHtmlText(name)}</b><span>${escapeHtmlText(rest.join(' · '))}</span></div>`
  }
  return (
    `<h1>${escapeHtmlText(verdict(report))}</h1><p>${escapeHtmlText(answerText(report))}</p>` +
    `<div class="sides">${side('A', sideText(report.a))}${side('B', sideText(report.b))}</div>` +
    `<p class="meta">${comparedText(report)}</p>${remarksHtml(report)}`
  )
}

export const remarksHtml = ({ remarks }: DriftReport): string =>
  remarks
    .map(({ text, fatal }) => remarkHtml(text, fatal ? 'remark fatal' : 'remark'))
    .join('')

const remarkHtml = (text: string, className = 'remark') =>
  `<p class="${className}">${escapeHtmlText(text)}</p>`

function filterBar(report: DriftReport) {
  const { open, accepted } = driftCounts(report)
  const counts: [FindingSection, number][] = [...open]
  if (accepted > 0) counts.push(['accepted', accepted])
  if (counts.length === 0) return ''
  const boxes = counts.map(
    ([section, count]) =>
      `<label class="chip ${section}" title="${sectionMeaning(section)}"><input type="checkbox" data-group="${section}" checked><i></i><b>${count}</b> ${section}</label>`
  )
  return (
    `<form class="bar js-only" role="search">${boxes.join('')}` +
    selectHtml(report, 'kind', 'every kind') +
    selectHtml(report, 'scope', 'every request and module') +
    '<input type="search" id="search" placeholder="search ( / )" aria-label="search findings"><span id="shown" class="meta" role="status"></span></form>'
  )
}

const sectionMeaning = (section: FindingSection) =>
  section === 'accepted'
    ? 'a person agreed to it, with a reason'
    : severityStyles[section].meaning

function selectHtml({ findings }: DriftReport, by: 'kind' | 'scope', label: string) {
  const options = [...new Set(findings.map((one) => one[by]))].sort().map((one) => {
    const value = escapeHtmlText(one)
    return `<option value="${value}">${one === '*' ? 'all requests' : value}</option>`
  })
  return `<select id="${by}" aria-label="${by}"><option value="">${label}</option>${options.join('')}</select>`
}

/** Sections by group, accepted ones last. @param prefix of element ids. @param share of a page's bytes for these */
export function findingsHtml(report: DriftReport, prefix = '', share = 1): string {
  const size = { bytes: 0, leftOut: 0 }
  const cardWithinLimit = (
    finding: Finding,
    section: FindingSection,
    isFirst: boolean
  ) => {
    const style = cardStyleOf(section, isFirst, size.bytes / share)
    const html = findingCard(finding, section, style, prefix)
    if (size.bytes + html.length > maxLineBytes * share) size.leftOut += 1
    else size.bytes += html.length
    return size.bytes > 0 && size.leftOut > 0 ? '' : html
  }
  /** A heading with the cause above its findings, unless the one finding says it all. */
  const causeHtml = (cause: Cause, section: FindingSection) => {
    const cards = cause.findings
      .map((one, at) => cardWithinLimit(one, section, at === 0))
      .join('')
    const { findings, knownChange, traffic, fingerprint } = cause
    const text = `${causeText(cause)} · ${inRequestsText(cause)}`
    const isBare = findings.length === 1 && !knownChange && !traffic
    const head = isBare
      ? ''
      : `<h3>${escapeHtmlText(text)} <code>${fingerprint}</code></h3>`
    return cards === '' ? '' : `<div class="cause">${head}${cards}</div>`
  }
  const groups: [FindingSection, readonly Cause[]][] = [...causesByGroup(report)]
  const accepted = acceptedCausesOf(report.findings)
  if (accepted.length > 0) groups.push(['accepted', accepted])
  const sections = groups.map(([section, causes]) => {
    const sign =
      section === 'accepted' ? '' : `${escapeHtmlText(severityStyles[section].sign)} `
    const head = `<h2 id="${prefix}group-${section}"><i></i>${sign}${section} ${causes.length} <small>${sectionMeaning(section)}</small></h2>`
    const cards = causes.map((one) => causeHtml(one, section))
    return `<section class="${section}" data-section="${section}">${head}${cards.join('')}</section>`
  })
  const leftOut = `${plural(size.leftOut, 'finding')} left out to keep this file small: see the JSON report.`
  return sections.join('') + (size.leftOut === 0 ? '' : remarkHtml(leftOut))
}

/** A cause's first finding is a card, the others are rows. */
function cardStyleOf(section: FindingSection, isFirst: boolean, bytes: number) {
  if (bytes > (isFirst ? maxCardBytes : maxRowBytes)) return 'line'
  if (!isFirst) return 'row'
  return section === 'breaking' ? 'open' : 'folded'
}

/** A table of what was suppressed, and entries of committed files that had no effect. */
export function suppressedHtml(report: DriftReport): string {
  const rows = report.suppressed.map(
    ({ rule, kind, scope, place, count }) =>
      `<tr><td>${escapeHtmlText(rule)}</td><td><code>${kind}</code></td><td><code>${escapeHtmlText(scope)}</code></td><td><code>${escapeHtmlText(place)}</code></td><td>${timesText(count) || '×1'}</td></tr>`
  )
  const total = totalOf(report.suppressed)
  const noise =
    rows.length === 0
      ? ''
      : `<details class="quiet"><summary>${plural(total, 'difference')} suppressed as noise</summary><div class="scroll"><table><tr><th>rule</th><th>kind</th><th>where</th><th>place</th><th></th></tr>${rows.join('')}</table></div></details>`
  // The summary of the table says how much was suppressed.
  const lines = suppressedLines({ ...report, suppressed: [] })
  return noise + lines.map((line) => remarkHtml(line)).join('')
}
