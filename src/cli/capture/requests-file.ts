/** The requests of `capture`: one query string per line. */
import { readFileSync } from 'node:fs'
import { type Params, parseUrlencoded } from '../../wiki/parameters/request-params.ts'
import { type Invocation, orUsageError, UsageError } from '../args/command.ts'

export interface RequestLine {
  readonly params: Params
  /** True if its continuations are followed to the end of the listing. */
  readonly follow: boolean
}

/** @throws UsageError */
export async function readRequests(call: Invocation): Promise<readonly RequestLine[]> {
  const file = call.value('requests')
  if (file === undefined)
    throw new UsageError(
      '--requests is missing; expected a file with one query string per line, or - for stdin',
    )
  const text =
    file === '-' ? await call.stdin() : orUsageError(`cannot read ${file}`, () => readFileSync(file, 'utf8'))
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'))
  if (lines.length === 0)
    throw new UsageError(
      `${file === '-' ? 'stdin' : file} has no requests; expected one query string per line`,
    )
  return lines.map((line) => ({
    params: parseRequestLine(line.trim()),
    follow: call.isOn('follow') || line.startsWith('+'),
  }))
}

/** A query string, or a whole URL. The format is json unless the line says otherwise. */
function parseRequestLine(line: string): Params {
  const query = line.replace(/^\+/, '').replace(/^(?:https?:\/)?\/[^?]*\?/, '')
  const params = parseUrlencoded(Buffer.from(query, 'utf8').toString('latin1'))
  return params.has('format') ? params : new Map([...params, ['format', 'json']])
}
