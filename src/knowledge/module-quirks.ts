/**
 * Modules whose limit, order, continue value or missing format means something else than in other modules. Read out of
 * MediaWiki's source, unlike the rest of data/, since no recorded walk shows why; each was met on a real wiki too.
 */
import { dataFile } from './data-file.ts'

/** What a quirk is, and its source: data/module-quirks.json. */
type QuirkName = keyof typeof import('./data/module-quirks.json', { with: { 'resolution-mode': 'import' }})

export interface ModuleQuirk {
  readonly is: string
  readonly modules: readonly string[]
  /** Members, parameters or values in which it shows. */
  readonly names?: readonly string[]
  /** The N of the first version 1.N with the quirk; absent where all versions have it. */
  readonly since?: number
  /** Classes of MediaWiki and its extensions that do so. */
  readonly source: string
}

/** Its shape is proven by test/knowledge/module-quirks.test.ts. */
const quirks = (): Readonly<Record<QuirkName, ModuleQuirk>> =>
  dataFile('module-quirks') as Readonly<Record<QuirkName, ModuleQuirk>>

/** True where a module has that quirk, in whichever versions. */
export const hasQuirk = (quirk: QuirkName, module: string): boolean =>
  quirks()[quirk].modules.includes(module)

export const quirkSince = (quirk: 'by-target' | 'names-users-capital'): number => quirks()[quirk].since ?? 0

export const quirkNames = (quirk: QuirkName): readonly string[] => quirks()[quirk].names ?? []
