/** The upstreams of an import: one answers with the imported answers, the other wikitape's own requests. Of those, only descriptions may be asked of a live wiki; what else describes the wiki goes into the manifest. */
import { authorizationOf } from '../recorder/engine/session/caller-cookies.ts'
import { identityIn } from '../recorder/engine/session/update-session.ts'
import { readTree } from '../recorder/json/read-json.ts'
import type { CassetteStore } from '../recorder/store/cassette-store.ts'
import type { Store } from '../recorder/store/store.ts'
import { type Upstream, UpstreamError } from '../recorder/upstream/upstream.ts'
import { bodyText, type WikiAnswer } from '../recorder/wiki/answers/wiki-answer.ts'
import { bundledModule } from '../recorder/wiki/modules/module-descriptions.ts'
import type { ImportedEntry, ImportedExchange } from './exchange/exchanges.ts'

/** A live wiki, or a cassette, that describes modules. */
export type DescriptionSource = Upstream | CassetteStore

export class ImportedUpstream implements Upstream {
  /** The answer of the exchange that is recorded. */
  nextAnswer: WikiAnswer | undefined

  async ask(): Promise<WikiAnswer> {
    const answer = this.nextAnswer
    this.nextAnswer = undefined
    if (!answer)
      throw new UpstreamError('reset', 'no answer to this request was recorded')
    return answer
  }

  close(): void {}
}

export class OwnUpstream implements Upstream {
  readonly #liveDescriber: Upstream | undefined
  readonly #describedCassette: CassetteStore | undefined
  /** The recorded answer that names the caller of the exchange that is recorded. */
  callerAnswer: WikiAnswer | undefined
  /** True if the wiki may be one that does not describe itself: nothing says otherwise. */
  mayRefuseDescriptions = false
  /** The wiki's software, if known, which selects bundled descriptions. */
  generator: string | undefined

  constructor(descriptionSource: DescriptionSource | undefined) {
    const isLive = descriptionSource !== undefined && 'ask' in descriptionSource
    this.#liveDescriber = isLive ? descriptionSource : undefined
    this.#describedCassette = isLive ? undefined : descriptionSource
  }

  async ask(
    request: Parameters<Upstream['ask']>[0],
    signal?: AbortSignal
  ): Promise<WikiAnswer> {
    const { target } = request
    // A live wiki knows neither the recorded sessions nor who had them.
    if (!asksForDescription(target)) {
      const named = target.includes('meta=userinfo') ? this.callerAnswer : undefined
      return named ?? jsonAnswer(200, '{}')
    }
    return this.#liveDescriber
      ? withoutWikiId(await this.#liveDescriber.ask(request, signal))
      : this.#ownAnswer(target)
  }

  close(): void {
    this.#liveDescriber?.close()
  }

  /**
   * Refusing would mark a cassette that holds descriptions as one without: there, another cassette's or bundled
   * descriptions stand in for the wiki's.
   */
  #ownAnswer(target: string) {
    const wanted = new URL(target, 'http://wiki.invalid').searchParams.get('modules')
    if (this.mayRefuseDescriptions || wanted === null)
      return jsonAnswer(
        this.mayRefuseDescriptions ? 400 : 503,
        '{"error":{"code":"not-described"}}'
      )
    const modules = wanted.split('|').flatMap((path) => this.#module(path) ?? [])
    return jsonAnswer(200, `{"paraminfo":{"modules":[${modules.join(',')}]}}`)
  }

  #module(path: string) {
    const bundled = bundledModule(path, this.generator)
    return (
      this.#describedCassette?.moduleText(path) ?? (bundled && JSON.stringify(bundled))
    )
  }
}

/** The live wiki may be another one than the recorded. */
function withoutWikiId(answer: WikiAnswer) {
  const text = Buffer.from(answer.body).toString('utf8')
  return {
    ...answer,
    body: Buffer.from(text.replace(/"wikiid": ?"[^"]*"/, '"wikiid":""'))
  }
}

const jsonAnswer = (status: number, text: string) => ({
  status,
  headers: new Map([['content-type', 'application/json']]),
  setCookies: [],
  body: Buffer.from(text)
})

/** True of these targets of engine/own-requests/. */
const asksForDescription = (target: string) =>
  /[?&]helpformat=(?:none|raw)&format=json&formatversion=2$|[?&]siprop=general\|namespaces\|namespacealiases[a-z|]*&format=json&formatversion=2$/.test(
    target
  )

/** The cassette is as old as its oldest recording (docs/decisions/0007-expiry.md), and of unknown age if none is dated. */
export function initialiseManifest(
  store: Store,
  descriptionSource: DescriptionSource | undefined,
  day: string | undefined
): void {
  const { recorded } = store.manifest
  const oldest =
    store.size === 0 ? day : recorded && [recorded, day ?? recorded].sort()[0]
  store.setManifest({ ...store.manifest, recorded: oldest })
  if (!descriptionSource || 'ask' in descriptionSource || store.manifest.site) return
  const { site, engine } = descriptionSource.manifest
  if (!site) return
  // The other cassette may be of another wiki.
  const { wikiId: _, ...facts } = site
  store.setManifest({ ...store.manifest, site: facts, engine })
}

/**
 * For each entry the next answer that names the user of its credentials, unless the caller may have changed in between. An
 * anonymous caller may have been logged in before: sessions expire.
 */
export function findCallerAnswers(
  entries: readonly ImportedEntry[]
): ReadonlyMap<ImportedEntry, WikiAnswer | undefined> {
  const next = new Map<string, WikiAnswer>()
  const found = new Map<ImportedEntry, WikiAnswer | undefined>()
  for (const entry of entries.toReversed()) {
    if (entry.kind === 'unusable') {
      next.clear()
      continue
    }
    const { exchange } = entry
    const credentials = `${exchange.headers['cookie'] ?? ''}\n${authorizationOf(exchange.headers) ?? ''}`
    if (mayChangeCaller(exchange)) next.delete(credentials)
    if (namesUser(exchange)) next.set(credentials, exchange.answer)
    found.set(entry, next.get(credentials))
  }
  return found
}

const mayChangeCaller = ({ method, url, answer }: ImportedExchange) =>
  method === 'POST' || answer.setCookies.length > 0 || /logout/i.test(url.search)

const namesUser = ({ url, body, answer }: ImportedExchange) =>
  (url.search.includes('userinfo') || Buffer.from(body).includes('userinfo')) &&
  identityIn(readTree(bodyText(answer) ?? ''))?.startsWith('user:') === true
