/** What makes findings of one kind one change: the same words, the same field, or the kind alone. */
import { memberAt, textOf } from '../../json/json-tree.ts'
import { groupBy, subtractItems } from '../../text/group-by.ts'
import type { Kind } from '../changes/kinds.ts'
import { type Finding, lastStep } from './finding.ts'

/** What no request uses is a cause of its own. */
export const unusedMark = ({ axis, severity }: Finding): string =>
  axis === 'contract' && severity === 'note' ? 'unused' : ''

/** `comment` of `query.pages[*].revisions[*].comment`; of `parse.text.*` the text, of `compare.*` the body. */
export const fieldIn = (place: string): string =>
  place === 'compare.*' ? 'body' : lastStep(place.replace(/\.\*$/, '')).replace(/\[\*\]$/, '')

/** Fields that say one thing together: who did it, why, how titles begin, in which language. */
const families = [
  'user userid anon temp',
  'comment parsedcomment',
  'case capitallinks',
  'lang pagelanguage pagelanguagehtmlcode pagelanguagedir',
]
const familyIn = (place: string): string | undefined => {
  const field = fieldIn(place).replace(/^(?:from|to)(?=.)/, '')
  return families.find((one) => one.split(' ').includes(field))
}

/** Kinds of changes of one member. */
const memberKinds = /^(?:field\.(?!renamed|moved)|value\.changed)/

/** The same words became the same words in many fields; numbers and flags do so by chance. */
export const isWording = (extent: string): boolean =>
  /\p{L}{2}/u.test(extent) && extent.includes('→') && !/\b(?:true|false)\b/.test(extent)
const valueReason = ({ extent, place }: Finding): string => (isWording(extent) ? extent : fieldIn(place))

/** Rows of listings that are missing or new, and batches of another size. */
const rowKinds = /^(?:items\.|continuation\.batch$)/
export const isOfRows = (kind: Kind): boolean => rowKinds.test(kind)

/** The parts of a continue value that are gone and new, wherever in it. */
function shapeReason({ extent }: Finding): string {
  const [before = [], after = []] = extent.split(' → ').map((one) => one.split('|'))
  const less = (all: readonly string[], others: readonly string[]): string =>
    [...new Set(subtractItems(all, others, String))].join('|')
  return `${less(before, after)} → ${less(after, before)}`
}

/** The object into which, or out of which, fields moved. */
function moveReason({ place, extent }: Finding): string {
  const parents = [place, extent.replace(/^→ /, '')].map((one) => one.replace(/\.?[^.]*$/, ''))
  return fieldIn(parents.sort((a, b) => a.split('.').length - b.split('.').length).at(-1) ?? '')
}

/** Codes such as `badvalue` have many reasons, which only the text tells. */
function errorReason({ kind, extent, samples: [sample] }: Finding): string {
  const tree = sample?.before ?? sample?.after
  const text = textOf(memberAt(tree, 'info')) ?? ''
  return `${kind} ${extent} ${text.replace(/\d+/g, 'N')}`
}

const fieldReason = ({ place }: Finding): string => fieldIn(place)
const extentOf = ({ extent }: Finding): string => extent
const none = (): string => ''

/** The reason of all that a wiki configures for itself. */
export const configurationReason = 'configuration'

/** What is one change, by kind. */
const rules: readonly (readonly [kinds: RegExp, name: string, about: (one: Finding) => string])[] = [
  [/^(?:status|content-type)\.changed$/, 'transport', ({ kind, extent }) => `${kind} ${extent}`],
  [/^(?:configuration|extension)\./, configurationReason, none],
  [/^answer\./, 'slower', none],
  [/^cookie\./, 'cookies', none],
  [/^header\./, 'header', ({ place }) => place],
  [/^error\.(?:code-changed|envelope)$/, 'error codes', none],
  [/^(?:error|auth|method)\./, 'error', errorReason],
  [/^(?:warning|deprecation)\./, 'warning', extentOf],
  [/^continuation\.value-shape$/, 'continue values', shapeReason],
  [rowKinds, 'rows', none],
  [/^(?:continuation|interaction|encoding)\./, 'everywhere', ({ kind }) => kind],
  [/^field\.(?:removed|became-optional)$/, 'field gone', fieldReason],
  [/^field\.(?:added|became-present)$/, 'field new', fieldReason],
  [/^field\.(?:nullable|non-null)$/, 'null', fieldReason],
  [/^field\.renamed$/, 'name', extentOf],
  [/^field\.moved$/, 'moved', moveReason],
  [/^(?:type\.changed|value\.format)$/, 'form', extentOf],
  [/^enum\./, 'closed set', fieldReason],
  [/^order\.changed$/, 'order', fieldReason],
  [/^html\.structure$/, 'markup', ({ extent, place }) => `${fieldIn(place)} ${extent}`],
  [/^value\.changed$/, 'value', valueReason],
  [/^text\./, 'text', ({ kind, place }) => `${kind} ${fieldIn(place)}`],
  [/^module\.right/, 'right', ({ kind, extent }) => `${kind} ${extent}`],
]

/** The reason that a finding shows by itself; undefined where it is one of its own. */
export function reasonByKind(one: Finding): string | undefined {
  const family = memberKinds.test(one.kind) ? familyIn(one.place) : undefined
  if (family !== undefined) return `fields ${family}`
  const rule = rules.find(([kinds]) => kinds.test(one.kind))
  return rule && `${rule[1]} ${rule[2](one)} ${unusedMark(one)}`.trim()
}

type ParamReasons = ReadonlyMap<Finding, string>

/** What came, went, or is deprecated. */
export const nameOf = ({ kind, place, extent }: Finding): string =>
  kind.startsWith('param.value') ? extent : kind.startsWith('field.') ? fieldIn(place) : ''

const paramChange = (one: Finding): string => `${one.kind} ${one.extent} ${unusedMark(one)}`.trim()

const paramOf = ({ place }: Finding): string => place.replace(/\[\*\]$/, '')

/** Several parameters that change alike, or one of them; of that name in several modules, where all of it changes alike. */
export function paramReasonsOf(params: readonly Finding[]): ParamReasons {
  const places = groupBy(params, paramChange)
  const ofModule = groupBy(params, (one) => `${one.scope} ${paramOf(one)} ${unusedMark(one)}`)
  const reasons = [...ofModule.values()].flatMap((group) => {
    const own = `parameter ${paramOf(group[0])}: ${group.map(paramChange).sort().join('; ')}`
    return group.map((one) => {
      const alike = places.get(paramChange(one)) ?? []
      const isShared = one.extent !== '' && alike.some(({ place }) => place !== one.place)
      return [one, isShared ? paramChange(one) : own] as const
    })
  })
  return new Map(reasons)
}

/** The reason of the name that a warning speaks of; that of its description where that changed, first for the same request. */
export function ignoredReason(one: Finding, reasons: ParamReasons): string | undefined {
  const ended = endedName(one)
  if (ended !== undefined) return `name ${ended}`
  const name = /parameters?:? ["']?([a-z][\w-]*)["']?\.?$/i.exec(warningText(one))?.[1]
  const keys = new Set(one.requests.map(({ key }) => key))
  const described = [...reasons].filter(([param]) => paramOf(param) === name)
  const ofRequest = described.find(([param]) => param.requests.some(({ key }) => keys.has(key)))
  return (ofRequest ?? described[0])?.[1] ?? (name === undefined ? undefined : `parameter ${name}`)
}

/** The module that ended, or the value that a warning says is not understood, or deprecated. */
export const endedName = (one: Finding): string | undefined =>
  one.kind === 'module.removed'
    ? /[^+]*$/.exec(one.scope)?.[0]
    : /^(?:unrecognized values? .*: "?|the value ")([a-z][\w-]*)"?(?:\.?$| .*deprecated)/i.exec(
        warningText(one),
      )?.[1]

const warningText = ({ kind, samples: [sample] }: Finding): string =>
  /^(?:warning|deprecation)\.appeared$/.test(kind) ? (textOf(sample?.after) ?? '') : ''
