/** The requests of `capture`: one query string per line. */
import { readFileSync } from 'node:fs'
import { type Params, parseUrlencoded } from '../../wiki/parameters/request-params.ts'
import { type Invocation, orUsageError, UsageError } from '../args/command.ts'

export interface RequestLine {
  readonly params: Params
  /** True if its continuations are followed to the end of the listing. */
  readonly follow?: boolean
}

/** The format is json unless a line says otherwise. @throws UsageError */
export async function readRequests(call: Invocation): Promise<readonly RequestLine[]> {
  return (await readRequestLines(call)).map((line) => {
    const params = parseUrlencoded(Buffer.from(queryIn(line), 'utf8').toString('latin1'))
    return {
      params: params.has('format') ? params : new Map([...params, ['format', 'json']]),
      follow: call.isOn('follow') || line.startsWith('+'),
    }
  })
}

/** Query strings or whole URLs, as they are in the file. @throws UsageError */
export async function readRequestLines(call: Invocation): Promise<readonly string[]> {
  const file = call.value('requests')
  if (file === undefined)
    throw new UsageError(
      '--requests is missing; expected a file with one query string per line, or - for stdin (or --log with an access log)',
    )
  const text =
    file === '-' ? await call.stdin() : orUsageError(`cannot read ${file}`, () => readFileSync(file, 'utf8'))
  const name = file === '-' ? 'stdin' : file
  const all = text.split(/\r?\n/)
  const lines = all.filter((line) => line.trim() !== '' && !line.startsWith('#'))
  if (lines.length === 0) throw new UsageError(`${name} has no requests; expected one query string per line`)
  const wrong = lines.find((line) => !isRequestLine(line.trim()))
  // The line itself is not shown: one of a log has its caller's address.
  if (wrong !== undefined)
    throw new UsageError(
      `${name}:${all.indexOf(wrong) + 1} is not a query string; expected lines like action=query&list=allpages${/ HTTP\//.test(wrong) ? ' (--log reads access logs)' : ''}`,
    )
  return lines.map((line) => line.trim())
}

/** Of a line with a query string, or with a whole URL. */
const queryIn = (line: string): string =>
  line.replace(/^\+/, '').replace(/^(?:(?:https?:\/)?\/[^?\s]*)?\?/, '')

/** Before the first `=` of a query string there is nothing but a parameter's name. */
const isRequestLine = (line: string): boolean => /^[A-Za-z_][\w.[\]%-]*=/.test(queryIn(line))
