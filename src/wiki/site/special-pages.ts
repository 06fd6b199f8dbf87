/**
 * Special pages by their names in every language: those of MediaWiki's message files (data/special-pages.json), and those
 * that the wiki itself has (`specialpagealiases`).
 */
import { dataFile } from '../../knowledge/data-file.ts'
import { decodeQuery } from '../../text/percent-decoding.ts'
import type { SiteFacts } from './site-facts.ts'

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

function knownNames(): PageNames {
  if (known !== undefined) return known
  const { namespaces, pages } = dataFile('special-pages') as NamesOfPages
  const byName = Object.entries(pages).flatMap(([page, names]) =>
    names.map((name) => [name, page] as const),
  )
  known = { namespaces: new Set(namespaces), pages: new Map(byName) }
  return known
}

/** MediaWiki ignores the case of these names. Source: SpecialPageFactory::resolveAlias */
const foldName = (name: string): string =>
  name.replace(/[ _]+/g, '_').replace(/^_|_$/g, '').toLowerCase()

/**
 * The special page that a title names, e.g. `Confirmemail` for `Служебная:Подтвердить_e-mail/9f…`; in lower case where its
 * meaning is not known; undefined for any other page.
 */
export function specialPageOf(title: string, site?: SiteFacts): string | undefined {
  const cut = title.indexOf(':')
  if (cut < 1) return undefined
  const namespace = foldName(title.slice(0, cut).replace(/^[:\s_]+/, ''))
  const own = site?.namespaces.find(({ id }) => id === -1)
  const isSpecial =
    knownNames().namespaces.has(namespace) ||
    [own?.name ?? '', ...(own?.aliases ?? [])].some((one) => foldName(one) === namespace)
  if (!isSpecial) return undefined
  const name = foldName(title.slice(cut + 1).split('/', 1)[0] ?? '')
  return site?.specialPages?.[name] ?? knownNames().pages.get(name) ?? name
}

/** The special page that an address leads to: `?title=`, or a title in its path, whatever precedes it. */
export function specialPageAt(
  path: string,
  query: ReadonlyMap<string, string>,
  site?: SiteFacts,
): string | undefined {
  const title = query.get('title')
  if (title !== undefined) return specialPageOf(title, site)
  const steps = decodeQuery(path.replaceAll('+', '%2B')).split('/')
  const at = steps.findIndex((step) => step.includes(':'))
  return at < 0 ? undefined : specialPageOf(steps.slice(at).join('/'), site)
}
