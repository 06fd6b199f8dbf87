/** One finding as a card that unfolds: both sides, hint, requests. */

import type { JsonTree } from '../../../recorder/json/json-tree.ts'
import { writePretty } from '../../../recorder/json/write-json.ts'
import {
  escapeControls,
  truncateText
} from '../../../recorder/text/escape-control-characters.ts'
import { formatCount, plural } from '../../../recorder/text/words.ts'
import { escapeHtml } from '../../../recorder/wiki/answers/envelope.ts'
import type { Finding, Sample } from '../../findings/finding.ts'
import {
  groupOf,
  inRequestsText,
  placeName,
  requestText,
  type SeverityGroup,
  scopeName,
  severityStyles,
  timesText
} from '../labels.ts'
import { type DiffSegment, diffWords, excerpts } from '../word-diff.ts'

/** A `row` is a folded card of one line; a `line` is a row without a body, to keep a report small. */
type CardStyle = 'open' | 'folded' | 'row' | 'line'

/** The section in which a finding stands: that of its cause. */
export type FindingSection = SeverityGroup | 'accepted'

/** Characters of one value that are shown. */
const valueLimit = 3_000
const requestLimit = 20

/** @param prefix of element ids, for several reports on a page */
export function findingCard(
  finding: Finding,
  section: FindingSection,
  style: CardStyle,
  prefix = ''
): string {
  const group = groupOf(finding)
  const attributes = [
    `id="${prefix}${finding.fingerprint}"`,
    `class="finding ${group}${style === 'row' || style === 'line' ? ' row' : ''}"`,
    `data-in="${section}"`,
    `data-kind="${finding.kind}"`,
    `data-scope="${escapeHtmlText(finding.scope)}"`,
    `data-print="${finding.fingerprint}"`
  ]
  const body = style === 'line' ? '' : cardBody(finding, prefix)
  return `<article ${attributes.join(' ')}><details${style === 'open' ? ' open' : ''}>${cardSummary(finding, group)}${body}</details></article>\n`
}

/** Escapes for elements and attributes, and spells out hidden characters; line breaks stay. */
export const escapeHtmlText = (text: string): string =>
  escapeHtml(text.split('\n').map(escapeControls).join('\n')).replaceAll("'", '&#39;')

function cardSummary(finding: Finding, group: SeverityGroup) {
  const times = timesText(finding.count)
  const name = placeName(finding)
  const place = name === '' ? '' : ` · <code>${escapeHtmlText(name)}</code>`
  const hits = finding.requests.length === 0 ? '' : ` · ${inRequestsText(finding)}`
  return (
    `<summary><span class="t"><span class="sign" title="${group}">${escapeHtmlText(severityStyles[group].sign)}</span>${escapeHtmlText(truncateText(finding.title, 240))}</span>` +
    `<span class="n">${times === '' ? '' : `<b>${times}</b> · `}<code>${finding.kind}</code></span>` +
    `<span class="w"><code>${escapeHtmlText(scopeName(finding))}</code>${place}${hits}</span></summary>`
  )
}

function cardBody(finding: Finding, prefix: string) {
  const { hint, accepted, samples, count, fingerprint } = finding
  const parts = [
    accepted
      ? `<p class="hint"><b>Accepted</b> ${escapeHtmlText(accepted.reason)}${accepted.expires === undefined ? '' : ` (until ${escapeHtmlText(accepted.expires)})`}</p>`
      : '',
    hint === undefined ? '' : `<p class="hint"><b>Hint</b> ${escapeHtmlText(hint)}</p>`,
    samples.map((sample) => sampleHtml(sample, finding.title)).join(''),
    count > samples.length
      ? `<p class="meta">${samples.length} of ${formatCount(count)} shown</p>`
      : '',
    requestsHtml(finding),
    `<p class="links"><a href="#${prefix}${fingerprint}"><code>${fingerprint}</code></a>` +
      '<button type="button" class="js-only" data-do="copy">copy fingerprint</button>' +
      '<button type="button" class="js-only" data-do="tick">viewed</button></p>'
  ]
  return `<div class="body">${parts.join('')}</div>`
}

/** @param title of the finding; a note that it contains is not repeated */
function sampleHtml({ path, before, after, note }: Sample, title: string) {
  const head =
    path === ''
      ? ''
      : `<p class="path"><code>${escapeHtmlText(truncateText(path, 400))}</code></p>`
  const noteHtml = title.includes(note)
    ? ''
    : `<p class="meta">${escapeHtmlText(note)}</p>`
  if (!before && !after) return head + noteHtml
  const prose = isProse([before, after])
  const [a, b] = excerpts(shownValue(before, prose), shownValue(after, prose), valueLimit)
  const parts = before && after ? diffWords(a, b) : undefined
  const side = (
    letter: 'a' | 'b',
    segments: readonly DiffSegment[],
    isThere: boolean
  ) => {
    const content = segmentsHtml(segments, letter === 'a' ? 'del' : 'ins')
    return figure(letter, isThere ? content : undefined)
  }
  const sides =
    side('a', parts?.before ?? [{ text: a, changed: false }], before !== undefined) +
    side('b', parts?.after ?? [{ text: b, changed: false }], after !== undefined)
  return `${head}<div class="pair">${sides}</div>${noteHtml}`
}

const figure = (side: string, content: string | undefined) =>
  `<figure class="${content === undefined ? 'none' : side}"><figcaption>${side.toUpperCase()}</figcaption><pre>${content ?? 'absent'}</pre></figure>`

/** Prose strings without quotes; other values as JSON; empty for an absent value. */
function shownValue(tree: JsonTree | undefined, isProse: boolean) {
  if (!tree) return ''
  return isProse && tree.kind === 'string' ? tree.value : writePretty(tree)
}

/** Two strings, one of them long or of several lines: shown without quotes and escapes. */
const isProse = (values: readonly (JsonTree | undefined)[]) =>
  values.every(
    (one) => one === undefined || (one.kind === 'string' && one.value !== '')
  ) &&
  values.some(
    (one) => one?.kind === 'string' && (one.value.length > 40 || one.value.includes('\n'))
  )

const segmentsHtml = (segments: readonly DiffSegment[], tag: 'del' | 'ins') =>
  segments
    .map(({ text, changed }) =>
      changed ? `<${tag}>${escapeHtmlText(text)}</${tag}>` : escapeHtmlText(text)
    )
    .join('')

function requestsHtml({ requests }: Finding) {
  if (requests.length === 0) return ''
  const items = requests
    .slice(0, requestLimit)
    .map(
      (one) =>
        `<li><code>${escapeHtmlText(truncateText(requestText(one), 400))}</code></li>`
    )
    .join('')
  const more =
    requests.length > requestLimit
      ? `<li>and ${requests.length - requestLimit} more</li>`
      : ''
  return `<details class="asked"><summary>${plural(requests.length, 'request')}</summary><ul>${items}${more}</ul></details>`
}
