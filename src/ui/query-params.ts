/** What a page asks for: the parameters of its question, each checked. */
import type { Request } from 'express'
import { BadRequest } from './bad-request.ts'

interface UiQuery {
  /** Names of cassettes. */
  readonly cassette: string | undefined
  readonly a: string | undefined
  readonly b: string | undefined
  readonly folder: string | undefined
  readonly key: string | undefined
  /** Words to search for. */
  readonly q: string | undefined
  /** Where to go on. */
  readonly from: number
  /** Number of a response. */
  readonly response: number
}

const maxLength = 400

/** @throws Refusal */
export function readQuery({ originalUrl }: Request): UiQuery {
  const params = paramsOf(originalUrl)
  const text = (name: string): string | undefined => {
    const value = params.get(name) ?? undefined
    if (value !== undefined && value.length > maxLength)
      throw new BadRequest(400, 'bad-parameter', `${name} is longer than ${maxLength} characters`)
    return value
  }
  return {
    cassette: text('cassette'),
    a: text('a'),
    b: text('b'),
    folder: text('folder'),
    key: text('key'),
    q: text('q'),
    from: parseNumber(text('from') ?? '0', 'from'),
    response: parseNumber(text('response') ?? '0', 'response'),
  }
}

/** Numbers of members from the root of an answer on, e.g. `1.0.12`. @throws Refusal */
export function readNodePath({ originalUrl }: Request): readonly number[] {
  const text = paramsOf(originalUrl).get('place') ?? ''
  if (text === '') return []
  if (text.length > 4 * maxLength) throw new BadRequest(400, 'bad-parameter', 'place is too long')
  return text.split('.').map((part) => parseNumber(part, 'place'))
}

const paramsOf = (url: string): URLSearchParams => new URL(url, 'http://localhost').searchParams

function parseNumber(text: string, name: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new BadRequest(
    400,
    'bad-parameter',
    `${name} is ${JSON.stringify(text.slice(0, 40))}; expected a whole number`,
  )
}
