/**
 * What MediaWiki's own modules, and those of extensions that are widely installed, say of themselves in each version:
 * for wikis that refuse `action=paraminfo`, and for recordings that came without it. Data: data/modules.json.
 */
import { dataFile } from './data-file.ts'
import { bracketing } from './versions.ts'

type Json = Readonly<Record<string, unknown>>

/** One of several wordings, and the versions that have it; `on` is absent where all that have the module agree. */
type Wording = Readonly<{ on?: string } & Json>

interface ModuleEntry {
  readonly on?: string
  readonly is: Wording | readonly Wording[]
  readonly parameters: Readonly<Record<string, string | Wording | readonly Wording[]>>
}

export interface ModuleData {
  readonly versions: readonly string[]
  readonly modules: Readonly<Record<string, ModuleEntry>>
}

/** Its shape is proven by test/knowledge/modules.test.ts. */
const known = (): ModuleData => dataFile('modules') as ModuleData

/** True where a module of that path was ever described. */
const has = (path: string): boolean => Object.hasOwn(known().modules, path)

/**
 * The module as all versions around the wiki's describe it, in the words of `paraminfo`; undefined where none does.
 * What they disagree on is left out: the parameter, or that fact of it.
 * @param generator as siteinfo says it, e.g. `MediaWiki 1.43.9`; all versions count where it says nothing
 */
export function knownModule(path: string, generator: string | undefined): Json | undefined {
  return has(path) ? agreed(known(), path, bracketing(known().versions, generator)) : undefined
}

/** The module as that one version describes it. */
export const describedOn = (from: ModuleData, path: string, version: string): Json | undefined =>
  agreed(from, path, [version])

function agreed(from: ModuleData, path: string, versions: readonly string[]): Json | undefined {
  const entry = Object.hasOwn(from.modules, path) ? from.modules[path] : undefined
  if (entry === undefined) return undefined
  // An extension that one version's wiki did not carry says nothing against the others.
  const having = versions.filter((one) => holds(entry, one))
  const facts = having.map((one) => wordingOn(entry.is, one))
  const module = agreement(facts, moduleMarks)
  if (module === undefined) return undefined
  const parameters = Object.entries(entry.parameters).flatMap(([name, said]) => {
    const param = agreement(
      having.map((one) => wordingOn(said, one)),
      paramMarks,
    )
    return param === undefined ? [] : [spelledOut(name, param, from)]
  })
  const templates = String(module['templates'] ?? '').split(' ')
  const templated = templates.filter((name) => name !== '').map((name) => ({ name }))
  return { ...module, path, parameters, templatedparameters: templated }
}

const holds = ({ on }: { readonly on?: string }, version: string): boolean =>
  on === undefined || on.split(' ').includes(version)

/** What one version says; undefined where it says nothing. */
function wordingOn(said: string | Wording | readonly Wording[], version: string): Json | undefined {
  if (typeof said === 'string') return { type: said }
  const wording = isList(said) ? said.find((one) => holds(one, version)) : said
  if (wording === undefined || !holds(wording, version)) return undefined
  const { on: _, ...rest } = wording
  return rest
}

const isList = (said: Wording | readonly Wording[]): said is readonly Wording[] => Array.isArray(said)

/** Facts that must be equal for a wording to be one, and those that stand where any version has them: what is wary. */
interface Marks {
  readonly same: readonly string[]
  readonly any: readonly string[]
}

const moduleMarks: Marks = { same: ['prefix', 'group'], any: ['mustbeposted', 'writerights', 'deprecated'] }
const paramMarks: Marks = {
  same: ['type', 'multi', 'allowsduplicates'],
  any: ['deprecated', 'sensitive', 'tokentype', 'deprecatedvalues'],
}

function agreement(said: readonly (Json | undefined)[], { same, any }: Marks): Json | undefined {
  const [first, ...others] = said
  if (first === undefined || others.includes(undefined)) return undefined
  const wordings = said.filter((one) => one !== undefined)
  if (!same.every((name) => wordings.every((one) => one[name] === first[name]))) return undefined
  const equal = Object.entries(first).filter(([name, value]) => wordings.every((one) => one[name] === value))
  const wary = any.flatMap((name) => {
    const values = wordings.flatMap((one) => (one[name] === undefined ? [] : [one[name]]))
    const joined = name === 'deprecatedvalues' ? [...new Set(values)].join('|') : values[0]
    return values.length === 0 ? [] : [[name, joined] as const]
  })
  return Object.fromEntries([...equal, ...wary])
}

/** A parameter in the words of `paraminfo`. */
function spelledOut(name: string, param: Json, from: ModuleData): Json {
  const { values, deprecatedvalues, submodules, type, ...rest } = param
  const split = (text: unknown): readonly string[] => (typeof text === 'string' ? text.split('|') : [])
  const paths = Object.keys(from.modules).filter(
    (path) => typeof submodules === 'string' && path !== submodules && path.startsWith(submodules),
  )
  const named = paths.map((path) => [path.slice(String(submodules).length), path] as const)
  return {
    name,
    ...rest,
    type: type === 'enum' ? split(values) : type,
    ...(deprecatedvalues === undefined ? {} : { deprecatedvalues: split(deprecatedvalues) }),
    ...(named.length === 0 ? {} : { submodules: Object.fromEntries(named) }),
  }
}
