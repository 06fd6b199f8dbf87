/** The answers that several modules would each get alone, joined to that of a request of all of them. */
import {
  itemsAt,
  type JsonMember,
  type JsonTree,
  jsonLiteral,
  jsonObject,
  jsonString,
  membersAt,
  membersOf,
  objectOf,
  replaceMember
} from '../../json/json-tree.ts'
import { equalIgnoringVolatile } from '../../wiki/answers/volatile.ts'
import { continueHead, type ModulesApart } from './modules-apart.ts'
import { siblingsIn, withoutSiblings } from './page-members.ts'
import { mapFramePages } from './row.ts'
import { continueMembers, coreOf } from './split-answer.ts'

export interface AnswersToJoin {
  readonly apart: ModulesApart
  /** The answer of each running module, in their order. */
  readonly alone: ReadonlyMap<string, JsonTree>
  /** What modules without rows add; undefined where none runs. */
  readonly rest: JsonTree | undefined
  /** What `max` means to each module that has finished, where it was sent. */
  readonly finishedLimits: readonly JsonMember[]
}

/** The joined answer; undefined where the answers differ in more than what each module adds. */
export function joinAnswers(given: AnswersToJoin): JsonTree | undefined {
  const { apart, alone, rest } = given
  const [first, ...others] = [...alone.values()]
  if (!first) return undefined
  const frame = frameOf(first, first, apart)
  const isSame = (body: JsonTree) =>
    equalIgnoringVolatile(frameOf(body, first, apart), frame)
  if (![...others, ...(rest ? [rest] : [])].every(isSame)) return undefined

  const continued = [...alone].flatMap(([module, body]) => {
    const values = continueMembers(body)
    return values.length === 0 ? [] : [{ module, values }]
  })
  const head = headWith(apart, continued, finishedOf(apart, continued))
  const core = coreOf(withAdded(rest ?? first, given))
  return objectOf([...head, ...withLimits(core, given)])
}

/** The answer without its head, limits, and what modules add. */
function frameOf(body: JsonTree, first: JsonTree, { kind }: ModulesApart) {
  const core = coreOf(selectAdded(body, kind, () => false))
  const known = new Set(membersAt(first, 'query').map(({ key }) => key))
  // Modules of `meta` add to `query`.
  const isOfAll = ({ key }: JsonMember) => known.has(key)
  const bare = objectOf(core.filter(({ key }) => key !== 'limits'))
  return replaceMember(bare, 'query', (query) =>
    objectOf(membersOf(query).filter(isOfAll))
  )
}

/** What all modules add, in the order in which they run. */
function withAdded(frame: JsonTree, { apart, alone, rest }: AnswersToJoin) {
  const { kind, order, all } = apart
  const modules = kind === 'list' ? all : order
  const firstOther = modules.find((module) => !apart.paged.includes(module))
  const join = (addedTo: (body: JsonTree) => readonly JsonMember[]) =>
    modules.flatMap((module) => {
      const body = module === firstOther ? rest : alone.get(module)
      return body ? addedTo(body) : []
    })
  if (kind === 'list') {
    const added = join((body) => membersAt(body, 'query'))
    return replaceMember(frame, 'query', () => objectOf(added))
  }
  return mapFramePages(frame, (page, at) => {
    const added = join((body) => siblingsOf(itemsAt(body, 'query', 'pages')[at]))
    return objectOf([...membersOf(withoutSiblings(page)), ...added])
  })
}

const siblingsOf = (page: JsonTree | undefined) => (page ? siblingsIn(page) : [])

/** Modules that have finished, and lists that run first, read their limits before anything is added to `query`. */
function withLimits(core: readonly JsonMember[], given: AnswersToJoin) {
  const { apart, alone, rest, finishedLimits } = given
  const bare = core.filter(({ key }) => key !== 'limits')
  const running = [...alone.values()].flatMap((body) => membersAt(body, 'limits'))
  const members = [...finishedLimits, ...running]
  const [first] = members
  if (!first) return bare
  const limits = { key: 'limits', value: objectOf(members) }
  const firstRunning = apart.all.find(
    (module) => alone.has(module) || (rest && !apart.paged.includes(module))
  )
  const isBefore =
    finishedLimits.length > 0 || (apart.kind === 'list' && first.key === firstRunning)
  return isBefore ? [limits, ...bare] : [...bare, limits]
}

/** A module that continues, and its continue parameters. */
interface ContinuedPart {
  readonly module: string
  readonly values: readonly JsonMember[]
}

/** The members before all others: what continues, and whether all of the pages is there. @param finished the modules that `continue` names */
export function headWith(
  { kind, isRaw, formatVersion }: ModulesApart,
  continued: readonly ContinuedPart[],
  finished: readonly string[]
): readonly JsonMember[] {
  const isEnd = continued.length === 0
  if (isRaw) {
    const groups = continued.map(
      ({ module, values }) => [module, objectOf(values)] as const
    )
    return isEnd ? [] : [{ key: 'query-continue', value: jsonObject(groups) }]
  }
  const complete = formatVersion === '1' ? jsonString('') : jsonLiteral(true)
  const text = `${continueHead(kind)}||${finished.join('|')}`
  const values = continued.flatMap((one) => one.values)
  const last = { key: 'continue', value: jsonString(text) }
  return [
    ...(isEnd || kind === 'list' ? [{ key: 'batchcomplete', value: complete }] : []),
    ...(isEnd ? [] : [{ key: 'continue', value: objectOf([...values, last]) }])
  ]
}

/** The modules that `continue` names as finished where those continue. */
const finishedOf = (
  { all }: ModulesApart,
  continued: readonly ContinuedPart[]
): readonly string[] =>
  all.filter((module) => !continued.some((one) => one.module === module))

/** The answer with those of the members that modules add to the pages, or to `query`. */
export function selectAdded(
  body: JsonTree,
  kind: ModulesApart['kind'],
  isWanted: (key: string) => boolean
): JsonTree {
  const select = (some: readonly JsonMember[]) => some.filter(({ key }) => isWanted(key))
  if (kind === 'list')
    return replaceMember(body, 'query', (query) => objectOf(select(membersOf(query))))
  return mapFramePages(body, (page) =>
    objectOf([...membersOf(withoutSiblings(page)), ...select(siblingsIn(page))])
  )
}
