/**
 * Special pages by their names in every language: those of MediaWiki's message files (data/special-pages.json), and those
 * that the wiki itself has (`specialpagealiases`).
 */
import { isPlainObject, plainText, plainTexts } from '../../json/plain-json.ts'
import { dataFile } from '../../knowledge/data-file.ts'
import { decodeQuery } from '../../text/percent-decoding.ts'

/** What a wiki says of its special pages. */
interface PageNamesOfWiki {
  readonly namespaces: readonly {
    readonly id: number
    readonly name: string
    readonly aliases: readonly string[]
  }[]
  /** English names by those, in lower case, that only this wiki has for them. */
  readonly specialPages?: ReadonlyMap<string, string>
}

interface NamesOfPages {
  readonly namespaces: readonly string[]
  readonly pages: Readonly<Record<string, readonly string[]>>
}

interface PageNames {
  readonly namespaces: ReadonlySet<string>
  /** English names by those of any language. */
  readonly pages: ReadonlyMap<string, string>
}

let known: PageNames | undefined

function knownNames() {
  if (known) return known
  const { namespaces, pages } = dataFile('special-pages') as NamesOfPages
  const byName = Object.entries(pages).flatMap(([page, names]) =>
    names.map((name) => [name, page] as const)
  )
  known = { namespaces: new Set(namespaces), pages: new Map(byName) }
  return known
}

/** MediaWiki ignores the case of these names. Source: SpecialPageFactory::resolveAlias */
const foldName = (name: string) =>
  name.replace(/[ _]+/g, '_').replace(/^_|_$/g, '').toLowerCase()

/** @param aliases items of siteinfo's `specialpagealiases`. @returns names that the table lacks for its pages */
export function ownPageNames(aliases: readonly unknown[]): ReadonlyMap<string, string> {
  const { pages } = knownNames()
  const own = new Map<string, string>()
  for (const one of aliases) {
    if (!isPlainObject(one)) continue
    const names = [plainText(one['realname']), ...plainTexts(one['aliases'])].map(
      foldName
    )
    const page = names.map((name) => pages.get(name)).find((known) => known !== undefined)
    if (page === undefined) continue
    for (const name of names) if (!pages.has(name)) own.set(name, page)
  }
  return own
}

/**
 * The special page that a title names, e.g. `Confirmemail` for `Служебная:Подтвердить_e-mail/9f…`; in lower case where its
 * meaning is not known; undefined for any other page.
 */
export function specialPageOf(title: string, site?: PageNamesOfWiki): string | undefined {
  const cut = title.indexOf(':')
  if (cut < 1) return undefined
  const namespace = foldName(title.slice(0, cut).replace(/^[:\s_]+/, ''))
  const own = site?.namespaces.find(({ id }) => id === -1)
  const isSpecial =
    knownNames().namespaces.has(namespace) ||
    [own?.name ?? '', ...(own?.aliases ?? [])].some((one) => foldName(one) === namespace)
  if (!isSpecial) return undefined
  const name = foldName(title.slice(cut + 1).split('/', 1)[0] ?? '')
  return knownNames().pages.get(name) ?? site?.specialPages?.get(name) ?? name
}

/** The special page that an address leads to: `?title=`, or a title in its path, whatever precedes it. */
export function specialPageAt(
  path: string,
  query: ReadonlyMap<string, string>,
  site?: PageNamesOfWiki
): string | undefined {
  const title = query.get('title')
  if (title !== undefined) return specialPageOf(title, site)
  const steps = decodeQuery(path.replaceAll('+', '%2B')).split('/')
  const at = steps.findIndex((step) => step.includes(':'))
  return at < 0 ? undefined : specialPageOf(steps.slice(at).join('/'), site)
}
