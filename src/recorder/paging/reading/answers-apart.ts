/** An answer of several modules with rows, taken apart into the answers that each of them would get alone. */
import type { Interaction } from '../../cassette/interaction.ts'
import {
  hasMember,
  itemsAt,
  type JsonMember,
  type JsonTree,
  membersAt,
  membersOf,
  objectOf,
  replaceMember,
  sameTree
} from '../../json/json-tree.ts'
import { hasQuirk } from '../../knowledge/module-quirks.ts'
import type { ModuleLookup } from '../../wiki/modules/module-descriptions.ts'
import { singleAnswerOf, withAnswer } from './batch.ts'
import { isFile } from './driver.ts'
import { headWith, joinAnswers, selectAdded } from './join-answers.ts'
import {
  addedMembers,
  type ModulesApart,
  modulesApart,
  parametersOf
} from './modules-apart.ts'
import { continueMembers, coreOf, pageSetMembers } from './split-answer.ts'

export interface AnswersApart {
  /** The answer of each module with rows, as if it had been recorded alone. */
  readonly alone: readonly Interaction[]
  /** What modules without rows add: which requests get it (`ModulesApart.rest`), and the answer without rows. */
  readonly rest: readonly [identity: string, body: JsonTree] | undefined
}

/** Undefined for answers of one module, and for those that are more than what their modules give alone. */
export function answersApart(
  recorded: Interaction,
  lookup: ModuleLookup
): AnswersApart | undefined {
  const body = singleAnswerOf(recorded)
  const apart = body && modulesApart(recorded.request, recorded.sentValues, lookup)
  // Warnings may be about any of the modules.
  if (!apart || hasMember(body, 'warnings')) return undefined
  const { running, finished, paged } = apart
  // What these add to files is more than rows.
  const ofFiles = paged.some((module) => hasQuirk('cuts-files', module))
  if (ofFiles && itemsAt(body, 'query', 'pages').some(isFile)) return undefined
  const limits = membersAt(body, 'limits')
  const parts = running.map((part) => {
    const names = parametersOf(part.module, lookup)
    const tree = answerAlone(body, apart, part.module, names)
    return { ...part, tree }
  })
  const ofRunning = new Set(running.flatMap(({ module }) => addedMembers(module)))
  const added = selectAdded(body, apart.kind, (key) => !ofRunning.has(key))
  const withoutLimits = coreOf(added).filter(({ key }) => key !== 'limits')
  const rest = apart.rest === undefined ? undefined : objectOf(withoutLimits)
  const joined = joinAnswers({
    apart,
    alone: new Map(parts.map(({ module, tree }) => [module, tree])),
    rest,
    finishedLimits: limits.filter(({ key }) => finished.some((one) => one.module === key))
  })
  if (!joined || !sameTree(joined, body)) return undefined
  return {
    alone: parts.map((part) =>
      withAnswer(
        recorded,
        { request: part.params, sentValues: part.sentValues },
        part.tree
      )
    ),
    rest: rest && apart.rest !== undefined ? [apart.rest, rest] : undefined
  }
}

/** @param names the parameters of the module */
function answerAlone(
  body: JsonTree,
  apart: ModulesApart,
  module: string,
  names: ReadonlySet<string>
) {
  const isOwn = (key: string) => addedMembers(module).includes(key)
  const values = continueMembers(body).filter(({ key }) => names.has(key))
  const head = headWith(apart, values.length === 0 ? [] : [{ module, values }], [])
  const core = coreOf(withoutMeta(selectAdded(body, apart.kind, isOwn), apart))
  const limits = membersAt(body, 'limits').filter(({ key }) => key === module)
  const withOwnLimit = core.flatMap((member): readonly JsonMember[] => {
    if (member.key !== 'limits') return [member]
    return limits.length === 0 ? [] : [{ key: 'limits', value: objectOf(limits) }]
  })
  return objectOf([...head, ...withOwnLimit])
}

/** Modules of `meta` add to `query`, where lists do, and what names the pages. */
const withoutMeta = (body: JsonTree, { kind }: ModulesApart) =>
  kind === 'list'
    ? body
    : replaceMember(body, 'query', (query) =>
        objectOf(membersOf(query).filter(({ key }) => pageSetMembers.includes(key)))
      )
