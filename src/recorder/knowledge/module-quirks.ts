/**
 * Modules whose limit, order, continue value or missing format means something else than in other modules. Read out of
 * MediaWiki's source, unlike the rest of data/, since no recorded walk shows why; each was met on a real wiki too.
 */
import { dataFile } from './data-file.ts'

/** What a quirk is, and its source: data/module-quirks.json. */
type QuirkName = keyof typeof import('./data/module-quirks.json', { with: {
  'resolution-mode': 'import'
}})

export interface ModuleQuirk {
  readonly is: string
  readonly modules: readonly string[]
  /** Members, parameters or values in which it shows. */
  readonly names?: readonly string[]
  /** By module, the parameters of which any is enough: `*` with any value, `|` with several. Other modules need none. */
  readonly when?: Readonly<Record<string, Readonly<Record<string, '*' | '|'>>>>
  /** The most rows at once, of everybody and of bots. */
  readonly limits?: { readonly max: number; readonly highMax: number }
  /** A text for each module. */
  readonly texts?: Readonly<Record<string, string>>
  /** The N of the first version 1.N with the quirk; absent where all versions have it. */
  readonly since?: number
  /** Classes of MediaWiki and its extensions that do so. */
  readonly source: string
}

/** Its shape is proven by test/recorder/knowledge/module-quirks.test.ts. */
const quirks = () => dataFile('module-quirks') as Readonly<Record<QuirkName, ModuleQuirk>>

/** True where a module has that quirk, in whichever versions. */
export const hasQuirk = (quirk: QuirkName, module: string): boolean =>
  quirks()[quirk].modules.includes(module)

export const quirkSince = (quirk: 'names-users-capital'): number =>
  quirks()[quirk].since ?? 0

export const quirkNames = (quirk: QuirkName): readonly string[] =>
  quirks()[quirk].names ?? []

/** The parameters of which any gives that module the quirk. */
export const quirkParameters = (
  quirk: QuirkName,
  module: string
): readonly (readonly [name: string, wanted: '*' | '|'])[] =>
  Object.entries(quirks()[quirk].when?.[module] ?? {})

/** What text the quirk has for a module. */
export const quirkText = (quirk: QuirkName, module: string): string | undefined => {
  const { texts = {} } = quirks()[quirk]
  return Object.hasOwn(texts, module) ? texts[module] : undefined
}

/** What a module checks of a request before it reads rows, in its order: a code, and parameters. Undefined where that is not known. */
export const checksOf = (module: string): readonly (readonly string[])[] | undefined =>
  quirkText('checks', module)
    ?.split('; ')
    .map((check) => check.split(' '))

export const quirkLimits = (quirk: QuirkName, module: string): ModuleQuirk['limits'] =>
  hasQuirk(quirk, module) ? quirks()[quirk].limits : undefined
