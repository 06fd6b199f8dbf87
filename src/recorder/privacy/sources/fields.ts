/** The fields of a JSON tree: each string with the name that says what it means. */
import { type JsonObject, type JsonTree, memberOf, textOf } from '../../json/json-tree.ts'
import { mapStrings } from '../../json/map-strings.ts'

export interface Field {
  /** The member's name; that beside it for the value of `{"name": …, "value": …}`; `password` for that of such a form field. */
  readonly name: string
  /** Names of members, from the top. Only valid during the call. */
  readonly path: readonly string[]
  /** The same with the numbers of items; absent outside of JSON. */
  readonly steps?: readonly (string | number)[]
}

type ChangeField = (value: string, field: Field) => string

export const mapFields = (tree: JsonTree, change: ChangeField): JsonTree =>
  mapStrings(tree, (value, { path, steps, owner }) =>
    change(value, { name: nameOfMember(owner, path.at(-1) ?? ''), path, steps })
  )

function nameOfMember(owner: JsonObject | undefined, key: string) {
  if (key !== 'value') return key
  if (textOf(memberOf(owner, 'type')) === 'password') return 'password'
  return textOf(memberOf(owner, 'name')) ?? key
}
