/** Cookie values that a replay hands out: they begin with the id of their session, so that every replica knows it. */
import { randomBytes } from 'node:crypto'
import { digest } from '../../request/request-key.ts'

const idLength = 16
const checkLength = 8

export const newSessionId = (): string => randomBytes(idLength / 2).toString('hex')

/** The id in a value that was derived here; of others a digest. @param credential `name=value`, or of an Authorization header */
export function sessionIdOf(credential: string): string {
  const value = credential.slice(credential.indexOf('=') + 1)
  const [id, check] = [value.slice(0, idLength), value.slice(-checkLength)]
  const isDerived = value.length >= 2 * idLength && checkOf(value.slice(0, -checkLength)) === check
  return isDerived ? id : digest(credential, idLength)
}

/** A value of hexadecimal digits. @param length 32 or more to be recognised. @param salt makes each another one */
export function derivedValue(id: string, salt: string, length: number): string {
  const body = (id + digest(`${id} ${salt}`, 64) + digest(`${salt} ${id}`, 64)).slice(0, length - checkLength)
  return (body + checkOf(body)).slice(0, length)
}

const checkOf = (body: string): string => digest(`session ${body}`, checkLength)
