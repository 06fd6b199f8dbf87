/** The cassettes of one test or suite: one for each wiki that its options name, those of a pattern when they are requested. */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { nameOfWiki } from '../../recorder/cassette/test-names.ts'
import { addCounts, type Counts } from '../../recorder/engine/run-summary.ts'
import { readableManifestIn } from '../../recorder/store/contents/manifest-file.ts'
import { originOf } from '../in-process/in-process-request.ts'
import { cassetteFolder, resolveInsertOptions } from '../in-process/insert-options.ts'
import { addPattern, isAnswered } from '../in-process/interceptors.ts'
import { Overrides } from '../in-process/overrides.ts'
import { CassetteProblem } from './failure-text.ts'
import type { TestProgramProxy } from './program-proxy.ts'
import {
  apiUrlsOf,
  type CassetteOwner,
  isPattern,
  originSource,
  type TestCassetteOptions,
  type TestOutcome,
  type WikiCassetteOptions
} from './test-cassette-options.ts'
import { WikiCassette } from './wiki-cassette.ts'

export class TestCassette {
  readonly #name: string
  readonly #owner: CassetteOwner
  /** Options by address or pattern. */
  readonly #wikis = new Map<string | undefined, WikiCassetteOptions>()
  #cassettes: WikiCassette[] = []
  readonly #endPattern: () => void
  #proxy: Promise<TestProgramProxy> | undefined
  /** Answers of the test's own, for each of its wikis. */
  readonly overrides: Overrides = new Overrides()

  /** Intercepts the wikis' requests. @throws Error if another cassette does so */
  constructor(name: string, options: TestCassetteOptions, owner: CassetteOwner) {
    this.#name = name
    this.#owner = owner
    this.#endPattern = addPattern({
      matches: (origin) => this.#patternOf(origin) !== undefined,
      insert: (origin) => this.#insertMatching(origin)
    })
    this.add(options)
  }

  /** More wikis, or other options for the same ones. @throws Error if another cassette answers for one of them */
  add(options: TestCassetteOptions): void {
    const { apiUrl: _, ...common } = options
    for (const apiUrl of apiUrlsOf(options)) this.#wikis.set(apiUrl, common)
    // Their names may be others now; those that have answered requests keep theirs.
    for (const cassette of this.#cassettes) if (!cassette.isOpen) cassette.release()
    this.#cassettes = this.#cassettes.filter(({ isOpen }) => isOpen)
    try {
      for (const [apiUrl, options] of this.#wikis) {
        if (apiUrl === undefined || !isPattern(apiUrl)) this.#insert(apiUrl, options)
        else for (const one of this.#recordedOrigins(options)) this.#insertMatching(one)
      }
    } catch (error) {
      this.#endPattern()
      for (const cassette of this.#cassettes) cassette.release()
      throw error
    }
  }

  /** Of each wiki, in the order in which they were named or requested. */
  get cassettes(): readonly WikiCassette[] {
    return this.#cassettes
  }

  mayRecord(): boolean {
    return this.#cassettes.length === 0 || this.#cassettes.some((one) => one.mayRecord())
  }

  counts(): Counts | undefined {
    const counts = this.#cassettes.flatMap((one) => one.counts() ?? [])
    return counts.length === 0 ? undefined : addCounts(counts)
  }

  /** For programs that the test starts: their requests are answered as its own are. */
  async environment(): Promise<NodeJS.ProcessEnv> {
    this.#proxy ??= import('./program-proxy.ts').then(({ startProgramProxy }) =>
      startProgramProxy({
        answerOf: (origin) => this.#cassetteOf(origin)?.answer,
        apiUrl: this.#cassettes[0]?.settings.api.href,
        refused: (why) => this.#cassettes[0]?.refuse(why)
      })
    )
    return (await this.#proxy).environment
  }

  #cassetteOf(origin: string) {
    this.#insertMatching(origin)
    return this.#cassettes.find(({ settings }) => settings.api.origin === origin)
  }

  /** For `checkNoMisses`: what was missed before a test. */
  missed(): ReadonlyMap<WikiCassette, number> {
    return new Map(this.#cassettes.map((one) => [one, one.counts()?.missed ?? 0]))
  }

  /** Fails a test in which requests were missed. */
  checkNoMisses(before: ReadonlyMap<WikiCassette, number>): void {
    for (const one of this.#cassettes) one.checkNoMisses(before.get(one) ?? 0)
  }

  /** Ends them, and writes what was recorded if all passed. @throws CassetteProblem, StoreError */
  async finish(outcome: TestOutcome): Promise<void> {
    await (await this.#proxy)?.close()
    this.#endPattern()
    let discardReason: string | undefined = outcome.reason ?? 'the test failed'
    try {
      const problems: string[] = []
      for (const one of this.#cassettes) {
        const problem = await one.close(outcome)
        if (problem !== undefined) problems.push(problem)
      }
      if (problems.length > 0) throw new CassetteProblem(problems.join('\n'))
      if (outcome.passed) discardReason = undefined
    } finally {
      for (const one of this.#cassettes) one.keep(discardReason)
    }
  }

  #insert(apiUrl: string | undefined, options: WikiCassetteOptions) {
    const origin = originOf(apiUrl ?? '')
    if (
      origin !== undefined &&
      this.#cassettes.some(({ settings }) => settings.api.origin === origin)
    )
      return
    const name = this.#nameFor(apiUrl, options)
    const quiet = { ...options, quiet: options.quiet ?? true }
    const settings = resolveInsertOptions(
      name,
      apiUrl === undefined ? quiet : { ...quiet, apiUrl }
    )
    if (this.#owner.isDefault && isAnswered(settings.api.origin, this.#owner.owner))
      return
    this.#cassettes.push(
      new WikiCassette({ ...settings, overrides: this.overrides }, options, this.#owner)
    )
  }

  /** With several wikis each has a folder with its host, except if the plain one has been recorded from it. */
  #nameFor(apiUrl: string | undefined, { root }: Pick<WikiCassetteOptions, 'root'>) {
    const [only] = this.#wikis.keys()
    if (apiUrl === undefined || (this.#wikis.size === 1 && apiUrl === only))
      return this.#name
    const plain = readableManifestIn(cassetteFolder(this.#name, root))?.upstream
    if (plain !== undefined && originOf(plain) === originOf(apiUrl)) return this.#name
    return nameOfWiki(this.#name, new URL(apiUrl).host)
  }

  #patternOf(origin: string) {
    return [...this.#wikis].find(
      ([apiUrl = '']) =>
        isPattern(apiUrl) && new RegExp(`^${originSource(apiUrl)}$`).test(origin)
    )
  }

  #insertMatching(origin: string) {
    const [pattern, options] = this.#patternOf(origin) ?? []
    if (pattern !== undefined && options)
      this.#insert(origin + new URL(pattern).pathname, options)
  }

  /** Wikis of a pattern that have a cassette already. */
  #recordedOrigins(options: WikiCassetteOptions) {
    const folder = cassetteFolder(this.#name, options.root)
    const parent = path.dirname(folder)
    const own = path.basename(folder)
    if (!existsSync(parent)) return []
    const names = readdirSync(parent).filter(
      (one) => one === own || one.startsWith(own.slice(0, 40))
    )
    return names.flatMap((one) => {
      const upstream = readableManifestIn(path.join(parent, one))?.upstream ?? ''
      const origin = originOf(upstream)
      const isOwn = origin !== undefined && this.#patternOf(origin) !== undefined
      return isOwn && path.basename(this.#nameFor(upstream, options)) === one
        ? [origin]
        : []
    })
  }
}
