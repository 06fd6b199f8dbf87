/** What Copy makes code of: a recorded request, or a live one. */
import type { SentRequestView } from '../../src/pages/run-views.ts'
import type { InteractionView } from '../../src/pages/views.ts'
import type { CopiedRequest } from './copy-as.ts'
import { plainTarget, queryOfParams, sendable, sentParams } from './recorded-query.ts'

export interface CopiedParts extends Omit<CopiedRequest, 'address'> {
  /** Undefined for that of the API. */
  readonly path: string | undefined
  /** Why the body is not among the parameters; empty if it is. */
  readonly unread: string
}

/** Bytes of a query that servers take in an address. */
const maxQuery = 4_000

export function copiedOf({ params, wrote }: InteractionView): CopiedParts {
  const target = plainTarget(params)
  if (target !== undefined) {
    const [path = '', query = ''] = target.split('?')
    const isPost = params.some(({ name }) => name === 'plain body')
    const unread = isPost ? 'only its digest is recorded' : ''
    return { path, params: [...new URLSearchParams(query)], files: [], isPost, unread }
  }
  const files = params.flatMap(({ name }) =>
    / file$/.test(name) ? name.slice(0, -5) : []
  )
  const isPost =
    wrote ||
    files.length > 0 ||
    params.some(({ name }) => /(?:token|password)$/.test(name)) ||
    queryOfParams(params).length > maxQuery
  return { path: undefined, params: sentParams(params), files, isPost, unread: '' }
}

export const copiedOfSent = ({
  path,
  method,
  params,
  files,
  unread
}: SentRequestView): CopiedParts => ({
  path,
  params: params.map(({ name, value }) => [name, sendable(name, value)]),
  files: files.map((one) => one.replace(/: \d+ bytes$/, '')),
  isPost: method === 'POST',
  unread
})
