/** Routes of the pages, and query parameters of their requests. Each function throws a BadRequest if a parameter is invalid. */
import type { Request, Router } from 'express'
import { describeFailure, type OwnError } from '../recorder/http/reply-headers.ts'
import { errorText } from '../recorder/text/error-text.ts'

export class BadRequest extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export function faultOf(error: unknown): OwnError {
  if (error instanceof BadRequest)
    return { status: error.status, code: error.code, info: error.message }
  // What express's own reader of bodies refuses has its status.
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500
  if (status === 400 || status === 413)
    return {
      status,
      code: 'bad-body',
      info: `the body cannot be read: ${errorText(error)}`
    }
  return describeFailure(error)
}

type RequestAddress = Pick<Request, 'originalUrl'>

export function textParam(
  { originalUrl }: RequestAddress,
  name: string,
  maxLength = 400
): string | undefined {
  const value =
    new URL(originalUrl, 'http://localhost').searchParams.get(name) ?? undefined
  const fault = `${name} is longer than ${maxLength} characters`
  if (value !== undefined && value.length > maxLength)
    throw new BadRequest(400, 'bad-parameter', fault)
  return value
}

export function numberParam(request: RequestAddress, name: string): number {
  const text = textParam(request, name) ?? '0'
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const shown = JSON.stringify(text.slice(0, 40))
  const fault = `${name} is ${shown}; expected a whole number`
  throw new BadRequest(400, 'bad-parameter', fault)
}

/** @param root by default that of the pages' own views, whose form may change with every version */
export const getIn =
  (router: Router, root = '/api/') =>
  (path: string, view: (request: Request) => unknown): void => {
    router.get(
      root + path,
      async (request, response) => void response.json(await view(request))
    )
  }
