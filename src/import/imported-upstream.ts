/** Stands for the wiki while its kept answers are recorded. */
import type { CassetteStore } from '../store/cassette-store.ts'
import { type AbortListenable, type Upstream, UpstreamError } from '../upstream/upstream.ts'
import type { WikiAnswer } from '../wiki/answers/wiki-answer.ts'
import { bundledModule } from '../wiki/modules/bundled-modules.ts'

/** Answers with what was kept; only what wikitape itself wants to know of the wiki may be asked of a live one. */
export class ImportedUpstream implements Upstream {
  readonly #liveDescriber: Upstream | undefined
  readonly #describedCassette: CassetteStore | undefined
  /** The answer of the exchange at hand. */
  nextAnswer: WikiAnswer | undefined
  /** True where the wiki may be taken for one that does not describe itself: nothing here says otherwise. */
  mayRefuseDescriptions = false
  /** The software, where it is known, whose modules wikitape may know. */
  generator: string | undefined

  /** @param descriptionSource a live wiki, or a cassette, that tells what the modules are like */
  constructor(descriptionSource: Upstream | CassetteStore | undefined) {
    const isLive = descriptionSource !== undefined && 'ask' in descriptionSource
    this.#liveDescriber = isLive ? descriptionSource : undefined
    this.#describedCassette = isLive ? undefined : descriptionSource
  }

  async ask(request: Parameters<Upstream['ask']>[0], signal?: AbortListenable): Promise<WikiAnswer> {
    if (isOwnRequest(request.target)) {
      return this.#liveDescriber === undefined
        ? this.#ownAnswer(request.target)
        : withoutWikiId(await this.#liveDescriber.ask(request, signal))
    }
    const answer = this.nextAnswer
    this.nextAnswer = undefined
    if (answer === undefined) throw new UpstreamError('reset', 'no answer to this was kept')
    return answer
  }

  close(): void {
    this.#liveDescriber?.close()
  }

  /**
   * A cassette that holds descriptions must not lose its trust in them: there, what another cassette or wikitape itself
   * knows of a module stands for what the wiki would say.
   */
  #ownAnswer(target: string): WikiAnswer {
    const wanted = new URL(target, 'http://wiki.invalid').searchParams.get('modules')
    if (this.mayRefuseDescriptions || wanted === null)
      return jsonAnswer(this.mayRefuseDescriptions ? 400 : 503, '{"error":{"code":"not-described"}}')
    const modules = wanted.split('|').flatMap((path) => this.#module(path) ?? [])
    return jsonAnswer(200, `{"paraminfo":{"modules":[${modules.join(',')}]}}`)
  }

  #module(path: string): string | undefined {
    const described = this.#describedCassette?.moduleText(path)
    const shipped = bundledModule(path, this.generator)
    return described ?? (shipped && JSON.stringify(shipped))
  }
}

/** Whoever describes the modules may be another wiki than the one that was recorded. */
function withoutWikiId(answer: WikiAnswer): WikiAnswer {
  const text = Buffer.from(answer.body).toString('utf8')
  return { ...answer, body: Buffer.from(text.replace(/"wikiid": ?"[^"]*"/, '"wikiid":""')) }
}

const jsonAnswer = (status: number, text: string): WikiAnswer => ({
  status,
  headers: new Map([['content-type', 'application/json']]),
  setCookies: [],
  body: Buffer.from(text),
})

/** As proxy/describe.ts asks. */
const isOwnRequest = (target: string): boolean =>
  /[?&]helpformat=none&format=json&formatversion=2$|[?&]siprop=general\|namespaces\|namespacealiases&format=json&formatversion=2$/.test(
    target,
  )
