/** What wikis of several versions say of their modules, folded: what they agree on is said once. */

type Json = Readonly<Record<string, unknown>>

/** One of several wordings, and the versions that have it; `on` is absent where all that have the module agree. */
export type Wording = Readonly<{ on?: string } & Json>

export interface FoldedModule {
  /** Versions that have the module, where not all have it. */
  readonly on?: string
  readonly is: Wording | readonly Wording[]
  readonly parameters: Readonly<Record<string, string | Wording | readonly Wording[]>>
}

/** Modules of each version, as `action=paraminfo` names them. */
export type Described = ReadonlyMap<string, readonly Json[]>

/** All modules by path; the same whatever order the wikis were asked in. */
export function foldDescriptions(
  described: Described
): Readonly<Record<string, FoldedModule>> {
  const versions = [...described.keys()]
  const modules = new Map<string, Map<string, Json>>()
  for (const [version, list] of described)
    for (const module of list) {
      const path = String(module['path'])
      const held = modules.get(path) ?? new Map<string, Json>()
      modules.set(path, held.set(version, module))
    }
  return Object.fromEntries(
    [...modules].sort(byName).map(([path, said]) => [path, foldModule(said, versions)])
  )
}

function foldModule(
  said: ReadonlyMap<string, Json>,
  versions: readonly string[]
): FoldedModule {
  const having = [...said.keys()]
  const parameters = new Map<string, Map<string, Json>>()
  for (const [version, module] of said)
    for (const param of listOf(module['parameters'])) {
      const name = String(param['name'])
      const held = parameters.get(name) ?? new Map<string, Json>()
      parameters.set(
        name,
        held.set(version, wordingOfParam(param, String(module['path'])))
      )
    }
  const facts = new Map(
    [...said].map(([version, module]) => [version, wordingOfModule(module)])
  )
  return {
    ...(having.length === versions.length ? {} : { on: having.join(' ') }),
    is: fold(facts, having),
    parameters: Object.fromEntries(
      [...parameters]
        .sort(byName)
        .map(([name, held]) => [name, short(fold(held, having))])
    )
  }
}

/** Equal wordings together, each with its versions. */
function fold(
  said: ReadonlyMap<string, Json>,
  having: readonly string[]
): Wording | readonly Wording[] {
  const groups = new Map<string, { readonly wording: Json; readonly on: string[] }>()
  for (const [version, wording] of said) {
    const text = JSON.stringify(wording)
    const held = groups.get(text)
    if (held === undefined) groups.set(text, { wording, on: [version] })
    else held.on.push(version)
  }
  const all = [...groups.values()]
  const [only, second] = all
  if (only !== undefined && second === undefined && only.on.length === having.length)
    return only.wording
  return all.map(({ wording, on }) => ({ on: on.join(' '), ...wording }))
}

const typeAlone = ['type']
/** A parameter of which only the type is said is that type. */
const short = (
  wording: Wording | readonly Wording[]
): string | Wording | readonly Wording[] =>
  'type' in wording && JSON.stringify(Object.keys(wording)) === JSON.stringify(typeAlone)
    ? String(wording['type'])
    : wording

const flags = (from: Json, names: readonly string[]): Json =>
  Object.fromEntries(
    names.flatMap((name) =>
      from[name] === undefined || from[name] === false ? [] : [[name, true]]
    )
  )

function wordingOfModule(module: Json): Json {
  const templates = listOf(module['templatedparameters']).map((one) =>
    String(one['name'])
  )
  return {
    ...(text(module['prefix']) === '' ? {} : { prefix: module['prefix'] }),
    ...(text(module['group']) === '' ? {} : { group: module['group'] }),
    ...(isExtension(module['source']) ? { source: module['source'] } : {}),
    ...flags(module, ['generator', 'mustbeposted', 'writerights', 'deprecated']),
    ...(templates.length === 0 ? {} : { templates: templates.join(' ') })
  }
}

const isExtension = (source: unknown): boolean =>
  typeof source === 'string' && source !== 'MediaWiki'

/** Longer lists of values, and those in letters of a language, are the wiki's own (tags, languages, gadgets). */
const longest = 300

/**
 * Parameters whose default a wiki's settings or its site decide. Sources: ApiOpenSearch ($wgOpenSearchDefaultLimit),
 * SearchApi::buildProfileApiParam, ApiQuerySearch (backend), ApiQueryFileRepoInfo (what its repositories tell),
 * ApiQueryInfo (a page title), PageImages ($wgPageImagesAPIDefaultLicense)
 */
const settled =
  /^(?:opensearch limit|query\+filerepoinfo prop|query\+pageimages license|.* (?:\w*profile|backend|editintro\w*|preload\w*))$/

function wordingOfParam(param: Json, path: string): Json {
  const { type } = param
  const values = Array.isArray(type) ? type.map(String).sort().join('|') : undefined
  const named = typeof type === 'string' ? type : 'string'
  const told = values !== undefined && values.length <= longest && /^[ -~]+$/.test(values)
  return {
    type: values === undefined ? named : 'enum',
    ...(told ? { values } : {}),
    ...flags(param, ['multi', 'allowsduplicates', 'required', 'deprecated', 'sensitive']),
    ...(settled.test(`${path} ${String(param['name'])}`) ? {} : defaultOf(param, named)),
    ...present(param, ['tokentype', 'min', 'max', 'highmax', 'submoduleparamprefix']),
    ...deprecatedOf(param['deprecatedvalues']),
    ...submodulesOf(param['submodules'])
  }
}

const present = (from: Json, names: readonly string[]): Json =>
  Object.fromEntries(
    names.flatMap((name) =>
      typeof from[name] === 'number' || typeof from[name] === 'string'
        ? [[name, from[name]]]
        : []
    )
  )

/** A boolean is on by its mere presence: its default says nothing. */
function defaultOf(param: Json, type: string): Json {
  const given = param['default']
  if (
    type === 'boolean' ||
    given === undefined ||
    given === null ||
    typeof given === 'boolean'
  )
    return {}
  const said = Array.isArray(given) ? given.map(String).join('|') : String(given)
  // In letters of a language it is a page of the wiki.
  return /^[ -~]*$/.test(said) ? { default: said } : {}
}

const deprecatedOf = (values: unknown): Json =>
  Array.isArray(values) && values.length > 0
    ? { deprecatedvalues: values.map(String).join('|') }
    : {}

/** `query+` where every value names the submodule of that path. */
function submodulesOf(submodules: unknown): Json {
  if (typeof submodules !== 'object' || submodules === null) return {}
  const heads = new Set(
    Object.entries(submodules).map(([value, path]) =>
      String(path).endsWith(value) ? String(path).slice(0, -value.length) : '?'
    )
  )
  const [head, second] = heads
  return head === undefined || head === '?' || second !== undefined
    ? {}
    : { submodules: head }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const listOf = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : []
const byName = (
  [a]: readonly [string, unknown],
  [b]: readonly [string, unknown]
): number => (a < b ? -1 : 1)
