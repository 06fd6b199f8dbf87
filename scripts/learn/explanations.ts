/** What each part of the continue values of a listing says, as all boundaries of all its walks allow. */
import { membersOf, textOf } from '../../src/recorder/json/json-tree.ts'
import { type Boundary, partsOf } from '../../src/recorder/paging/rules/continue-rule.ts'
import {
  type Explanation,
  explainedText,
  valueSpellings
} from '../../src/recorder/paging/rules/explanation.ts'

/** A boundary, and how many rows lie before it. */
export interface CountedBoundary extends Boundary {
  readonly before: number
}

/**
 * The parts in the words of the facts, each in every wording that the walks allow; `?` alone where the values do not have one number of parts.
 * @param listings the boundaries of each listing
 * @param ofOnePage whether a generator takes its rows from one page
 * @param sent values of the requests: what a value repeats of them is no text of its own
 */
export function partsAsSaid(
  listings: readonly (readonly CountedBoundary[])[],
  ofOnePage: boolean,
  sent: ReadonlySet<string>
): readonly (readonly string[])[] {
  const boundaries = listings.flat()
  if (
    boundaries.every(({ value, before }) => partsOf(value).join('|') === String(before))
  )
    return [['#']]
  const widths = new Set(boundaries.map(({ value }) => partsOf(value).length))
  const [width, other] = widths
  if (width === undefined || other !== undefined) return [['?']]
  return Array.from({ length: width }, (_, at) => part(listings, at, ofOnePage, sent))
}

function part(
  listings: readonly (readonly Boundary[])[],
  at: number,
  ofOnePage: boolean,
  sent: ReadonlySet<string>
): readonly string[] {
  const boundaries = listings.flat()
  const candidates = [
    ...new Map(
      boundaries.flatMap(candidatesOf).map((one) => [JSON.stringify(one), one])
    ).values()
  ]
  const left = candidates.filter((one) => holds(one, boundaries, at))
  const shown = (one: Explanation): number =>
    boundaries.filter(({ row: subject }) => explainedText(one, subject) !== undefined)
      .length
  const most = Math.max(...left.map(shown))
  const best = left.filter((one) => shown(one) === most).sort((a, b) => rank(a) - rank(b))
  if (best.length > 0) return best.map(written)
  const texts = new Set(boundaries.map(({ value }) => partsOf(value)[at] ?? ''))
  const [text] = texts
  // A number that is the same everywhere is an id that chance kept.
  if (text !== undefined && texts.size === 1 && /^[a-z]+$/.test(text) && !sent.has(text))
    return [`'${text}'`]
  return [hidden(listings, at, ofOnePage)]
}

/** Each member once, in the spelling that comes first; all of them where the walks tell no more. */
export function saidAs(alternatives: readonly string[]): string {
  const members = new Map(
    alternatives.toReversed().map((one) => [one.split(':')[0], one])
  )
  return [...members.values()].toReversed().join('&')
}

/** Fewer rows than these that show a member prove nothing of it. */
const fewest = 3

/** True where no row contradicts; rows that lack the member (another `prop` was asked for) say nothing. */
function holds(one: Explanation, boundaries: readonly Boundary[], at: number): boolean {
  const said = boundaries.map(
    ({ value, row: subject }) =>
      [explainedText(one, subject), partsOf(value)[at]] as const
  )
  const shown = said.filter(([told]) => told !== undefined)
  return (
    shown.length >= Math.min(fewest, said.length) &&
    shown.every(([told, part]) => told === part)
  )
}

function candidatesOf({ row: subject }: Boundary): readonly Explanation[] {
  const named = (['item', 'page'] as const).flatMap((of) =>
    membersOf(subject[of]).flatMap(({ key: name }) =>
      valueSpellings
        // On wikis made at once the actors' ids are the users'; from 1.33 on the values name actors.
        .filter((as) => (as !== 'category-type' || name === 'ns') && name !== 'userid')
        .map((as): Explanation => ({ kind: 'member', owner: of, name, spelling: as }))
    )
  )
  const itself = textOf(subject.item) === undefined ? [] : valueSpellings
  return [
    ...named,
    ...itself.map(
      (as): Explanation => ({ kind: 'member', owner: 'item', name: '', spelling: as })
    )
  ]
}

const titles: ReadonlySet<string> = new Set(['title', '*', 'category', ''])

/** What a reader of MediaWiki's source would expect comes first. */
function rank(one: Explanation): number {
  if (one.kind !== 'member') return 1000
  const spelled = {
    'db-key-without-namespace': 0,
    'db-key': 1,
    'digits-of-time': 2,
    itself: 3,
    'category-type': 4
  }
  const name = titles.has(one.name)
    ? spelled[one.spelling]
    : one.spelling === 'itself'
      ? 0
      : 5 + spelled[one.spelling]
  // Titles without their namespace are titles of pages: other texts are keys as they stand.
  const odd = one.spelling === 'db-key-without-namespace' && one.name !== 'title' ? 20 : 0
  return name + odd + (one.owner === 'page' ? (one.name === 'pageid' ? -1 : 10) : 0)
}

const written = (one: Explanation): string => {
  if (one.kind !== 'member') return '?'
  const name = `${one.owner === 'page' ? 'page.' : ''}${one.name}`
  return one.spelling === 'itself' ? name : `${name}:${one.spelling}`
}

type Listings = readonly (readonly Boundary[])[]

/** Of a part that no row shows: what it is the same for. */
function hidden(listings: Listings, at: number, ofOnePage: boolean): string {
  const alike = listings.every(
    (one) => new Set(one.map(({ value }) => partsOf(value)[at])).size <= 1
  )
  if (ofOnePage && alike && listings.some((one) => one.length > 2)) return '?titles'
  for (const [of, name] of sharing)
    if (
      listings.every((one) => follows(one, at, of, name)) &&
      listings.some((one) => repeats(one, of, name))
    )
      return `?${of === 'page' ? 'page.' : ''}${name}`
  return '?'
}

const sharing = [
  ['item', 'user'],
  ['item', 'name'],
  ['item', 'title'],
  ['page', 'title']
] as const

const memberText = (
  { row: subject }: Boundary,
  of: 'item' | 'page',
  name: string
): string | undefined =>
  textOf(membersOf(subject[of]).find(({ key }) => key === name)?.value)

/** True where rows of one member's value have one part, and those of another another. */
function follows(
  boundaries: readonly Boundary[],
  at: number,
  of: 'item' | 'page',
  name: string
): boolean {
  const there = new Map<string, string>()
  const back = new Map<string, string>()
  for (const boundary of boundaries) {
    const text = memberText(boundary, of, name)
    const value = partsOf(boundary.value)[at] ?? ''
    if (
      text === undefined ||
      (there.get(text) ?? value) !== value ||
      (back.get(value) ?? text) !== text
    )
      return false
    there.set(text, value)
    back.set(value, text)
  }
  return true
}

function repeats(
  boundaries: readonly Boundary[],
  of: 'item' | 'page',
  name: string
): boolean {
  const texts = boundaries.map((one) => memberText(one, of, name))
  return new Set(texts).size < texts.length
}
