/** Values that a replay hands out: each begins with the id of its session and ends with a check, so that every replica knows it. */
import { randomBytes } from 'node:crypto'
import { digest } from '../../request/request-key.ts'

const idLength = 16
const checkLength = 8

/** A new session's. */
export const newSessionId = (): string => randomBytes(idLength / 2).toString('hex')

/** The id in a value that was issued here; of others a digest. @param credential `name=value`, or of an Authorization header */
export const sessionIdOf = (credential: string): string =>
  issuedId(credential) ?? digest(credential, idLength)

/** True of a cookie with a value that a replay has issued. */
export const isIssued = (credential: string): boolean =>
  issuedId(credential) !== undefined

function issuedId(credential: string) {
  const value = credential.slice(credential.indexOf('=') + 1)
  const check = value.slice(-checkLength)
  const isDerived =
    value.length >= 2 * idLength && checkOf(value.slice(0, -checkLength)) === check
  return isDerived ? value.slice(0, idLength) : undefined
}

/** A value of hexadecimal digits. @param length 32 or more to be recognised. @param salt makes each another one */
export function issuedValue(id: string, salt: string, length: number): string {
  const body = (id + digest(`${id} ${salt}`, 64) + digest(`${salt} ${id}`, 64)).slice(
    0,
    length - checkLength
  )
  return (body + checkOf(body)).slice(0, length)
}

const checkOf = (body: string) => digest(`session ${body}`, checkLength)
