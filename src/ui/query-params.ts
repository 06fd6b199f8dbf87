/** Query parameters of requests of the pages. Each function throws a BadRequest where a parameter is invalid. */
import type { Request } from 'express'

export class BadRequest extends Error {
  readonly status: 400 | 404 | 405 | 413 | 503
  readonly code: string
  readonly info: string

  constructor(status: BadRequest['status'], code: string, info: string) {
    super(info)
    this.status = status
    this.code = code
    this.info = info
  }
}

export function textParam({ originalUrl }: Request, name: string, maxLength = 400): string | undefined {
  const value = new URL(originalUrl, 'http://localhost').searchParams.get(name) ?? undefined
  if (value !== undefined && value.length > maxLength)
    throw new BadRequest(400, 'bad-parameter', `${name} is longer than ${maxLength} characters`)
  return value
}

export const numberParam = (request: Request, name: string): number =>
  parseNumber(textParam(request, name) ?? '0', name)

function parseNumber(text: string, name: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const shown = JSON.stringify(text.slice(0, 40))
  throw new BadRequest(400, 'bad-parameter', `${name} is ${shown}; expected a whole number`)
}
