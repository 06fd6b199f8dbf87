/**
 * Modules that mean something else by a limit, an order, a continue value or no format than the others do. Unlike the rest of
 * data/ this is read out of MediaWiki's source: no walk shows why; each was met on a real wiki too.
 */
import { dataFile } from './data-file.ts'

/** A way in which modules are odd; data/oddities.json says of each what it is, and where it was read. */
export type QuirkName =
  | 'drawn'
  | 'ranked'
  | 'timed'
  | 'all-links'
  | 'by-target'
  | 'two-levels'
  | 'keeps-place'
  | 'grouped'
  | 'fills-pages'
  | 'one-at-a-time'
  | 'costly-parameters'
  | 'costly-values'
  | 'counts-onward'
  | 'by-file-names'
  | 'names-files'
  | 'names-categories'
  | 'names-users'
  | 'names-users-capital'
  | 'shows-format'

export interface ModuleQuirk {
  readonly is: string
  readonly modules: readonly string[]
  /** Members, parameters or values in which it shows. */
  readonly names?: readonly string[]
  /** From 1.N on, where older versions do not. */
  readonly since?: number
  /** Classes of MediaWiki and its extensions that do so. */
  readonly source: string
}

/** Its shape is proven by test/knowledge/module-quirks.test.ts. */
const quirks = (): Readonly<Record<QuirkName, ModuleQuirk>> =>
  dataFile('oddities') as Readonly<Record<QuirkName, ModuleQuirk>>

/** True where a module is odd in that way, in whichever versions. */
export const hasQuirk = (quirk: QuirkName, module: string): boolean =>
  quirks()[quirk].modules.includes(module)

/** The 1.N from which on a way is met. */
export const quirkSince = (quirk: 'by-target' | 'names-users-capital'): number => quirks()[quirk].since ?? 0

/** The members, parameters or values in which a way shows. */
export const quirkNames = (quirk: QuirkName): readonly string[] => quirks()[quirk].names ?? []
