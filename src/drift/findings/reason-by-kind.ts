/** What makes findings of one kind one change: the same words, the same field, or the kind alone. */
import { itemsOf, type JsonTree, textAt, textOf } from '../../recorder/json/json-tree.ts'
import { groupBy, subtractItems } from '../../recorder/text/group-by.ts'
import { familyOf, hasTrait, type Kind, kinds } from '../changes/kinds.ts'
import { lexicalClassOf } from '../trees/value-classes.ts'
import { type Finding, lastStep } from './finding.ts'

/** What no request uses is a cause of its own. */
const unusedMark = ({ axis, severity }: Finding) =>
  axis === 'contract' && severity === 'note' ? 'unused' : ''

/** `comment` of `query.pages[*].revisions[*].comment`; of `parse.text.*` the text, of `compare.*` the body. */
export const fieldIn = (place: string): string =>
  place === 'compare.*'
    ? 'body'
    : lastStep(place.replace(/\.\*$/, '')).replace(/\[\*\]$/, '')

/** Fields that say one thing together: who did it, why, how titles begin, in which language. */
const families = [
  'user userid anon temp',
  'comment parsedcomment',
  'case capitallinks',
  'csrftoken logintoken createaccounttoken patroltoken rollbacktoken userrightstoken watchtoken',
  'batchcomplete',
  'revid',
  'lang pagelanguage pagelanguagehtmlcode pagelanguagedir'
]
const familyIn = (place: string) => {
  const field = fieldIn(place).replace(/^(?:from|to)(?=.)/, '')
  return families.find((one) => one.split(' ').includes(field))
}

/** Words that became other words do so in many fields; numbers and flags do so by chance. */
export const isWording = ({ extent, turns }: Finding): boolean =>
  turns.length > 0 &&
  /\p{L}{2}/u.test(extent) &&
  !/\b(?:true|false|[0-9a-f]{32,})\b/i.test(extent)

function valueReason(one: Finding) {
  const [sample] = one.samples
  const before = textOf(sample?.before) ?? ''
  const after = textOf(sample?.after) ?? ''
  if (spelled(before) === spelled(after) && before !== '') return 'spelling'
  if ([before, after].every((text) => lexicalClassOf(text) === 'ISO timestamp'))
    return 'time'
  return isWording(one) ? one.extent : fieldIn(one.place)
}

/** The text, whichever Unicode form and ends of lines it has. */
const spelled = (text: string) => text.normalize().replaceAll('\r', '')

/** Rows of listings that are missing or new, and batches of another size. */
export const isOfRows = (kind: Kind): boolean => kinds[kind].reason === 'rows'

/** The parts of a continue value that are gone and new, wherever in it. */
function shapeReason({ turns: [turn], extent }: Finding) {
  if (!turn) return extent

  // Titles are written in several ways.
  const parts = (text: string) =>
    text.replace(/\b(?:DB key|title|text)\b/g, 'name').split('|')
  const before = parts(turn.from)
  const after = parts(turn.to)
  const less = (all: readonly string[], others: readonly string[]) =>
    [...new Set(subtractItems(all, others, String))].join('|')
  return `${less(before, after)} → ${less(after, before)}`
}

/** The object into which, or out of which, fields moved. */
function moveReason({ place, turns }: Finding) {
  const parents = [place, turns.at(-1)?.to ?? ''].map((one) =>
    one.replace(/\.?[^.]*$/, '')
  )
  return fieldIn(
    parents.sort((a, b) => a.split('.').length - b.split('.').length).at(-1) ?? ''
  )
}

/** Codes such as `badvalue` have many reasons, which only the text tells. */
function errorReason({ kind, extent, samples: [sample] }: Finding) {
  const text = textAt(sample?.before ?? sample?.after, 'info') ?? ''
  return `${kind} ${extent} ${text.replace(/\d+/g, 'N')}`
}

/** What a thumbnail is said by comes and goes together. */
const fieldReason = ({ place }: Finding) => fieldIn(place).replace(/^thumb.*/, 'thumb')
/** PHP writes what is empty in many ways. */
const nullReason = (one: Finding) =>
  one.samples.every(({ before, after }) => isEmpty(before) || isEmpty(after))
    ? 'empty'
    : fieldReason(one)
const isEmpty = (tree: JsonTree | undefined) =>
  tree !== undefined && /^(?:array|object)$/.test(tree.kind) && itemsOf(tree).length === 0

/** A number is a key, of which a map has many. */
const keyReason = ({ extent, place, turns: [turn] }: Finding) =>
  [turn?.from, turn?.to].some((name) => /^-?\d+$/.test(name ?? ''))
    ? `keys of ${fieldIn(place.replace(/\.[^.]*$/, ''))}`
    : extent
/** The reason of all that a wiki configures for itself. */
export const configurationReason = 'configuration'

/** What the details of `kinds-of-changes.json` name. */
const parts: Readonly<Record<string, (one: Finding) => string>> = {
  kind: ({ kind }) => kind,
  extent: ({ extent }) => extent,
  place: ({ place }) => place,
  field: ({ place }) => fieldIn(place),
  member: fieldReason,
  error: errorReason,
  parts: shapeReason,
  empty: nullReason,
  key: keyReason,
  parent: moveReason,
  value: valueReason
}

/** The reason that a finding shows by itself; undefined if it is one of its own. */
export function reasonByKind(one: Finding): string | undefined {
  if (one.kind === 'type.changed' && one.place === '') return 'form whole'
  if (one.kind === 'value.changed' && /^continue\.|\b(?:pageid|title)$/.test(one.place)) {
    const detail = valueReason(one)
    return detail === 'spelling' ? `value ${detail}` : 'rows'
  }
  const family = hasTrait(one.kind, 'member') ? familyIn(one.place) : undefined
  if (family !== undefined) return `fields ${family}`

  const { reason, detail = '' } = kinds[one.kind]
  const distinguished = detail.replace(
    /\{(\w+)\}/g,
    (_, name) => parts[name]?.(one) ?? ''
  )
  return reason && `${reason} ${distinguished} ${unusedMark(one)}`.trim()
}

type ParamReasons = ReadonlyMap<Finding, string>

/** What came, went, or is deprecated. */
export function nameOf({ kind, place, extent }: Finding): string {
  if (kind.startsWith('param.value')) return extent
  return familyOf(kind) === 'field' ? fieldIn(place) : ''
}

/** Routes share their parameters and members, which are sent in one and answered in another. */
const paramChange = (one: Finding) => {
  const isOfRoute = one.scope.includes(' /')
  const what = isOfRoute ? one.kind.replace(/^\w+\./, '') : one.kind
  return `${what} ${one.extent} ${isOfRoute ? '' : unusedMark(one)}`.trim()
}

const paramOf = ({ place }: Finding) => fieldIn(place.replace(/\[\*\]$/, ''))

/** Several parameters that change alike, or one of them; of that name in several modules, if all of it changes alike. */
export function paramReasonsOf(params: readonly Finding[]): ParamReasons {
  const places = groupBy(params, paramChange)
  const ofModule = groupBy(
    params,
    (one) => `${one.scope} ${paramOf(one)} ${unusedMark(one)}`
  )
  const reasons = [...ofModule.values()].flatMap((group) => {
    const own = `parameter ${paramOf(group[0])}: ${[...new Set(group.map(paramChange))].sort().join('; ')}`
    return group.map((one) => {
      const alike = places.get(paramChange(one)) ?? []
      const isShared = one.extent !== '' && alike.some(({ place }) => place !== one.place)
      return [one, isShared ? paramChange(one) : own] as const
    })
  })
  return new Map(reasons)
}

/** The reason of the name that a warning speaks of; that of its description if that changed, first for the same request. */
export function ignoredReason(one: Finding, reasons: ParamReasons): string | undefined {
  const ended = endedName(one)
  if (ended !== undefined) return `name ${ended}`
  const name = /parameters?:? ["']?([a-z][\w-]*)["']?\.?$/i.exec(warningText(one))?.[1]
  const keys = new Set(one.requests.map(({ key }) => key))
  const described = [...reasons].filter(([param]) => paramOf(param) === name)
  const ofRequest = described.find(([param]) =>
    param.requests.some(({ key }) => keys.has(key))
  )
  return (
    (ofRequest ?? described[0])?.[1] ??
    (name === undefined ? undefined : `parameter ${name}`)
  )
}

/** The module that ended, or the value that a warning says is not understood, or deprecated. */
export const endedName = (one: Finding): string | undefined =>
  one.kind === 'module.removed'
    ? /[^+]*$/.exec(one.scope)?.[0]
    : /^(?:unrecognized values? .*: "?|the value ")([a-z][\w-]*)"?(?:\.?$| .*deprecated)/i.exec(
        warningText(one)
      )?.[1]

const warningText = ({ kind, samples: [sample] }: Finding) =>
  kind === 'warning.appeared' || kind === 'deprecation.appeared'
    ? (textOf(sample?.after) ?? '')
    : ''
