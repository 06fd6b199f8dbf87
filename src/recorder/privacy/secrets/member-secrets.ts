/** Which fields of an answer are secrets: one rule for the recorder, which replaces them, and for `check`. */
import { wordSet } from '../../text/words.ts'
import {
  type AnswerSource,
  isOfCaller,
  sourceOfMember,
  type TextSource
} from '../sources/answer-source.ts'
import type { Field } from '../sources/fields.ts'
import {
  isAddress,
  isFoundInContent,
  isLocalAddress,
  isPlaceholder,
  isWholeToken,
  looksRandom,
  type Secret,
  type SecretKind
} from './secret.ts'
import { answerSecretKind, isEmail, pairSecretKind } from './secret-names.ts'

/** The kind of secret in a field; undefined for what stays as the wiki said it. @param source where the field comes from, if it is known already */
export function memberSecretKind(
  value: string,
  field: Field,
  answer: AnswerSource,
  source: TextSource = sourceOfMember(field.path, answer)
): SecretKind | undefined {
  if (value === '' || value === 'deleted' || isPlaceholder(value)) return undefined
  switch (source) {
    case 'content':
      return isRowToken(value, field) ? 'token' : undefined
    case 'foreign':
      return isWholeToken(value) ? 'token' : pairSecretKind(field.name, value)
    case 'own':
      return ownSecretKind(value, field)
    case 'credential':
      return ownSecretKind(value, field) ?? issuedSecretKind(value, field, answer)
  }
}

/** Until 1.36, rows had tokens: `rollbacktoken`. Source: ApiQueryRevisions::getTokenFunctions */
const isRowToken = (value: string, { name, path }: Field) =>
  path[0] === 'query' &&
  path.includes('pages') &&
  name.endsWith('token') &&
  isWholeToken(value)

function ownSecretKind(value: string, { name, path }: Field) {
  const kind = answerSecretKind(name, value)
  if (kind !== undefined) return kind === 'credentials' ? 'oauth' : kind
  if (isWholeToken(value)) return 'token'
  // The IP address of a caller who is not logged in (spec, Authentication 2).
  if (
    name === 'name' &&
    path.at(-2) === 'userinfo' &&
    isAddress(value) &&
    !isLocalAddress(value)
  )
    return 'address'
  // The key for an authenticator app. Source: TOTPAuthenticationRequest
  return name === 'key' && path.at(-2) === 'metadata' && /^[\w+/=-]{6,}$/.test(value)
    ? 'oauth'
    : undefined
}

/** What an OAuth endpoint says besides secrets. Sources: OAuth 1.0, RFC 6749, SpecialMWOAuth::identify */
const harmlessNames = wordSet(
  'oauth_callback_confirmed token_type expires_in scope error error_description hint message sub username editcount ' +
    'confirmed_email blocked registered groups rights grants iss aud exp iat'
)

function issuedSecretKind(
  value: string,
  { name, path }: Field,
  { page, isApi }: AnswerSource
) {
  if (isEmail(value)) return 'email'
  const isOAuth = page === 'OAuth' || (!isApi && page === '')
  if (
    isOAuth &&
    !path.some((step) => harmlessNames.has(step)) &&
    !harmlessNames.has(name)
  )
    return 'oauth'
  return looksRandom(value) ? 'token' : undefined
}

/**
 * True where the secret is replaced, and searched for, wherever it stands: one that no text contains by chance; an address or
 * e-mail only where the wiki says that it is the caller's.
 */
export function isFoundByFields(
  secret: Secret,
  { path }: Field,
  { source }: AnswerSource
): boolean {
  if (source === 'foreign') return false
  if (secret.kind === 'address') return true
  if (secret.kind === 'email') return source === 'credential' || isOfCaller(path)
  return isFoundInContent(secret)
}
