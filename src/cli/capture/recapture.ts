/** Asks a live wiki what a cassette holds, into a cassette of its own: all of it, or it says what is missing. */
import type { Interaction } from '../../cassette/interaction.ts'
import { EngineRegistry } from '../../engine/registry/engine-registry.ts'
import type { ApiUrl } from '../../http/api-url.ts'
import type { Reply } from '../../http/incoming-request.ts'
import { redactUrl } from '../../privacy/redact/url-credentials.ts'
import type { Store } from '../../store/store.ts'
import { escapeControls } from '../../text/escape-control-characters.ts'
import { plural } from '../../text/plural.ts'
import { UpstreamError } from '../../upstream/upstream.ts'
import { type Params, writeQuery } from '../../wiki/parameters/request-params.ts'
import { type CommandContext, type ParsedArgs, UsageError } from '../args/command.ts'
import {
  politeUpstreamOptions,
  readRetryPolicy,
  WaitStatus,
  warnIfNoContact,
} from '../connect/wiki-upstream.ts'
import { refusesWrites } from '../flags/cassette-flags.ts'
import { showProgress } from '../terminal/progress.ts'
import { namedPages } from './named-pages.ts'
import { nextRequest } from './next-request.ts'
import type { RecapturePlan, RecaptureRequest } from './recapture-plan.ts'
import { isFatal, type RequestFailure, reportFailures } from './request-failures.ts'
import { type Credentials, loggedInClient, WikiClient } from './wiki-client.ts'

/** Who asks which wiki. */
export interface RecaptureJob {
  readonly api: ApiUrl
  readonly credentials: Credentials
  readonly args: ParsedArgs
  readonly context: CommandContext
}

/** How asking went. */
export interface RecaptureResult {
  readonly requests: number
  readonly done: number
  readonly liveRequests: number
  /** Why the new cassette is not whole; undefined where it is. */
  readonly incompleteReason: string | undefined
  /** True where the wiki never answered. */
  readonly nothingRecorded: boolean
}

/** Nothing goes out with CI=true unless it is allowed. @throws UsageError */
export function assertLiveAllowed(args: ParsedArgs, context: CommandContext): void {
  if (context.env['CI'] === 'true' && !args.isOn('allow-live'))
    throw new UsageError('CI=true, and this asks a live wiki; add --allow-live if it shall')
}

/** Here nothing is written unless that was asked for in so many words. @throws UsageError */
export const includesWrites = (args: ParsedArgs): boolean =>
  args.value('writes') !== undefined && !refusesWrites(args)

/** What is asked for beside the requests. */
export interface RecaptureExtras {
  /** Modules that the requests put to work, by path. */
  readonly modules: readonly string[]
  /** Pages whose state is wanted: these, or all that the answers are about. */
  readonly pages: readonly string[] | 'named'
}

/** @param dir a new folder. @throws StoreError */
export async function recapture(
  plan: RecapturePlan,
  dir: string,
  { modules, pages }: RecaptureExtras,
  { api, credentials: who, args: given, context: shell }: RecaptureJob,
): Promise<RecaptureResult> {
  const waitStatus = new WaitStatus(shell)
  // What is had lies in a folder that goes with this run: each run asks everything.
  const mode = 'all'
  const engines = new EngineRegistry({
    cassette: dir,
    mode,
    live: politeUpstreamOptions(api, given, shell, waitStatus),
    missStatus: 200,
    onMiss: 'error',
    recordErrors: given.isOn('record-errors'),
    keepCookies: given.values('keep-cookie'),
    refuseWrites: !includesWrites(given),
    now: shell.now,
    // Nobody can look at the folder that it is recorded into.
    report: (line) => shell.stderr(`wikitape: ${escapeControls(line.replaceAll(dir, api.host))}\n`),
  })
  warnIfNoContact(api, given, shell)
  const engine = engines.get(undefined, undefined)
  const user = await loggedInClient(engine, api.path, who)
  // The login of this run is nothing that was to be asked again.
  const loginKeys = [...engine.store.paths()].map(([key]) => key).filter((key) => !plan.renewed.has(key))
  const run = new RecaptureRun(user, new WikiClient(engine, api.path, undefined))
  shell
    .stopSignal()
    .then(() => run.stop())
    .catch(() => undefined)
  const total = plan.requests.length
  const progress = showProgress(
    shell,
    () => waitStatus.text || `${run.done}/${plural(total, 'request')} asked of ${api.host}`,
  )
  try {
    await engine.ownRequests?.describe(modules, user.headers())
    await sendAll(plan.requests, run, includesWrites(given) ? 1 : requestsInFlight(given))
    if (run.done > 0 && run.isRunning)
      await engine.ownRequests?.recordPageStates(
        pages === 'named' ? namedPages(interactionsOf(engine.store)) : pages,
        user.headers(),
      )
  } finally {
    progress.stop()
    for (const key of loginKeys) engine.store.delete(key)
    engines.close()
  }
  const skipped = run.isRunning ? 0 : Math.max(0, total - run.done - run.failures.length)
  reportFailures(run.failures, skipped, mode, shell)
  const { liveRequests, recorded, unchanged } = engines.counts()
  return {
    requests: total,
    done: run.done,
    liveRequests,
    incompleteReason: incompleteReasonOf(run, total),
    nothingRecorded: recorded + unchanged === 0,
  }
}

/** One more than may be under way at the wiki: while one answer is read and written, the wiki works on the next. */
const requestsInFlight = (args: ParsedArgs): number => readRetryPolicy(args).concurrency + 1

/** Asks in order, so many abreast. @throws what the first that failed threw, once all others have come to their end */
async function sendAll(
  requests: readonly RecaptureRequest[],
  run: RecaptureRun,
  width: number,
): Promise<void> {
  const left = requests.values()
  const sendNext = async (): Promise<void> => {
    try {
      for (const request of left) if (run.isRunning) await run.send(request)
    } catch (error) {
      run.stop()
      throw error
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: width }, sendNext))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

const interactionsOf = (store: Store): readonly Interaction[] =>
  store.folders().flatMap((folder) => [...store.interactionsIn(folder)])

function incompleteReasonOf(run: RecaptureRun, total: number): string | undefined {
  if (run.done === total) return undefined
  const answered = `only ${run.done} of ${plural(total, 'request')} ${total === 1 ? 'was' : 'were'} answered`
  return `${answered}${run.firstFailure === '' ? ': stopped' : `: ${run.firstFailure}`}`
}

/** Asks in vain after which an address is taken for no wiki. */
const maxFailuresAtStart = 5

class RecaptureRun {
  /** Asks that were answered to their end. */
  done = 0
  /** The first thing that went wrong. */
  firstFailure = ''
  readonly #user: WikiClient
  readonly #anonymous: WikiClient
  readonly #failures: RequestFailure[] = []
  #failedCount = 0
  #isStopped = false

  constructor(user: WikiClient, anonymous: WikiClient) {
    this.#user = user
    this.#anonymous = anonymous
  }

  get failures(): readonly RequestFailure[] {
    return this.#failures
  }

  get isRunning(): boolean {
    return !this.#isStopped
  }

  stop(): void {
    this.#isStopped = true
  }

  async send(send: RecaptureRequest): Promise<void> {
    const client = send.asUser ? this.#user : this.#anonymous
    const isComplete =
      send.kind === 'plain' ? await this.#plain(send.target, client) : await this.#walk(send, client)
    if (isComplete) this.done += 1
    else this.#failedCount += 1
    if (this.done === 0 && this.#failedCount === maxFailuresAtStart) this.#isStopped = true
  }

  async #plain(target: string, client: WikiClient): Promise<boolean> {
    return (await this.#answer(target, () => client.get(target))) !== undefined
  }

  /** @returns false where an answer of the walk is missing */
  async #walk(
    { params: first, batches }: Extract<RecaptureRequest, { kind: 'api' }>,
    client: WikiClient,
  ): Promise<boolean> {
    const seen = new Set<string>()
    let params: Params | undefined = first
    while (params !== undefined && seen.size < batches) {
      const query: string = writeQuery(params)
      // A wiki that continues in a circle has been heard to its end.
      if (seen.has(query)) return true
      if (!this.isRunning) return false
      seen.add(query)
      const body: string | undefined = await this.#answer(query, () => client.query(query))
      if (body === undefined) return false
      params = nextRequest(first, params, body)
    }
    return true
  }

  /** The body; undefined where there was none that could be recorded. */
  async #answer(what: string, send: () => Promise<Reply>): Promise<string | undefined> {
    try {
      const reply = await send()
      // What is asked twice at once is answered to both, and is `replayed` for the second.
      if (['recorded', 'replayed'].includes(reply.cassetteStatus)) return reply.body.toString('utf8')
      this.#addFailure(what, reply.whyNotRecorded ?? 'it was not recorded')
      this.firstFailure ||= 'the wiki gave an answer that cannot be recorded'
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      this.#addFailure(what, error.message)
      this.firstFailure ||= error.message
      if (isFatal(error.fault)) this.#isStopped = true
    }
    return undefined
  }

  #addFailure(what: string, firstFailure: string): void {
    this.#failures.push({ request: redactUrl(`?${what}`).slice(1, 200), why: firstFailure })
  }
}
