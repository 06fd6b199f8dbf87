/** Hidden parts of continue values (ids of actors, link targets, pages) that other listings show. */

import type { Interaction } from '../../cassette/interaction.ts'
import { itemsAt, numberAt, textAt } from '../../json/json-tree.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import { epochParam } from '../../request/scoped-keys.ts'
import { getOrAdd } from '../../text/group-by.ts'
import { valuesOf } from '../../wiki/parameters/request-params.ts'
import { singleAnswerOf } from '../reading/batch.ts'
import type { ListingRequest } from '../reading/listing-request.ts'
import { type ContinueRule, mapExplanations } from '../rules/continue-rule.ts'
import type { SharedExplanation } from '../rules/explanation.ts'
/** By the kind of hidden part and the member that its rows share; undefined where recordings disagree. */
export type InferredValues = ReadonlyMap<string, ReadonlyMap<string, string | undefined>>

const sharedIn = ({ parts }: ContinueRule) =>
  parts.flatMap((explanations) => explanations.filter((one) => one.kind === 'shared'))

const hiddenPartName = ({ owner, name }: SharedExplanation) => `${owner} ${name}`

/** True where the rule has parts that only boundaries show. */
export const isShared = (rule: ContinueRule): boolean => sharedIn(rule).length > 0

export function inferValues(rules: readonly ContinueRule[]): InferredValues {
  const inferred = new Map<string, Map<string, string | undefined>>()
  for (const one of rules.flatMap(sharedIn)) {
    const texts = getOrAdd(inferred, hiddenPartName(one), () => new Map())
    // A part that all rows of a request share differs from request to request.
    for (const [sharedBy, text] of one.texts)
      if (sharedBy !== '') note(texts, sharedBy, text)
  }
  return inferred
}

function note(texts: Map<string, string | undefined>, name: string, text: string) {
  const isKnown = texts.has(name) && texts.get(name) !== text
  texts.set(name, isKnown ? undefined : text)
}

export const withInferred = (
  rule: ContinueRule,
  inferred: InferredValues
): ContinueRule =>
  mapExplanations(rule, (one) => {
    if (one.kind !== 'shared') return one
    const agreed = [...(inferred.get(hiddenPartName(one)) ?? [])].flatMap(
      ([name, text]) => (text === undefined ? [] : [[name, text] as const])
    )
    return { ...one, texts: new Map([...agreed, ...one.texts]) }
  })

/** Ids of pages by title and epoch, as answers show them. */
export class PageIds {
  readonly #ids = new Map<string, string | undefined>()
  #others: (() => Iterable<Interaction>) | undefined

  /** @param others more recordings, read once, when the noted ones do not have a page */
  constructor(others?: () => Iterable<Interaction>) {
    this.#others = others
  }

  note(interaction: Interaction): void {
    for (const page of itemsAt(singleAnswerOf(interaction), 'query', 'pages')) {
      const title = textAt(page, 'title')
      const id = numberAt(page, 'pageid')
      if (title !== undefined && id !== undefined)
        note(this.#ids, pageNameIn(interaction.request, title), String(id))
    }
  }

  /** The hidden part that is the id of the page that a request names. */
  inferredFor({ params }: ListingRequest): InferredValues {
    const [id, more] = valuesOf(params, 'pageids')
    const title = params.get('titles')
    const named = id === undefined ? title && this.#idOf(pageNameIn(params, title)) : id
    // With `redirects` or `converttitles` the page may be another than the named one.
    const other =
      more !== undefined || params.has('redirects') || params.has('converttitles')
    return named !== undefined && /^[1-9]\d*$/.test(named) && !other
      ? new Map([['item titles', new Map([['', named]])]])
      : new Map()
  }

  #idOf(name: string) {
    const others = this.#ids.has(name) ? undefined : this.#others?.()
    if (others) this.#others = undefined
    for (const one of others ?? []) this.note(one)
    return this.#ids.get(name)
  }
}

/** The epoch counts: a write may give the title to another page. */
const pageNameIn = (request: CanonicalRequest, title: string) =>
  JSON.stringify([request.get(epochParam) ?? '', title])
