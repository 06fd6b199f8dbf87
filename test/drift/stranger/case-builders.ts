/** Parts of a stranger's cases: which answers are changed, and how severe that is for a client. */
import type { RecordedResponse } from '../../../src/recorder/cassette/interaction.ts'
import type { JsonTree } from '../../../src/recorder/json/json-tree.ts'
import { writeCompact } from '../../../src/recorder/json/write-json.ts'
import { isList, type Json, type Mutation, members } from '../content/mutating-wiki.ts'
import type { StrangerCase } from './stranger-cases.ts'
import type { StrangerChange } from './stranger-wiki.ts'

export const only =
  (pattern: RegExp, mutation: Mutation): Mutation =>
  (body, request) =>
    pattern.test(request) ? mutation(body, request) : body
export const each = (
  change: (response: RecordedResponse, request: string) => RecordedResponse
): StrangerChange => ({ response: change })
export const textOf = (
  pattern: RegExp,
  change: (text: string) => string,
  contentType?: string
): StrangerChange =>
  each((one, request) => {
    const isMeant = pattern.test(request) && one.body.kind !== 'binary'
    const isJson = one.body.kind === 'json'
    if (!isMeant || isJson !== !/exportnowrap|format=xml/.test(request)) return one
    const text =
      one.body.kind === 'json' ? writeCompact(one.body.tree, 'utf8') : one.body.text
    const headers = new Map(one.headers)
    if (contentType !== undefined) headers.set('content-type', contentType)
    return { ...one, headers, body: { kind: 'text', text: change(text) } }
  })

/** Numbers of the member as floats: `12.0`. */
export function withFloats(tree: JsonTree, name: RegExp): JsonTree {
  switch (tree.kind) {
    case 'array':
      return { ...tree, items: tree.items.map((one) => withFloats(one, name)) }
    case 'object':
      return {
        ...tree,
        members: tree.members.map((one) => ({
          ...one,
          value:
            name.test(one.key) && one.value.kind === 'literal'
              ? { ...one.value, text: `${one.value.text}.0` }
              : withFloats(one.value, name)
        }))
      }
    default:
      return tree
  }
}

export const list = (
  name: string,
  change: (all: readonly Json[]) => readonly Json[]
): Mutation =>
  members(new RegExp(`^${name}$`), (value) =>
    isList(value) ? [...change(value)] : value
  )

export const breaking = (name: string, change: StrangerChange): StrangerCase => ({
  name,
  severity: 'breaking',
  change
})
export const risky = (name: string, change: StrangerChange): StrangerCase => ({
  name,
  severity: 'risky',
  change
})
export const cosmetic = (name: string, change: StrangerChange): StrangerCase => ({
  name,
  severity: 'cosmetic',
  change
})
export const field = (
  pattern: RegExp,
  change: (value: Json) => Json | undefined
): StrangerChange => ({
  answer: members(pattern, change)
})
export const fieldOf = (
  request: RegExp,
  pattern: RegExp,
  change: (value: Json) => Json | undefined
): StrangerChange => ({ answer: only(request, members(pattern, change)) })
