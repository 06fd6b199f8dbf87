/** Which module refused a request, and what it had checked by then (`checks` in knowledge/data/module-quirks.json). */
import { itemsAt, type JsonTree, memberOf, textAt } from '../../../json/json-tree.ts'
import { writeCompact } from '../../../json/write-json.ts'
import { checksOf } from '../../../knowledge/module-quirks.ts'
import type { CanonicalRequest } from '../../../request/request-key.ts'
import { mapAll } from '../../../text/group-by.ts'
import { wordSet } from '../../../text/words.ts'
import { hasKnownVersion } from '../../../wiki/answers/envelope.ts'
import { activeModules, paramOf } from '../../../wiki/modules/active-modules.ts'
import type {
  ModuleDescription,
  ModuleLookup
} from '../../../wiki/modules/module-descriptions.ts'

export interface RunningModule {
  /** Its name in `query`, its path elsewhere. */
  readonly module: string
  /** What reads its parameters first: 0 the action and what is around it, 1 the generator, 2 the others. Source: ApiQuery::execute */
  readonly turn: 0 | 1 | 2
  readonly prefix: string
  readonly description: ModuleDescription
  readonly checks: readonly Check[] | undefined
}

/** A code, and the parameters that it depends on. */
export type Check = readonly string[]

export interface Refusal {
  /** The module that refused the request; undefined where several may have. */
  readonly by: RunningModule | undefined
  /** What that checked before and then; undefined where it may have refused a row. */
  readonly checked: readonly Check[] | undefined
  /** True where all modules answered, and their answer was not written. Source: ApiMain::handleException */
  readonly isOfFormat?: boolean
  /** Words of the error, in whatever language and format. */
  readonly words: ReadonlySet<string>
}

/** The modules that read the request; undefined where one is not described. The format looks at its own when an answer is written. */
export function runningModules(
  request: CanonicalRequest,
  lookup: ModuleLookup
): readonly RunningModule[] | undefined {
  const format = request.get('format') ?? 'json'
  const active = activeModules(request, format, lookup)
  return mapAll(
    active.filter(({ path }) => path !== format),
    ({ path, prefix, description }) => {
      const module = path.replace(/^query\+/, '')
      const checks = description?.isCore ? checksOf(module) : undefined
      const ofQuery = prefix === description?.prefix ? 2 : 1
      const turn = module === path ? 0 : ofQuery
      return description && { module, turn, prefix, description, checks }
    }
  )
}

/** What descriptions alone refuse. */
const ofValues = wordSet(
  'badvalue badinteger badtimestamp badtitle baduser missingparam toomanyvalues'
)

const refusedValue = /parameter "([a-z]+)"|"([a-z]+)" parameter must be set/g

/** How a message begins that is about parameters, and not about what was sent. */
const refusedParams = /^The (?:parameters )?"([a-z]+)"/

export function refusalOf(
  body: JsonTree,
  request: CanonicalRequest,
  running: readonly RunningModule[]
): Refusal {
  const error = memberOf(body, 'error') ?? itemsAt(body, 'errors')[0]
  const code = textAt(error, 'code') ?? ''
  const info = textAt(error, 'info') ?? ''
  const named = [...info.matchAll(refusedValue)].map(
    ([, one, other]) => one ?? other ?? ''
  )
  const words = new Set(error && writeCompact(error, 'utf8').match(/\\n|\w+/g))
  if (code === 'badvalue' && !hasKnownVersion(request))
    return { by: undefined, checked: [], isOfFormat: true, words }
  if (ofValues.has(code) && named.length === 1) {
    const [by] = running.filter((one) => named.some((name) => paramOf(one, name)))
    const param = by && paramOf(by, named[0] ?? '')
    // A module may miss others, after it has checked some.
    const isOfValue = code !== 'missingparam' || by?.checks || param?.required
    if (by && isOfValue) return { by, checked: [], words }
  }
  const isOf = ([own = '']: Check) => {
    const [name = '', word = ''] = own.split(':')
    const isNamed = name.endsWith('_') ? code.startsWith(name) : code === name
    return isNamed && info.includes(word)
  }
  const mayBe = running.filter(({ checks = [] }) => checks.some(isOf))
  const [first] = mayBe
  if (!first) return { by: undefined, checked: undefined, words }
  const name = refusedParams.exec(info)?.[1] ?? ''
  // Some messages leave out the prefix of generators.
  const owners = mayBe.filter((one) =>
    [name, `g${name}`].some((own) => paramOf(one, own))
  )
  // Another one's checks may not be known.
  const areKnown = running.every(({ turn, checks }) => turn === 0 || checks)
  const [by, ...more] = owners.length > 0 || !areKnown ? owners : mayBe
  if (!by || more.length > 0) return { by: undefined, checked: [], words }
  const { checks = [] } = by
  return { by, checked: checks.slice(0, checks.findLastIndex(isOf) + 1), words }
}

/** True where `query` or one of its modules refused the request, which is after `query` warned of what it does not know. */
export function isRefusedByQuery(
  body: JsonTree,
  request: CanonicalRequest,
  lookup: ModuleLookup
): boolean {
  const running = runningModules(request, lookup)
  if (request.get('action') !== 'query' || !running) return false
  const { by, checked } = refusalOf(body, request, running)
  // Values of `query` itself are refused before.
  return by ? by.turn > 0 || checked?.length !== 0 : checked !== undefined
}
