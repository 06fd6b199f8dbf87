/**
 * Why findings are there, as a text: findings of one reason are one cause. A reason is a change of a release, a name
 * that ended (a parameter, a module), or one change of the same words wherever it shows.
 */
import { memberAt, textOf } from '../../json/json-tree.ts'
import { wordSet } from '../../text/word-set.ts'
import { type Finding, lastStep } from './finding.ts'

/** The reason of each finding of a comparison. */
export function reasonsOf(findings: readonly Finding[]): ReadonlyMap<Finding, string> {
  const facts = factsOf(findings)
  const own = new Map(findings.map((one) => [one, ownReason(one, facts)]))
  const unreleased = new Set(findings.flatMap((one) => (one.known === undefined ? (own.get(one) ?? []) : [])))
  return new Map(
    findings.map((one) => {
      const [{ axis, known }, reason] = [one, own.get(one) ?? '']
      // A release does not explain what shows likewise where it changed nothing; words of a set come and go one by one.
      const isShared = unreleased.has(reason) && !reason.startsWith('closed set')
      const isKnown = known !== undefined && axis !== 'data' && !isShared
      return [one, isKnown ? `known ${known.since} ${known.what}` : reason]
    }),
  )
}

/** What a finding cannot know by itself. */
interface ReasonFacts {
  /** Modules and values that B no longer understands. */
  readonly endedNames: ReadonlySet<string>
  /** Changes that several parameters have alike. */
  readonly sharedChanges: ReadonlySet<string>
  /** Why batches end elsewhere: the change of a limit that recorded requests rely on. */
  readonly limitReason: string | undefined
}

function factsOf(findings: readonly Finding[]): ReasonFacts {
  const params = findings.filter(isOfParameter)
  const seen = new Map<string, string>()
  const sharedChanges = new Set<string>()
  for (const one of params) {
    const change = paramChange(one)
    if (one.extent !== '' && (seen.get(change) ?? one.place) !== one.place) sharedChanges.add(change)
    seen.set(change, one.place)
  }
  const limit = params.find(
    ({ kind, place, requests }) =>
      /^param\.(?:default|limit)-/.test(kind) && place.endsWith('limit') && requests.length > 0,
  )
  return {
    endedNames: new Set(findings.flatMap((one) => endedName(one) ?? [])),
    sharedChanges,
    limitReason: limit && paramReason(limit, sharedChanges),
  }
}

function ownReason(one: Finding, { endedNames, sharedChanges, limitReason }: ReasonFacts): string {
  const { axis, kind, place, fingerprint } = one
  // One place may be behaviour in one answer, and in another the edit of its page.
  if (axis === 'data') return `data ${fingerprint}`
  const name = endedName(one) ?? nameOf(one)
  if (endedNames.has(name)) return `name ${name}`
  if (isOfParameter(one)) return paramReason(one, sharedChanges)
  const parameter = warnedParameter(one)
  if (parameter !== undefined) return `parameter ${parameter}`
  if (kind === 'continuation.batch' && limitReason !== undefined) return limitReason
  const family = memberKinds.test(kind) ? familyIn(place) : undefined
  if (family !== undefined) return `fields ${family}`
  const rule = rules.find(([kinds]) => kinds.test(kind))
  return rule === undefined ? fingerprint : `${rule[1]} ${rule[2](one)} ${unusedMark(one)}`.trim()
}

/** What came, went, or is deprecated. */
const nameOf = ({ kind, place, extent }: Finding): string =>
  kind.startsWith('param.value') ? extent : kind.startsWith('field.') ? fieldIn(place) : ''

const isOfParameter = ({ axis, kind }: Finding): boolean => axis === 'contract' && kind.startsWith('param.')
/** What no request uses is a cause of its own. */
const unusedMark = ({ axis, severity }: Finding): string =>
  axis === 'contract' && severity === 'note' ? 'unused' : ''
const paramChange = (one: Finding): string => `${one.kind} ${one.extent} ${unusedMark(one)}`.trim()

function paramReason(one: Finding, sharedChanges: ReadonlySet<string>): string {
  const change = paramChange(one)
  return sharedChanges.has(change)
    ? change
    : `parameter ${one.place.replace(/\[\*\]$/, '')} ${unusedMark(one)}`.trim()
}

/** The parameter that a warning speaks of. */
const warnedParameter = (one: Finding): string | undefined =>
  /parameters?:? ["']?([a-z][\w-]*)["']?\.?$/i.exec(warningText(one))?.[1]

/** The module that ended, or the value that a warning says is not understood, or deprecated. */
const endedName = (one: Finding): string | undefined =>
  one.kind === 'module.removed'
    ? /[^+]*$/.exec(one.scope)?.[0]
    : /^(?:unrecognized values? .*: "?|the value ")([a-z][\w-]*)"?(?:\.?$| .*deprecated)/i.exec(
        warningText(one),
      )?.[1]

const warningText = ({ kind, samples: [sample] }: Finding): string =>
  /^(?:warning|deprecation)\.appeared$/.test(kind) ? (textOf(sample?.after) ?? '') : ''

/** `comment` of `query.pages[*].revisions[*].comment`; of `parse.text.*` the text. */
const fieldIn = (place: string): string => lastStep(place.replace(/\.\*$/, '')).replace(/\[\*\]$/, '')

/** Fields that say one thing together: who did it, why, how titles begin, in which language. */
const families = [
  'user userid anon temp',
  'comment parsedcomment',
  'case capitallinks',
  'lang pagelanguage pagelanguagehtmlcode pagelanguagedir',
].map(wordSet)
const familyIn = (place: string): string | undefined => {
  const field = fieldIn(place).replace(/^(?:from|to)(?=.)/, '')
  const family = families.find((one) => one.has(field))
  return family && [...family].join(' ')
}

/** Kinds of changes of one member. */
const memberKinds = /^(?:field\.(?!renamed|moved)|value\.changed)/

/** The same words became the same words in many fields; numbers and flags do so by chance. */
function valueReason({ extent, place }: Finding): string {
  if (/\p{L}{2}/u.test(extent) && extent.includes('→') && !/\b(?:true|false)\b/.test(extent)) return extent
  return fieldIn(place)
}

/** Tags by name and classes, or what changed of their attributes. */
const markupReason = ({ extent, place }: Finding): string => (/[-+→]/.test(extent) ? extent : fieldIn(place))

const isReversed = ({ samples }: Finding): boolean =>
  samples.every(({ note }) => {
    const [moved, all] = note.split(' of ').map(Number.parseFloat)
    return moved !== undefined && all !== undefined && moved > 0 && moved === all - 1
  })

/** The parts of a continue value that are gone and new, wherever in it. */
function shapeReason({ extent }: Finding): string {
  const [before = [], after = []] = extent.split(' → ').map((one) => one.split('|'))
  const less = (all: readonly string[], others: readonly string[]): readonly string[] => {
    const left = [...others]
    return all.filter((part) => {
      const at = left.indexOf(part)
      if (at >= 0) left.splice(at, 1)
      return at < 0
    })
  }
  return `${less(before, after).join('|')} → ${less(after, before).join('|')}`
}

/** Codes such as `badvalue` have many reasons, which only the text tells. */
function errorReason({ kind, extent, samples: [sample] }: Finding): string {
  const tree = sample?.before ?? sample?.after
  const text = textOf(memberAt(tree, 'info')) ?? ''
  return `${kind} ${extent} ${text.replace(/\d+/g, 'N')}`
}

const fieldOf = ({ place }: Finding): string => fieldIn(place)
const extentOf = ({ extent }: Finding): string => extent
const none = (): string => ''

/** The reason of all that a wiki configures for itself. */
export const configurationReason = 'configuration'

/** What is one change, by kind. */
const rules: readonly (readonly [kinds: RegExp, name: string, about: (one: Finding) => string])[] = [
  [/^(?:status|content-type)\.changed$/, 'transport', ({ kind, extent }) => `${kind} ${extent}`],
  [/^(?:configuration|extension)\./, configurationReason, none],
  [/^cookie\./, 'cookies', none],
  [/^header\./, 'header', ({ place }) => place],
  [/^error\.(?:code-changed|envelope)$/, 'error codes', none],
  [/^(?:error|auth|method)\./, 'error', errorReason],
  [/^(?:warning|deprecation)\./, 'warning', extentOf],
  [/^continuation\.value-shape$/, 'continue values', shapeReason],
  [/^(?:continuation|interaction|encoding)\./, 'everywhere', ({ kind }) => kind],
  [/^field\.(?:removed|became-optional)$/, 'field gone', fieldOf],
  [/^field\.(?:added|became-present)$/, 'field new', fieldOf],
  [/^field\.(?:nullable|non-null)$/, 'null', fieldOf],
  [/^field\.(?:renamed|moved)$/, 'name', extentOf],
  [/^(?:type\.changed|value\.format)$/, 'form', extentOf],
  [/^(?:enum)\./, 'closed set', fieldOf],
  [/^order\.changed$/, 'order', (one) => (isReversed(one) ? 'reversed' : fieldIn(one.place))],
  [/^html\.structure$/, 'markup', markupReason],
  [/^value\.changed$/, 'value', valueReason],
  [/^(?:items|text)\./, 'content', ({ kind, place }) => `${kind} ${fieldIn(place)}`],
  [/^module\.right/, 'right', ({ kind, extent }) => `${kind} ${extent}`],
]
