/**
 * Answers of several props composed of recordings of other props: each adds its own members to a page, whatever runs
 * beside it. Source: ApiQuery::execute, ApiQueryBase::addPageSubItems, MediaWiki 1.35 to 1.45.
 */
import type { Interaction } from '../../../cassette/interaction.ts'
import {
  itemsAt,
  type JsonTree,
  membersOf,
  objectOf,
  sameTree
} from '../../../json/json-tree.ts'
import { singleAnswerOf, withAnswer } from '../../../paging/reading/batch.ts'
import { modulesSent } from '../../../paging/reading/listing-request.ts'
import { parametersOf } from '../../../paging/reading/modules-apart.ts'
import { siblingsIn, withoutSiblings } from '../../../paging/reading/page-members.ts'
import { mapFramePages } from '../../../paging/reading/row.ts'
import type { Derivation, SentRequest } from '../../../request/derive.ts'
import { keyedRequest } from '../../../request/request-key.ts'
import { mapAll } from '../../../text/group-by.ts'
import { maxResultSize, resultSize } from '../../../wiki/answers/result-size.ts'
import type { ModuleLookup } from '../../../wiki/modules/module-descriptions.ts'
import { withoutParams } from '../../../wiki/parameters/request-params.ts'
import { reorderProps } from '../../reorder/reorder-members.ts'
import type { ComposedAnswer, Composition } from '../composed-answer.ts'
import { pagesOfGenerator } from './generated-pages.ts'

/** The answer to one prop, composed of recordings of that prop. */
type ComposeProp = (
  derivation: Derivation,
  recordings: readonly Interaction[]
) => Composition | undefined

/** @param recordings of any props */
export function composeProps(
  derivation: Derivation,
  recordings: Iterable<Interaction>,
  lookup: ModuleLookup,
  compose: ComposeProp
): ComposedAnswer | undefined {
  const props = propsOf(derivation)
  const isDescribed = props.every((prop) => lookup(`query+${prop}`) !== undefined)
  if (props.length === 0 || !isDescribed) return undefined
  const all = [...recordings].flatMap((from) => pagesOfGenerator(from, lookup))
  const parts = mapAll(props, (prop) => {
    const request = requestAlone(derivation, prop, lookup)
    const alone = all.flatMap((from) => recordingAlone(from, prop, lookup) ?? [])
    const found = compose(
      { ...derivation, ...keyedRequest(request.canonical), ...request },
      alone
    )
    return found?.kind === 'composed' ? found : undefined
  })
  const body = parts && join(parts.map((part) => part.body))
  const isCut =
    body &&
    resultSize(body) > maxResultSize(all.flatMap((one) => singleAnswerOf(one) ?? []))
  if (!body || isCut) return undefined
  return { kind: 'composed', body, from: [...new Set(parts.flatMap(({ from }) => from))] }
}

const propsOf = ({ canonical, sentValues }: SentRequest) =>
  modulesSent({ params: canonical, sentValues }, 'prop')

/** The request for one of its props, without the parameters that only others read. */
function requestAlone(
  sent: SentRequest,
  prop: string,
  lookup: ModuleLookup
): SentRequest {
  const own = parametersOf(prop, lookup)
  const foreign = propsOf(sent)
    .flatMap((one) => [...parametersOf(one, lookup)])
    .filter((name) => !own.has(name))
  const canonical = new Map(withoutParams(sent.canonical, ...foreign))
  return {
    canonical: canonical.set('prop', prop),
    sentValues: withoutParams(sent.sentValues, 'prop', ...foreign)
  }
}

/** The recording as if that prop had run alone; undefined where it did not run, or where its members cannot be told. */
function recordingAlone(
  from: Interaction,
  prop: string,
  lookup: ModuleLookup
): Interaction | undefined {
  const sent = { canonical: from.request, sentValues: from.sentValues }
  const props = propsOf(sent)
  const body = props.includes(prop) ? singleAnswerOf(from) : undefined
  const tree = body && reorderProps(body, { recorded: props.join('|'), requested: prop })
  if (!tree) return undefined
  const { canonical, sentValues } = requestAlone(sent, prop, lookup)
  return withAnswer(from, { request: canonical, sentValues }, tree)
}

/** The pages with what each answer says of them; undefined where the answers differ in more. */
function join(bodies: readonly JsonTree[]) {
  const [first, ...others] = bodies
  const frame = first && mapFramePages(first, withoutSiblings)
  const isSame = (body: JsonTree) =>
    frame !== undefined && sameTree(mapFramePages(body, withoutSiblings), frame)
  if (!first || !others.every(isSame)) return undefined
  return mapFramePages(first, (page, at) =>
    objectOf([
      ...membersOf(page),
      ...others.flatMap((body) => {
        const own = itemsAt(body, 'query', 'pages')[at]
        return own ? siblingsIn(own) : []
      })
    ])
  )
}
