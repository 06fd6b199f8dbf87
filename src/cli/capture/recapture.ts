/** Asks a live wiki what a cassette holds, into a cassette of its own: all of it, or it says what is missing. */
import type { Interaction } from '../../cassette/interaction.ts'
import { Rack } from '../../engine/registry/engine-registry.ts'
import type { ApiUrl } from '../../http/api-url.ts'
import type { Reply } from '../../http/incoming-request.ts'
import { withoutCredentials } from '../../privacy/redact/url-credentials.ts'
import type { Store } from '../../store/store.ts'
import { visible } from '../../text/escape-control-characters.ts'
import { plural } from '../../text/plural.ts'
import { UpstreamError } from '../../upstream/upstream.ts'
import { type Params, writeQuery } from '../../wiki/parameters/request-params.ts'
import { type Given, type Shell, UsageError } from '../args/command.ts'
import { ownLiveSide, patienceOf, Waiting, warnOfNoContact } from '../connect/wiki-upstream.ts'
import { refusesWrites } from '../flags/cassette-flags.ts'
import { showProgress } from '../terminal/progress.ts'
import { namedPages } from './named-pages.ts'
import { nextRequest } from './next-request.ts'
import type { Ask, Plan } from './recapture-plan.ts'
import { isLost, type Lack, tellLacks } from './request-failures.ts'
import { Asker, type Credentials, introduced } from './wiki-client.ts'

/** Who asks which wiki. */
export interface Errand {
  readonly api: ApiUrl
  readonly who: Credentials
  readonly given: Given
  readonly shell: Shell
}

/** How asking went. */
export interface Asked {
  readonly requests: number
  readonly done: number
  readonly liveRequests: number
  /** Why the new cassette is not whole; undefined where it is. */
  readonly lacks: string | undefined
  /** True where the wiki never answered. */
  readonly nothing: boolean
}

/** Nothing goes out with CI=true unless it is allowed. @throws UsageError */
export function mustBeAllowed(given: Given, shell: Shell): void {
  if (shell.env['CI'] === 'true' && !given.on('allow-live'))
    throw new UsageError('CI=true, and this asks a live wiki; add --allow-live if it shall')
}

/** Here nothing is written unless that was asked for in so many words. @throws UsageError */
export const asksWrites = (given: Given): boolean =>
  given.text('writes') !== undefined && !refusesWrites(given)

/** What is asked for beside the requests. */
export interface Beside {
  /** Modules that the requests put to work, by path. */
  readonly modules: readonly string[]
  /** Pages whose state is wanted: these, or all that the answers are about. */
  readonly pages: readonly string[] | 'named'
}

/** @param dir a new folder. @throws StoreError */
export async function askAgain(
  plan: Plan,
  dir: string,
  { modules, pages }: Beside,
  { api, who, given, shell }: Errand,
): Promise<Asked> {
  const waiting = new Waiting(shell)
  // What is had lies in a folder that goes with this run: each run asks everything.
  const mode = 'all'
  const rack = new Rack({
    cassette: dir,
    mode,
    live: ownLiveSide(api, given, shell, waiting),
    missStatus: 200,
    onMiss: 'error',
    recordErrors: given.on('record-errors'),
    keepCookies: given.texts('keep-cookie'),
    refuseWrites: !asksWrites(given),
    now: shell.now,
    // Nobody can look at the folder that it is recorded into.
    report: (line) => shell.err(`wikitape: ${visible(line.replaceAll(dir, api.host))}\n`),
  })
  warnOfNoContact(api, given, shell)
  const engine = rack.engine(undefined, undefined)
  const user = await introduced(engine, api.path, who)
  // The login of this run is nothing that was to be asked again.
  const introduction = [...engine.store.paths()].map(([key]) => key).filter((key) => !plan.renewed.has(key))
  const run = new AskingRun(user, new Asker(engine, api.path, undefined))
  shell
    .stopped()
    .then(() => run.stop())
    .catch(() => undefined)
  const total = plan.asks.length
  const progress = showProgress(
    shell,
    () => waiting.text || `${run.done}/${plural(total, 'request')} asked of ${api.host}`,
  )
  try {
    await engine.describe(modules, user.headers())
    await askAll(plan.asks, run, asksWrites(given) ? 1 : abreast(given))
    if (run.done > 0 && run.goesOn)
      await engine.keepPageStates(
        pages === 'named' ? namedPages(recordedIn(engine.store)) : pages,
        user.headers(),
      )
  } finally {
    progress.stop()
    for (const key of introduction) engine.store.drop(key)
    rack.close()
  }
  const notAsked = run.goesOn ? 0 : Math.max(0, total - run.done - run.lacks.length)
  tellLacks(run.lacks, notAsked, mode, shell)
  const { liveRequests, recorded, unchanged } = rack.counts()
  return {
    requests: total,
    done: run.done,
    liveRequests,
    lacks: lacksOf(run, total),
    nothing: recorded + unchanged === 0,
  }
}

/** One more than may be under way at the wiki: while one answer is read and written, the wiki works on the next. */
const abreast = (given: Given): number => patienceOf(given).concurrency + 1

/** Asks in order, so many abreast. @throws what the first that failed threw, once all others have come to their end */
async function askAll(asks: readonly Ask[], run: AskingRun, width: number): Promise<void> {
  const left = asks.values()
  const asking = async (): Promise<void> => {
    try {
      for (const ask of left) if (run.goesOn) await run.ask(ask)
    } catch (error) {
      run.stop()
      throw error
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: width }, asking))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

const recordedIn = (store: Store): readonly Interaction[] =>
  store.folders().flatMap((folder) => [...store.interactionsIn(folder)])

function lacksOf(run: AskingRun, total: number): string | undefined {
  if (run.done === total) return undefined
  const answered = `only ${run.done} of ${plural(total, 'request')} ${total === 1 ? 'was' : 'were'} answered`
  return `${answered}${run.why === '' ? ': stopped' : `: ${run.why}`}`
}

/** Asks in vain after which an address is taken for no wiki. */
const patience = 5

class AskingRun {
  /** Asks that were answered to their end. */
  done = 0
  /** The first thing that went wrong. */
  why = ''
  readonly #user: Asker
  readonly #nobody: Asker
  readonly #lacks: Lack[] = []
  #failed = 0
  #stopped = false

  constructor(user: Asker, nobody: Asker) {
    this.#user = user
    this.#nobody = nobody
  }

  get lacks(): readonly Lack[] {
    return this.#lacks
  }

  get goesOn(): boolean {
    return !this.#stopped
  }

  stop(): void {
    this.#stopped = true
  }

  async ask(ask: Ask): Promise<void> {
    const asker = ask.asUser ? this.#user : this.#nobody
    const whole = ask.kind === 'plain' ? await this.#plain(ask.target, asker) : await this.#walk(ask, asker)
    if (whole) this.done += 1
    else this.#failed += 1
    if (this.done === 0 && this.#failed === patience) this.#stopped = true
  }

  async #plain(target: string, asker: Asker): Promise<boolean> {
    return (await this.#answer(target, () => asker.get(target))) !== undefined
  }

  /** @returns false where an answer of the walk is missing */
  async #walk({ params: first, batches }: Extract<Ask, { kind: 'api' }>, asker: Asker): Promise<boolean> {
    const seen = new Set<string>()
    let params: Params | undefined = first
    while (params !== undefined && seen.size < batches) {
      const query: string = writeQuery(params)
      // A wiki that continues in a circle has been heard to its end.
      if (seen.has(query)) return true
      if (!this.goesOn) return false
      seen.add(query)
      const body: string | undefined = await this.#answer(query, () => asker.ask(query))
      if (body === undefined) return false
      params = nextRequest(first, params, body)
    }
    return true
  }

  /** The body; undefined where there was none that could be recorded. */
  async #answer(what: string, ask: () => Promise<Reply>): Promise<string | undefined> {
    try {
      const reply = await ask()
      // What is asked twice at once is answered to both, and is `replayed` for the second.
      if (['recorded', 'replayed'].includes(reply.cassetteStatus)) return reply.body.toString('utf8')
      this.#lack(what, reply.notRecorded ?? 'it was not recorded')
      this.why ||= 'the wiki gave an answer that cannot be recorded'
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      this.#lack(what, error.message)
      this.why ||= error.message
      if (isLost(error.fault)) this.#stopped = true
    }
    return undefined
  }

  #lack(what: string, why: string): void {
    this.#lacks.push({ request: withoutCredentials(`?${what}`).slice(1, 200), why })
  }
}
