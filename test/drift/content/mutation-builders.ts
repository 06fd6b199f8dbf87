/** Parts of mutations: what of an answer is changed. */
import type { RecordedResponse } from '../../../src/recorder/cassette/interaction.ts'
import {
  isList,
  isRecord,
  type Json,
  type JsonRecord,
  lists,
  type Mutation,
  members,
  type WikiChange
} from './mutating-wiki.ts'

export const asText = (value: Json): Json =>
  typeof value === 'number' ? String(value) : value
export const texts =
  (change: (text: string) => string) =>
  (value: Json): Json =>
    typeof value === 'string' ? change(value) : value
export const numbers =
  (change: (number: number) => number) =>
  (value: Json): Json =>
    typeof value === 'number' ? change(value) : value
export const gone = (): undefined => undefined
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

/** Every text, wherever it is. */
export const everyText = (change: (text: string) => string): Mutation => {
  const walk = (value: Json): Json => {
    if (typeof value === 'string') return change(value)
    if (isList(value)) return value.map(walk)
    if (!isRecord(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, walk(member)])
    )
  }
  return (answer) => walk(answer)
}
export const time = (change: (iso: string) => string): Mutation =>
  everyText((text) => (isoTime.test(text) ? change(text) : text))

export const onTop =
  (change: (answer: JsonRecord, request: string) => Json): Mutation =>
  (answer, request) =>
    isRecord(answer) ? change(answer, request) : answer
export const onQuery = (change: (query: JsonRecord, request: string) => Json): Mutation =>
  onTop((answer, request) =>
    isRecord(answer['query'])
      ? { ...answer, query: change(answer['query'], request) }
      : answer
  )
export const onContinue = (change: (values: JsonRecord) => JsonRecord): Mutation =>
  onTop((answer) =>
    isRecord(answer['continue'])
      ? { ...answer, continue: change(answer['continue']) }
      : answer
  )
export const onPages = (change: (page: JsonRecord) => JsonRecord): Mutation =>
  onQuery((query) => {
    const { pages } = query
    const changed = isList(pages)
      ? pages.map((one) => (isRecord(one) ? change(one) : one))
      : isRecord(pages)
        ? mapEntries(pages, (id, one) => [id, isRecord(one) ? change(one) : one])
        : undefined
    return changed === undefined ? query : { ...query, pages: changed }
  })
export const mapEntries = (
  record: JsonRecord,
  change: (name: string, value: Json) => readonly [string, Json]
): JsonRecord =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => change(name, value)))

export const hasText = (change: (html: string) => string): Mutation =>
  members(/^text$/, (value) =>
    typeof value === 'string'
      ? change(value)
      : isRecord(value) && typeof value['*'] === 'string'
        ? { ...value, '*': change(value['*']) }
        : value
  )
export const right = (change: (names: readonly Json[]) => readonly Json[]): Mutation =>
  members(/^rights$/, (value) => (isList(value) ? change(value) : value))
export const response = (
  change: (one: RecordedResponse) => RecordedResponse
): WikiChange => ({
  response: change
})
/** Rows of listings, but no pages or users that the request names, and no settings. */
export const batches = (
  change: (all: readonly JsonRecord[]) => readonly JsonRecord[]
): Mutation => {
  const onLists = lists(change)
  return (answer, request) =>
    /titles=|ususers=|meta=siteinfo/.test(request) ? answer : onLists(answer, request)
}
export const isFailed = ({ body }: RecordedResponse): boolean =>
  body.kind === 'json' &&
  body.tree.kind === 'object' &&
  body.tree.members.some(({ key }) => key === 'error')
