import { itemsOf, type JsonTree, memberOf, textOf } from '../../json/json-tree.ts'
import { mapStrings } from '../../json/map-strings.ts'
import { readJson } from '../../json/read-json.ts'
import { isFoundByFields, memberSecretKind } from '../secrets/member-secrets.ts'
import { addressesIn, looksRandom } from '../secrets/secret.ts'
import { pairSecretKind, requestSecretKind } from '../secrets/secret-names.ts'
import { type AnswerSource, sourceOfMember } from '../sources/answer-source.ts'
import { type Field, mapFields } from '../sources/fields.ts'
import { notePageSecrets } from './redact-page.ts'
import type { SecretReplacer } from './secret-replacer.ts'

/** The message to a caller who is blocked contains the caller's address. Source: ApiMessageTrait, ApiBlockInfoTrait */
const ownBlock = /^(?:auto)?blocked(?:text)?(?:-|$)|^systemblocked/

export function noteBlockedAddresses(tree: JsonTree, replacer: SecretReplacer): void {
  const errors = [memberOf(tree, 'error'), ...itemsOf(memberOf(tree, 'errors'))]
  for (const error of errors) {
    if (!error || !ownBlock.test(textOf(memberOf(error, 'code')) ?? '')) continue
    mapStrings(error, (value) => {
      for (const address of addressesIn(value))
        replacer.note({ kind: 'address', value: address, source: 'block message' })
      return value
    })
  }
}

type RedactField = (value: string, field: Field) => string

/** Redacts a field; secrets in it are noted. */
export function fieldRedactor(
  replacer: SecretReplacer,
  answer: AnswerSource
): RedactField {
  return (value, field) => {
    const { name, path } = field
    const source = sourceOfMember(path, answer)
    const kind = memberSecretKind(value, field, answer, source)
    if (kind !== undefined) {
      const secret = { kind, value, source: name }
      return isFoundByFields(secret, field, answer)
        ? replacer.redact(kind, value, name)
        : replacer.redactHere(kind, value, name)
    }
    if (source === 'content' || source === 'foreign') return value
    if (name === 'redirecttarget')
      return replacer.redactQuery(
        value,
        (key, one) =>
          requestSecretKind(key, one) ?? (looksRandom(one) ? 'token' : undefined)
      )
    noteNested(value, replacer, answer, 1)
    if (value.includes('<')) notePageSecrets(value, replacer)
    return value
  }
}

/** JSON in a string of the wiki's own. */
function noteNested(
  text: string,
  replacer: SecretReplacer,
  answer: AnswerSource,
  depth: number
) {
  if (depth > 4 || !/^\s{0,64}[[{]/.test(text)) return
  const reading = readJson(text)
  if (!reading.ok) return
  mapFields(reading.tree, (value, { name, path }) => {
    const kind =
      sourceOfMember(path, answer) === 'content' ? undefined : pairSecretKind(name, value)
    if (kind === undefined) noteNested(value, replacer, answer, depth + 1)
    else replacer.note({ kind, value, source: name })
    return value
  })
}
