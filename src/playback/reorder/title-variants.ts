/** Titles found in another variant (script) of the wiki's language: `converttitles`. Measured on 1.35 and 1.43 (test/live/variants.test.ts). */
import { itemsOf, type JsonTree, memberOf, textOf } from '../../json/json-tree.ts'

/** The title of the page that was found, and the entry of `converted` that names it. */
export interface TitleVariant {
  readonly title: string
  readonly entry: JsonTree
}

/** By the title that was sent; undefined where an entry of `converted` is not understood. */
export function variantsIn(converted: JsonTree | undefined): ReadonlyMap<string, TitleVariant> | undefined {
  const found = new Map<string, TitleVariant>()
  for (const entry of itemsOf(converted)) {
    const [from, title] = [textOf(memberOf(entry, 'from')), textOf(memberOf(entry, 'to'))]
    if (from === undefined || title === undefined) return undefined
    found.set(from, { title, entry })
  }
  return found
}

/** Titles as sent, with the titles of their pages. */
export const withVariants = (
  named: ReadonlyMap<string, string>,
  variants: ReadonlyMap<string, TitleVariant>,
): ReadonlyMap<string, string> =>
  new Map([...named].map(([given, title]) => [given, variants.get(title)?.title ?? title]))
