/** Fetches the wiki's descriptions of its modules, each once, and records them: keys are derived by them. */
import type { IncomingHeaders } from '../../http/incoming-request.ts'
import {
  itemsOf,
  type JsonTree,
  jsonArray,
  memberAt,
  memberOf,
  replaceMember,
  textOf,
  withoutMember
} from '../../json/json-tree.ts'
import { toPlain } from '../../json/plain-json.ts'
import type { WikiRequest } from '../../request/api-request.ts'
import { type Derivation, derive } from '../../request/derive.ts'
import type { Store } from '../../store/store.ts'
import { StoreError } from '../../store/store-error.ts'
import { UpstreamError } from '../../upstream/upstream.ts'
import { isMiserMessage } from '../../wiki/modules/module-descriptions.ts'
import { wikiFactsOf } from '../call.ts'
import type { RedactionGate } from '../redaction/redaction-gate.ts'
import type { RunSummary } from '../run-summary.ts'
import { type AskWiki, RetryLater } from './ask-wiki.ts'
import { copyBundled } from './bundled-modules.ts'
import { SiteDescriber } from './site-describer.ts'

/** Modules that one `action=paraminfo` takes from an anonymous caller. */
const batchSize = 50

export class ModuleDescriber {
  readonly #store: Store
  readonly #ask: AskWiki
  readonly #site: SiteDescriber
  readonly #requested = new Set<string>()
  /** One request at a time, so that calls arriving together ask once. */
  #queue: Promise<void> = Promise.resolve()
  readonly #summary: RunSummary
  readonly #redactionGate: RedactionGate
  /** The marks of modules that were described without them. */
  #marks: Promise<unknown> = Promise.resolve()
  /** Why the last attempt failed, where another one may succeed. */
  #lastFailure = ''

  constructor(
    store: Store,
    ask: AskWiki,
    summary: RunSummary,
    redactionGate: RedactionGate
  ) {
    this.#store = store
    this.#ask = ask
    this.#site = new SiteDescriber(store, ask)
    this.#summary = summary
    this.#redactionGate = redactionGate
  }

  /** The derivation with every module described that the wiki is willing to describe. @throws UpstreamError */
  async derive(request: WikiRequest, headers: IncomingHeaders): Promise<Derivation> {
    this.#summary.unwritten += copyBundled(this.#store, request)
    const known = derive(request, wikiFactsOf(this.#store))
    // The pages that rest.php names are known by what the wiki is.
    const isUndescribed =
      request.kind === 'plain' && !request.target.includes('/rest.php/')
    if (isUndescribed || this.#isComplete(known)) return known
    const task = this.#queue.then(() => this.#fetchMissing(request, headers))
    this.#queue = task.catch(() => undefined)
    await task
    this.#summary.unwritten += copyBundled(this.#store, request)
    return derive(request, wikiFactsOf(this.#store))
  }

  /**
   * Records what the wiki says of all its modules, whether a request uses them or not.
   * @param headers with the credentials of a caller who may read a private wiki
   * @returns how many; 0 where the wiki does not describe itself. @throws UpstreamError | StoreError
   */
  async describeAll(headers: IncomingHeaders): Promise<number> {
    await this.#site.describe(headers)
    const all = await this.#fetchModules(['main', '**'], headers)
    // Wikis before 1.28 do not know `**`, and describe only modules asked for by name.
    return all === 1 ? all + (await this.#describeSubmodules(['main'], headers)) : all
  }

  /** Records what the wiki says of these modules, so that no request has to ask first. @throws UpstreamError | StoreError */
  async describe(paths: readonly string[], headers: IncomingHeaders): Promise<void> {
    await this.#site.describe(headers)
    await this.#fetchInBatches(paths, headers)
  }

  /** All modules that the parameters of these name, and those that theirs name. */
  async #describeSubmodules(parents: readonly string[], headers: IncomingHeaders) {
    const seen = new Set(parents)
    let described = 0
    for (let wave = this.#submodulesOf(parents); wave.length > 0; ) {
      for (const path of wave) seen.add(path)
      described += await this.#fetchInBatches(wave, headers)
      wave = this.#submodulesOf(wave).filter((path) => !seen.has(path))
    }
    return described
  }

  async #fetchInBatches(paths: readonly string[], headers: IncomingHeaders) {
    let described = 0
    for (
      let at = 0;
      at < paths.length && this.#store.manifest.describesItself;
      at += batchSize
    )
      described += await this.#fetchModules(paths.slice(at, at + batchSize), headers)
    return described
  }

  #submodulesOf(paths: readonly string[]) {
    const parameters = paths.flatMap((path) => [
      ...(this.#store.module(path)?.parameters.values() ?? [])
    ])
    return [...new Set(parameters.flatMap(({ submodules }) => [...submodules.values()]))]
  }

  /** Why the key of a request is not final yet, so that it must not be recorded; undefined where it is. */
  whyIncomplete(request: WikiRequest, derivation: Derivation): string | undefined {
    if (request.kind === 'plain' || this.#isComplete(derivation)) return undefined
    return `the wiki's module descriptions are not recorded yet: ${this.#lastFailure}`
  }

  #isComplete(derivation: Derivation) {
    return this.#site.isDescribed && this.#undescribed(derivation).length === 0
  }

  #undescribed(derivation: Derivation) {
    if (!this.#store.manifest.describesItself) return []
    return derivation.undescribed.filter((path) => !this.#requested.has(path))
  }

  async #fetchMissing(request: WikiRequest, headers: IncomingHeaders) {
    try {
      // Side by side: the client waits, and may give up after some seconds.
      const siteFacts = this.#site.isDescribed ? undefined : this.#site.describe(headers)
      await Promise.all([siteFacts, this.#fetchUndescribed(request, headers, siteFacts)])
      // What the wiki is may tell of more modules.
      if (siteFacts) await this.#fetchUndescribed(request, headers)
    } catch (error) {
      if (!(error instanceof RetryLater || error instanceof StoreError)) throw error
      if (error instanceof StoreError) this.#summary.unwritten += 1
      this.#lastFailure = error.message
    }
  }

  async #fetchUndescribed(
    request: WikiRequest,
    headers: IncomingHeaders,
    siteFacts?: Promise<void>
  ) {
    for (;;) {
      const missing = this.#undescribed(derive(request, wikiFactsOf(this.#store))).slice(
        0,
        batchSize
      )
      if (missing.length === 0) return
      await this.#fetchModules(missing, headers, siteFacts)
    }
  }

  /** As `SiteDescriber.complete`, once the marks are there. @throws UpstreamError */
  async completeSite(headers: IncomingHeaders): Promise<void> {
    await this.#marks
    await this.#site.complete(headers)
  }

  /** Beside the client's request, whose key does not depend on them: the wiki has said only now that it is in miser mode. */
  #askForMarks(paths: readonly string[], headers: IncomingHeaders) {
    this.#marks = this.#fetchModules(paths, headers).catch((error: unknown) => {
      // Without them, more is refused.
      if (error instanceof StoreError) this.#summary.unwritten += 1
      else if (!(error instanceof UpstreamError)) throw error
    })
  }

  /** The help alone says which parameters filter after the limit. */
  #helpFormat() {
    return this.#store.manifest.site?.miserMode ? 'raw' : 'none'
  }

  /**
   * @param paths also `**`, all modules with their submodules. @param siteFacts where they are on their way
   * @returns how many modules were described
   */
  async #fetchModules(
    paths: readonly string[],
    headers: IncomingHeaders,
    siteFacts?: Promise<void>
  ) {
    const helpformat = this.#helpFormat()
    const params = { action: 'paraminfo', modules: paths.join('|'), helpformat }
    const tree = await this.#ask(params, headers)
    await siteFacts
    if (helpformat !== this.#helpFormat()) this.#askForMarks(paths, headers)
    if (!memberOf(tree, 'paraminfo')) {
      this.#store.setManifest({ ...this.#store.manifest, describesItself: false })
      return 0
    }
    let described = 0
    for (const module of itemsOf(memberAt(tree, 'paraminfo', 'modules'))) {
      const path = textOf(memberOf(module, 'path'))
      if (path === undefined || !(paths.includes(path) || paths.includes('**'))) continue
      // The link to the licence names the wiki's host and does not describe the module.
      const unlinked = withoutMember(module, 'licenselink')
      const description = helpformat === 'raw' ? withoutHelp(unlinked) : unlinked
      this.#store.putModule(path, description, (text) =>
        this.#redactionGate.mayWrite(path, text)
      )
      described += 1
    }
    // What is recorded needs no note; if its file is deleted, the wiki is asked again.
    for (const path of paths) if (!this.#store.module(path)) this.#requested.add(path)
    return described
  }
}

/** Without the help, except for the messages about miser mode, and the module's own, which shows that help was asked for. */
function withoutHelp(module: JsonTree) {
  const bare = (param: JsonTree) => {
    const messages = itemsOf(memberOf(param, 'description'))
    return messages.some((one) => isMiserMessage(toPlain(one)))
      ? param
      : withoutMember(param, 'description')
  }
  const parameters = jsonArray(itemsOf(memberOf(module, 'parameters')).map(bare))
  return replaceMember(withoutMember(module, 'examples'), 'parameters', () => parameters)
}
