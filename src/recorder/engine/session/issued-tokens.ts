/** Tokens that a replay hands out: each says what it is for and whose it is, so that every replica knows it. */
import type { Identity } from '../../request/api-request.ts'
import { digest } from '../../request/request-key.ts'
import { isWikiToken } from './caller-cookies.ts'

/** Whose a token is. */
export interface TokenHolder {
  readonly credentials: readonly string[]
  readonly identity: Identity
}

/** Those of MediaWiki and its common extensions. Source: API:Tokens */
const knownTypes = [
  ...['csrf', 'login', 'createaccount', 'watch', 'patrol', 'rollback', 'userrights'],
  ...['deleteglobalaccount', 'setglobalaccountstatus']
]

const holderLength = 8
/** Of a caller without a session. */
const nobody = '0'.repeat(holderLength)

/** @param length of the token that it stands for */
export function issueToken(type: string, length: number, holder: TokenHolder): string {
  const [own = nobody] = holderTexts(holder)
  return `${typeText(type, length)}${own}+\\`
}

/** What a token issued here is for; undefined for tokens from elsewhere, or of unknown extensions, which are accepted for anything. */
export const tokenTypeOf = (token: string): string | undefined =>
  knownTypes.find((type) => token.startsWith(typeText(type, token.length)))

/** False for a token issued here to another session, or if the caller has none any more (measured on 1.39 and 1.43). */
export function isTokenOf(token: string, holder: TokenHolder): boolean {
  const owner = token.slice(-holderLength - 2, -2)
  return owner === nobody || holderTexts(holder).includes(owner)
}

const typeText = (type: string, length: number) =>
  digest(`${type} token`, length - holderLength - 2)

/** Not by the wiki's own token, which lasts longer than a session. */
const holderTexts = ({ credentials, identity }: TokenHolder) =>
  credentials
    .filter((one) => !isWikiToken(one))
    .sort()
    .map((one) => digest(`${identity} ${one}`, holderLength))
