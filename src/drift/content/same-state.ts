/** Whether a page, a revision, a row of a log or a value is the same on both sides, by what it says of itself. */
import {
  itemsOf,
  type JsonTree,
  memberOf,
  scalarTextOf
} from '../../recorder/json/json-tree.ts'
import { wordSet } from '../../recorder/text/words.ts'

/** Revisions and rows of logs never change; another number is another one. */
const numbers = ['revid', 'lastrevid', 'logid', 'rcid'] as const
/** Members that a change of the page or row changes. */
const signs = ['timestamp', 'touched', 'size', 'length'] as const
/** Set by those who hide a part of a revision or of a row. */
const hidings = [
  ...wordSet('userhidden commenthidden sha1hidden texthidden actionhidden suppressed')
]

/**
 * True if the item is in another state, false if a number or a hash shows that it is in the same, undefined if
 * nothing shows either.
 * @param renumbered the two wikis give the same revisions other numbers
 */
export function isTouched(
  a: JsonTree,
  b: JsonTree,
  renumbered: () => boolean
): boolean | undefined {
  if (hidings.some((name) => isHidden(a, name) !== isHidden(b, name))) return true
  const numbered = sameIn(a, b, numbers)
  // No page or entity has another revision, and was not touched.
  const isElsewhere = numbered === false && !renumbered()
  if (isElsewhere && sameIn(a, b, ['touched', 'modified'])) return false
  const isKnown = numbered === true || (numbered === false && !renumbered())
  const known = isKnown ? numbered : sameIn(a, b, ['sha1'])
  if (known !== undefined) return !known
  const newestA = newestOf(a)
  const newestB = newestOf(b)
  if (newestA && newestB) return isTouched(newestA, newestB, renumbered)
  return sameIn(a, b, signs) === false ? true : undefined
}

/** The text of a revision is hidden in its slots. */
const isHidden = (item: JsonTree, name: string) =>
  [item, ...itemsOf(memberOf(item, 'slots'))].some((one) => isSet(memberOf(one, name)))

/** A page's first revision: if the page says no number of its own, it says which page this is. */
export function newestOf(page: JsonTree): JsonTree | undefined {
  const revisions = memberOf(page, 'revisions')
  return revisions?.kind === 'array' ? revisions.items[0] : undefined
}

/** True if all members that both have are of one value; undefined if both have none. */
export function sameIn(
  a: JsonTree,
  b: JsonTree,
  names: readonly string[]
): boolean | undefined {
  const isSame = names.flatMap((name) => {
    const one = memberOf(a, name)
    const other = memberOf(b, name)
    return !one || !other || isNull(one) || isNull(other) ? [] : [isSameValue(one, other)]
  })
  return isSame.length === 0 ? undefined : !isSame.includes(false)
}

/** Compared by value: 5 and "5" are one number; a value and a list prove nothing. */
function isSameValue(a: JsonTree, b: JsonTree) {
  const one = scalarTextOf(a)
  const other = scalarTextOf(b)
  if (one !== undefined && other !== undefined) return one === other
  return one !== other || canonicalText(a) === canonicalText(b)
}

export const isNull = (tree: JsonTree): boolean =>
  tree.kind === 'literal' && tree.text === 'null'

/** True for a flag that says yes: present, and not false. */
export const isSet = (flag: JsonTree | undefined): boolean =>
  flag !== undefined && !(flag.kind === 'literal' && flag.text === 'false')

/** A flag says false by being absent, so its absence alone does not prove that it is gone. */
export const isFlag = (tree: JsonTree | undefined): boolean =>
  tree?.kind === 'string'
    ? tree.value === ''
    : tree?.kind === 'literal' && /^[tf]/.test(tree.text)

/**
 * One text for all encodings of one value (flags, maps and arrays, `*`, empty containers, member order): equal for values
 * that a client would call the same, whatever formatversion wrote them.
 */
export function canonicalText(tree: JsonTree): string {
  switch (tree.kind) {
    case 'string':
      return tree.value === '' ? 'true' : JSON.stringify(tree.value)
    case 'literal':
      return tree.text
    case 'array':
      return tree.items.length === 0 ? '{}' : `[${tree.items.map(canonicalText).join()}]`
    case 'object': {
      const star = memberOf(tree, '*')
      if (star && tree.members.length === 1) return canonicalText(star)
      const members = tree.members
        .filter(({ value }) => isSet(value))
        .map(({ key, value }) => `${JSON.stringify(key)}:${canonicalText(value)}`)
      return `{${members.sort().join()}}`
    }
  }
}

/** False for values that are often equal by chance: flags, small numbers, empty containers. */
export function isTelling(tree: JsonTree): boolean {
  if (tree.kind === 'string') return tree.value.length > 1
  if (tree.kind === 'literal') return Math.abs(Number(tree.text)) >= 10
  return tree.kind === 'array' ? tree.items.length > 0 : tree.members.length > 0
}
