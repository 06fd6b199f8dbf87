/**
 * Descriptions of MediaWiki's modules and of those of common extensions, by version: for wikis that refuse
 * `action=paraminfo`, and for recordings without it. Data: data/modules.json.
 */
import { bracketingVersions, dataFile } from './data-file.ts'

type ModuleJson = Readonly<Record<string, unknown>>

/** One wording of a description, and its versions; `on` is absent where all versions with the module agree. */
type Wording = Readonly<{ on?: string } & ModuleJson>

interface KnownModule {
  readonly on?: string
  readonly is: Wording | readonly Wording[]
  readonly parameters: Readonly<Record<string, string | Wording | readonly Wording[]>>
}

export interface ModuleData {
  readonly versions: readonly string[]
  readonly modules: Readonly<Record<string, KnownModule>>
}

const moduleData = () => dataFile('modules') as ModuleData

/**
 * The description of a module in the format of `paraminfo`: what all versions around the wiki's own agree on. Parameters
 * and facts on which they disagree are left out. Undefined where no version has the module.
 * @param generator as in siteinfo, e.g. `MediaWiki 1.43.9`; undefined: all versions
 */
export const knownModule = (
  path: string,
  generator: string | undefined
): ModuleJson | undefined =>
  describeFor(moduleData(), path, bracketingVersions(moduleData().versions, generator))

export const knownModuleNames = (): readonly string[] => Object.keys(moduleData().modules)

export const moduleInVersion = (
  from: ModuleData,
  path: string,
  version: string
): ModuleJson | undefined => describeFor(from, path, [version])

function describeFor(from: ModuleData, path: string, versions: readonly string[]) {
  const entry = Object.hasOwn(from.modules, path) ? from.modules[path] : undefined
  if (!entry) return undefined
  // A version whose wiki lacked an extension says nothing against the others.
  const versionsWithIt = versions.filter((one) => isOfVersion(entry, one))
  const facts = versionsWithIt.map((one) => wordingIn(entry.is, one))
  const module = agreedFacts(facts, moduleAgreement)
  if (!module) return undefined
  const parameters = Object.entries(entry.parameters).flatMap(([name, wordings]) => {
    const param = agreedFacts(
      versionsWithIt.map((one) => wordingIn(wordings, one)),
      paramAgreement
    )
    return param ? [asParaminfo(name, param, from)] : []
  })
  const templates = String(module['templates'] ?? '').split(' ')
  const templated = templates.filter((name) => name !== '').map((name) => ({ name }))
  return { ...module, path, parameters, templatedparameters: templated }
}

const isOfVersion = ({ on }: { readonly on?: string }, version: string) =>
  on === undefined || on.split(' ').includes(version)

/** The wording of one version; undefined where it has none. */
function wordingIn(wordings: string | Wording | readonly Wording[], version: string) {
  if (typeof wordings === 'string') return { type: wordings }
  const wording = [wordings].flat().find((one) => isOfVersion(one, version))
  if (!wording) return undefined
  const { on: _, ...rest } = wording
  return rest
}

interface AgreementRules {
  /** Facts on which all versions must agree. */
  readonly same: readonly string[]
  /** Facts that hold where any version has them, to be cautious. */
  readonly any: readonly string[]
}

const moduleAgreement: AgreementRules = {
  same: ['prefix', 'group'],
  any: ['mustbeposted', 'writerights', 'deprecated']
}
const paramAgreement: AgreementRules = {
  same: ['type', 'multi', 'allowsduplicates'],
  any: ['deprecated', 'sensitive', 'tokentype', 'deprecatedvalues']
}

function agreedFacts(
  said: readonly (ModuleJson | undefined)[],
  { same, any }: AgreementRules
) {
  const [first, ...others] = said
  if (!first || others.includes(undefined)) return undefined
  const wordings = said.filter((one) => one !== undefined)
  if (!same.every((name) => wordings.every((one) => one[name] === first[name])))
    return undefined
  const equal = Object.entries(first).filter(([name, value]) =>
    wordings.every((one) => one[name] === value)
  )
  const cautious = any.flatMap((name) => {
    const values = wordings.flatMap((one) => (one[name] === undefined ? [] : [one[name]]))
    const joined =
      name === 'deprecatedvalues' ? [...new Set(values)].join('|') : values[0]
    return values.length === 0 ? [] : [[name, joined] as const]
  })
  return Object.fromEntries([...equal, ...cautious])
}

/** A parameter in the format of `paraminfo`. */
function asParaminfo(name: string, param: ModuleJson, from: ModuleData) {
  const { values, deprecatedvalues, submodules, type, ...rest } = param
  const split = (text: unknown) => (typeof text === 'string' ? text.split('|') : [])
  const paths = Object.keys(from.modules).filter(
    (path) =>
      typeof submodules === 'string' && path !== submodules && path.startsWith(submodules)
  )
  const named = paths.map(
    (path) => [path.slice(String(submodules).length), path] as const
  )
  return {
    name,
    ...rest,
    type: type === 'enum' ? split(values) : type,
    ...(deprecatedvalues === undefined
      ? {}
      : { deprecatedvalues: split(deprecatedvalues) }),
    ...(named.length === 0 ? {} : { submodules: Object.fromEntries(named) })
  }
}
