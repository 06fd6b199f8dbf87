/**
 * The rule of docs/sessions.md, held: several sessions without names run programs of reads and writes against a wiki
 * that is recorded; then they run again in another order, interleaved otherwise, with writes left out. Every answer is
 * what the wiki says to such a program, or a miss; a miss only where a write is missing that the answer depends on.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import type { HttpReply } from '../helpers/http-client.ts'
import { startProxy } from '../helpers/proxies.ts'
import { Client } from '../helpers/stateful-wiki.ts'

type Step =
  | { readonly kind: 'edit'; readonly title: string; readonly text: string }
  | { readonly kind: 'delete'; readonly title: string }
  | { readonly kind: 'read'; readonly titles: string }
  | { readonly kind: 'list' }
  | { readonly kind: 'parse' | 'links' | 'linkshere' | 'purge'; readonly title: string }
  | { readonly kind: 'generated' | 'site' | 'who' }

/** What a session has done: each session has pages of its own, so that only its own writes show. */
type Program = readonly Step[]

/** Pages by title: what a wiki says that has nothing in it but what one session wrote. */
class Model {
  readonly #pages = new Map<string, string>()
  readonly #owner: string

  constructor(owner: string) {
    this.#owner = owner
  }

  answer(params: ReadonlyMap<string, string>): string {
    const title = params.get('title') ?? params.get('page') ?? ''
    switch (params.get('action')) {
      case 'edit':
        this.#pages.set(title, params.get('text') ?? '')
        return JSON.stringify({ edit: { result: 'Success', title } })
      case 'delete':
        this.#pages.delete(title)
        return JSON.stringify({ delete: { title } })
      case 'parse':
        return JSON.stringify({ parse: { title, text: this.#shown(title) } })
      case 'purge':
        return JSON.stringify({ purge: [{ title: params.get('titles') ?? '', purged: '' }] })
      default:
        return this.#query(params)
    }
  }

  #query(params: ReadonlyMap<string, string>): string {
    if (params.get('meta') === 'siteinfo') return JSON.stringify({ query: { general: { lang: 'ru' } } })
    if (params.get('meta') === 'userinfo') return JSON.stringify({ query: { userinfo: { id: this.#owner } } })
    const all = [...this.#pages.keys()].sort()
    if (params.get('list') === 'allpages')
      return JSON.stringify({ query: { allpages: all.map((title) => ({ title })) } })
    const titles = params.has('generator') ? all : (params.get('titles') ?? '').split('|')
    const tell = (title: string): string => {
      switch (params.get('prop')) {
        case 'links':
          return this.#links(title).join()
        case 'linkshere':
          return all.filter((one) => this.#links(one).includes(title)).join()
        default:
          return this.#pages.get(title) ?? 'missing'
      }
    }
    return JSON.stringify({ query: { pages: titles.map((title) => ({ title, text: tell(title) })) } })
  }

  /** Links of a page: what its text, with all the pages that it includes, names in brackets. */
  #links(title: string): readonly string[] {
    return [...this.#shown(title).matchAll(/\[(\w+)\]/g)].flatMap(([, to]) => to ?? []).sort()
  }

  /** The text of a page, the ordinary pages in it that braces name, and of those again. */
  #shown(title: string, seen: readonly string[] = []): string {
    if (seen.includes(title)) return ''
    return (this.#pages.get(title) ?? '').replace(/\{(\w+)\}/g, (_, inner: string) =>
      this.#shown(inner, [...seen, title]),
    )
  }
}

/** Of a page: a word, and at times a link to another or another that it includes. */
const textOf = (title: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom('1', '2'),
    title.map((one) => `[${one}]`),
    title.map((one) => `{${one}}`),
  )

const step = (at: number): fc.Arbitrary<Step> => {
  const title = fc.constantFrom('A', 'B', 'C').map((letter) => `${letter}${at}`)
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('edit' as const), title, text: textOf(title) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), title }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('purge' as const), title }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constantFrom('links' as const, 'links' as const, 'linkshere' as const),
        title,
      }),
    },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('read' as const), titles: title }) },
    { weight: 2, arbitrary: fc.constant({ kind: 'list' as const }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('parse' as const), title }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constantFrom('site' as const, 'who' as const, 'generated' as const) }),
    },
  )
}

const sessions = 3
const programs = fc.tuple(
  ...Array.from({ length: sessions }, (_, at) => fc.array(step(at), { minLength: 3, maxLength: 12 })),
)

/** The same with a list's own limit, so that what one session lists is no other's request. */
function paramsOf(one: Step, at: number): Readonly<Record<string, string>> {
  const token = `${'0f'.repeat(16)}+\\`
  switch (one.kind) {
    case 'edit':
      return { action: 'edit', title: one.title, text: one.text, token }
    case 'delete':
      return { action: 'delete', title: one.title, token }
    case 'read':
      return { action: 'query', prop: 'revisions', rvprop: 'content', titles: one.titles }
    case 'list':
      return { action: 'query', list: 'allpages', apprefix: `${at}`, apfilterredir: 'nonredirects' }
    case 'parse':
      return { action: 'parse', page: one.title }
    case 'purge':
      return { action: 'purge', titles: one.title, token }
    case 'links':
    case 'linkshere':
      return { action: 'query', prop: one.kind, titles: one.title }
    case 'generated':
      return {
        action: 'query',
        generator: 'allpages',
        gapprefix: `${at}`,
        prop: 'revisions',
        rvprop: 'content',
      }
    case 'who':
      return { action: 'query', meta: 'userinfo', uiprop: `groups|${at}` }
    case 'site':
      return { action: 'query', meta: 'siteinfo' }
  }
}

const isWrite = ({ kind }: Step): boolean => kind === 'edit' || kind === 'delete' || kind === 'purge'
const cookie = (run: number, at: number): Record<string, string> => ({
  cookie: `wiki_session=${run}0000${at}`.padEnd(45, 'ab'),
})

function ask(api: string, run: number, at: number, one: Step): Promise<HttpReply> {
  const client = new Client(api, cookie(run, at))
  const params = paramsOf(one, at)
  return isWrite(one) ? client.post(params) : client.get(params)
}

/** One step of each session after the other, as the turns have it. */
function* interleaved(
  scripts: readonly Program[],
  turns: readonly number[],
): IterableIterator<[number, Step]> {
  const next = scripts.map(() => 0)
  const queue = [...turns, ...scripts.flatMap((script, at) => script.map(() => at))]
  for (const at of queue) {
    const one = scripts[at]?.[next[at] ?? 0]
    if (one === undefined) continue
    next[at] = (next[at] ?? 0) + 1
    yield [at, one]
  }
}

/** Programs that are drawn; WIKITAPE_PROGRAMS=5000 takes some minutes. */
const drawn = Number(process.env['WIKITAPE_PROGRAMS'] ?? 12)

interface Tally {
  asked: number
  missed: number
  needless: number
}

it('answers right or misses, whatever is left out and in whatever order', {
  timeout: 60_000 + drawn * 2_000,
}, async () => {
  const turns = fc.array(fc.nat({ max: sessions - 1 }), { maxLength: 20 })
  const whole: Tally = { asked: 0, missed: 0, needless: 0 }
  const halved: Tally = { asked: 0, missed: 0, needless: 0 }
  await fc.assert(
    fc.asyncProperty(
      programs,
      turns,
      turns,
      fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
      async (scripts, order, otherOrder, kept) => {
        const models = scripts.map((_, at) => new Model(String(at)))
        const wiki = await fakeWiki(
          (params, { headers }) =>
            models[Number(/0000(\d)/.exec(headers.cookie ?? '')?.[1])]?.answer(params) ?? '{}',
        )
        const recording = await startProxy(wiki.api)
        for (const [at, one] of interleaved(scripts, order)) await ask(recording.api, 1, at, one)
        await recording.close()
        await wiki.close()
        const replay = await startProxy(undefined, { cassette: recording.cassette })
        const fewer = scripts.map((script, at) =>
          script.filter((one, nth) => !isWrite(one) || kept[(at * 13 + nth) % 40]),
        )
        for (const [run, given, tally] of [
          [2, scripts, whole],
          [3, fewer, halved],
          [4, scripts, whole],
        ] as const) {
          const fresh = given.map((_, at) => new Model(String(at)))
          for (const [at, one] of interleaved(given, otherOrder)) {
            const reply = await ask(replay.api, run, at, one)
            tally.asked += 1
            if (reply.headers['x-cassette-status'] === 'miss') {
              tally.missed += 1
              if (one.kind === 'site' || one.kind === 'who') tally.needless += 1
              // A write that was missed has not been made.
              continue
            }
            const right = fresh[at]?.answer(new Map(Object.entries(paramsOf(one, at))))
            expect(reply.text).toBe(right)
          }
        }
        await replay.close()
      },
    ),
    { numRuns: drawn },
  )
  const share = ({ missed, asked }: Tally): string => `${missed} of ${asked} missed`
  process.stdout.write(
    `${drawn} programs: whole ${share(whole)}; writes left out ${share(halved)}, ${halved.needless} of them needlessly\n`,
  )
  expect(whole).toMatchObject({ missed: 0 })
  expect(halved.needless).toBe(0)
})
