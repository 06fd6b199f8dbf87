/** Requests read from a file, and a run of them: follows continuations, and reports what failed: an incomplete cassette must not look complete. */
import { readTree } from '../../recorder/json/read-json.ts'
import type { Mode } from '../../recorder/playback/decide.ts'
import { redactUrl } from '../../recorder/privacy/redact/redact-url.ts'
import { requireText } from '../../recorder/store/files/whole-files.ts'
import { plural, wordSet } from '../../recorder/text/words.ts'
import { UpstreamError } from '../../recorder/upstream/upstream.ts'
import {
  type Params,
  parseUrlencoded,
  writeQuery
} from '../../recorder/wiki/parameters/request-params.ts'
import { type Invocation, orUsageError, UsageError } from '../args/command.ts'
import { missedRequests } from '../files/run-files.ts'
import { printNote } from '../terminal/terminal-output.ts'
import { nextRequest } from './recorded-answers.ts'

export class RequestRun {
  readonly failures: { readonly request: string; readonly why: string }[] = []
  /** False once it was stopped, or the wiki cannot be reached at all. */
  isRunning = true

  /** @param call whose signal stops the run */
  constructor(call: Invocation) {
    const stop = () => this.stop()
    call.stopSignal().then(stop, () => undefined)
  }

  stop(): void {
    this.isRunning = false
  }

  /** Sends in order, with limited concurrency. @throws the first error, once all requests under way have ended */
  async sendEach<T>(
    all: readonly T[],
    parallel: number,
    send: (one: T) => Promise<void>
  ): Promise<void> {
    const queue = all.values()
    const sendNext = async () => {
      try {
        for (const one of queue) if (this.isRunning) await send(one)
      } catch (error) {
        this.stop()
        throw error
      }
    }
    const ends = await Promise.allSettled(Array.from({ length: parallel }, sendNext))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }

  /**
   * Sends a request, and what it continues to.
   * @param batches how many answers at most. @param send resolves to the body; undefined if there is none
   * @returns false if an answer of the walk is missing
   */
  protected async walk(
    first: Params,
    batches: number,
    send: (query: string) => Promise<string | undefined>,
    onCircle?: (query: string) => void
  ): Promise<boolean> {
    const seen = new Set<string>()
    let params: Params | undefined = first
    while (params) {
      const query = writeQuery(params)
      if (seen.has(query)) {
        onCircle?.(query)
        return true
      }
      if (!this.isRunning) return false
      seen.add(query)
      const body: string | undefined = await send(query)
      if (body === undefined) return false
      params =
        seen.size < batches ? nextRequest(first, params, readTree(body)) : undefined
    }
    return true
  }

  /** What `send` returns; undefined and a failure in the list if the wiki does not answer. */
  protected async attempt<T>(
    request: string,
    send: () => Promise<T>
  ): Promise<T | undefined> {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      this.failures.push({ request, why: error.message })
      if (fatal.has(error.fault)) this.stop()
      return undefined
    }
  }
}

/** Any other request would fail in the same way. */
const fatal: ReadonlySet<string> = wordSet(
  'unreachable untrusted proxy busy moved blocked'
)

export const shortQuery = (query: string): string => redactUrl(`?${query}`).slice(1, 200)

const maxListed = 20

/** @param skipped how many were not sent any more. @param mode decides what the same command run again would send */
export function reportFailures(
  failures: RequestRun['failures'],
  skipped: number,
  mode: Mode,
  call: Invocation
): void {
  // What a signal left out is told with it.
  if (failures.length === 0) return
  for (const { request, why } of failures.slice(0, maxListed))
    printNote(call, `failed: ${request}: ${why}`)
  const more = failures.length - maxListed
  if (more > 0) printNote(call, `failed: ${more} more`)
  const rest = skipped === 0 ? '' : `, ${skipped} skipped`
  printNote(
    call,
    `${plural(failures.length, 'request')} failed${rest}; ${retryAdvice[mode]}`
  )
}

const sendsEverything =
  'the same command run again sends everything (raise --retries or --max-wait)'
const sendsNothing =
  'with --mode new_episodes the same command sends only what is missing'
const retryAdvice: Readonly<Record<Mode, string>> = {
  new_episodes: 'the same command run again sends only what is missing',

  none: sendsNothing,
  once: sendsNothing,

  all: sendsEverything,
  update: sendsEverything,
  passthrough: sendsEverything
}

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
      follow: call.isOn('follow') || line.startsWith('+')
    }
  })
}

/** Query strings or whole URLs, as they are in the file. @throws UsageError */
export async function readRequestLines(call: Invocation): Promise<readonly string[]> {
  const file = call.value('requests')
  if (file === undefined)
    throw new UsageError(
      '--requests is missing; expected a file with one query string per line, or - for stdin (or --log with an access log)'
    )
  const text =
    file === '-'
      ? await call.stdin()
      : orUsageError(`cannot read ${file}`, () => requireText(file))
  const name = file === '-' ? 'stdin' : file
  const all = text.startsWith('{')
    ? missedRequests(text, name, call.value('cassette'))
    : text.split(/\r?\n/)
  const lines = all.filter((line) => line.trim() !== '' && !line.startsWith('#'))
  if (lines.length === 0)
    throw new UsageError(`${name} has no requests; expected one query string per line`)
  // Before the first `=` of a query string there is nothing but a parameter's name.
  const wrong = lines.find((line) => !/^[A-Za-z_][\w.[\]%-]*=/.test(queryIn(line.trim())))
  // The line itself is not shown: one of a log has its caller's address.
  if (wrong !== undefined)
    throw new UsageError(
      `${name}:${all.indexOf(wrong) + 1} is not a query string; expected lines like action=query&list=allpages${/ HTTP\//.test(wrong) ? ' (--log reads access logs)' : ''}`
    )
  return lines.map((line) => line.trim())
}

/** The query string of a line, which may have a whole URL. */
const queryIn = (line: string) =>
  line.replace(/^\+/, '').replace(/^(?:(?:https?:\/)?\/[^?\s]*)?\?/, '')
