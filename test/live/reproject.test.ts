/** Titles in another order or spelling: whatever is rebuilt from a recorded answer equals the wiki's own bytes. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { connect, type RealWiki } from '../../scripts/fidelity/wiki.ts'
import {
  type LabVersion,
  labUrl,
  labVersions,
  wikiAnswering
} from '../../scripts/wiki/lab.ts'
import { writeCompact } from '../../src/recorder/json/write-json.ts'
import { reorderResponse } from '../../src/recorder/playback/reorder/reorder-response.ts'
import { scaled } from '../helpers/scale.ts'

const props = [
  'info',
  'categories',
  'pageprops',
  'images',
  'duplicatefiles',
  'categoryinfo'
] as const
const namespaces = [0, 4, 6, 8, 10, 14] as const
/** Pairs of requests a version; each costs real wikis three answers. */
const pairs = scaled(25, 60)
/** The same by ids and through redirects. */
const idPairs = scaled(10, 20)

interface Pair {
  /** The parameter that names the pages. */
  readonly by: 'titles' | 'pageids' | 'revids'
  /** More parameters. */
  readonly more: string
  readonly prop: string
  readonly version: string
  readonly recorded: readonly string[]
  readonly asked: readonly string[]
}

/** Titles that the wiki has, by namespace; and as many that it has not. */
async function titlesOf(version: LabVersion): Promise<readonly string[]> {
  const found: string[] = []
  for (const namespace of namespaces) {
    const query = `action=query&list=allpages&aplimit=14&apnamespace=${namespace}&format=json&formatversion=2`
    const answer = (await (await fetch(`${labUrl(version)}?${query}`)).json()) as {
      readonly query: { readonly allpages: readonly { readonly title: string }[] }
    }
    const titles = answer.query.allpages.map(({ title }) => title)
    found.push(...titles, ...titles.slice(0, 7).map((title) => `${title} (которой нет)`))
  }
  return found
}

/** One title in the spellings that a wiki takes for the same. */
const spellings = (title: string): readonly string[] => {
  const cut = title.indexOf(':')
  const [prefix, text] =
    cut < 0 ? ['', title] : [title.slice(0, cut + 1), title.slice(cut + 1)]
  const lower = text.slice(0, 1).toLowerCase() + text.slice(1)
  const aliases: Readonly<Record<string, readonly string[]>> = {
    'Файл:': ['File:', 'Image:', 'file:', 'ФАЙЛ:'],
    'Категория:': ['Category:', 'категория:'],
    'Шаблон:': ['Template:', 'template :']
  }
  return [
    ...[
      title,
      title,
      title.replaceAll(' ', '_'),
      prefix + lower,
      ` ${title}_`,
      `${prefix} ${text}`
    ],
    ...(aliases[prefix] ?? []).map((alias) => alias + text)
  ]
}

/** The same pages asked for twice, each time in an order and spelling of its own, some of them twice at once. */
function pairOf(titles: readonly string[]): fc.Arbitrary<Pair> {
  const spelled = (title: string): fc.Arbitrary<string> =>
    fc.constantFrom(...spellings(title))
  const asking = (set: readonly string[]): fc.Arbitrary<readonly string[]> =>
    fc
      .tuple(
        ...set.map(spelled),
        fc.option(fc.constantFrom(...set).chain(spelled), { freq: 5 })
      )
      .chain((all) =>
        fc.shuffledSubarray(
          all.filter((one) => one !== null),
          { minLength: all.filter((one) => one !== null).length }
        )
      )
  return fc
    .uniqueArray(fc.constantFrom(...titles), { minLength: 2, maxLength: 8 })
    .chain((set) =>
      fc.record({
        by: fc.constant('titles' as const),
        more: fc.constantFrom(
          '',
          '',
          '&indexpageids=',
          '&indexpageids=&meta=userinfo&uiprop=hasmsg'
        ),
        prop: fc.constantFrom<string>(...props),
        version: fc.constantFrom('1', '2'),
        recorded: asking(set),
        asked: asking(set)
      })
    )
}

const queryOf = ({ by, more, prop, version }: Pair, pages: readonly string[]): string =>
  `action=query&format=json&formatversion=${version}&prop=${prop}${more}&${by}=${encodeURIComponent(pages.join('|'))}`

/** The same pages twice, each time in an order of its own, some of them named twice. */
function shuffled(
  by: Pair['by'],
  more: string,
  pages: readonly string[]
): fc.Arbitrary<Pair> {
  const asking = (set: readonly string[]): fc.Arbitrary<readonly string[]> =>
    fc.option(fc.constantFrom(...set), { freq: 5 }).chain((twice) => {
      const all = twice === null ? set : [...set, twice]
      return fc.shuffledSubarray([...all], { minLength: all.length })
    })
  return fc
    .uniqueArray(fc.constantFrom(...pages), { minLength: 2, maxLength: 9 })
    .chain((set) =>
      fc.record({
        by: fc.constant(by),
        more: fc.constant(more),
        prop: fc.constantFrom<string>('info', 'categories', 'pageprops'),
        version: fc.constantFrom('1', '2'),
        recorded: asking(set),
        asked: asking(set)
      })
    )
}

/** Ids of pages and of their newest revisions, some that nobody has, and titles of which half lead elsewhere. */
async function namesOf(
  version: LabVersion
): Promise<Readonly<Record<'pageids' | 'revids' | 'titles', readonly string[]>>> {
  const ask = async (
    more: string
  ): Promise<
    readonly {
      readonly pageid: number
      readonly lastrevid: number
      readonly title: string
    }[]
  > => {
    const query = `action=query&format=json&formatversion=2&prop=info&generator=allpages&gaplimit=40${more}`
    const answer = (await (await fetch(`${labUrl(version)}?${query}`)).json()) as {
      readonly query: {
        readonly pages: readonly {
          readonly pageid: number
          readonly lastrevid: number
          readonly title: string
        }[]
      }
    }
    return answer.query.pages
  }
  const pages = [...(await ask('')), ...(await ask('&gapnamespace=14'))]
  const leading = await ask('&gapfilterredir=redirects')
  const nobody = ['9999001', '9999002', '9999003', '9999004', '9999005', '9999006']
  return {
    pageids: [...pages.map(({ pageid }) => String(pageid)), ...nobody],
    revids: [...pages.map(({ lastrevid }) => String(lastrevid)), ...nobody],
    titles: [...pages.slice(0, 30), ...leading].map(({ title }) => title)
  }
}

interface Score {
  exact: number
  refused: number
  otherKey: number
  readonly wrong: string[]
}

async function compare(wiki: RealWiki, pair: Pair, score: Score): Promise<void> {
  const [recorded, truth] = await Promise.all([
    wiki.ask(queryOf(pair, pair.recorded)),
    wiki.ask(queryOf(pair, pair.asked))
  ])
  if (recorded.derivation.key !== truth.derivation.key) {
    score.otherKey += 1
    return
  }
  const rebuilt = reorderResponse(recorded.interaction, truth.derivation, wiki.facts.site)
  if (rebuilt.kind === 'impossible') {
    score.refused += 1
    return
  }
  const { body } = rebuilt.response
  const wanted = writeCompact(truth.body, 'ascii')
  const got = body.kind === 'json' ? writeCompact(body.tree, 'ascii') : body.kind
  if (got === wanted) score.exact += 1
  else
    score.wrong.push(
      `${pair.by} ${pair.prop} fv${pair.version}\nrecorded ${pair.recorded.join('|')}\nasked    ${pair.asked.join('|')}\nwiki ${writeCompact(truth.body, 'utf8')}\ntape ${got}`
    )
}

describe('an answer rebuilt for another order or spelling of its titles', () => {
  it.each(labVersions)('equals the wiki’s own on %s, or is refused', async (version) => {
    const answering = await wikiAnswering(labUrl(version))
    expect(
      answering,
      `MediaWiki ${version} must run: npm run wiki -- up ${version}`
    ).toBeDefined()
    const wiki = await connect(labUrl(version), props)
    const score: Score = { exact: 0, refused: 0, otherKey: 0, wrong: [] }
    const sample = fc.sample(pairOf(await titlesOf(version)), {
      numRuns: pairs,
      seed: 20_261_121
    })
    for (const pair of sample) await compare(wiki, pair, score)
    wiki.close()
    process.stdout.write(
      `MediaWiki ${answering}: ${score.exact} of ${pairs} rebuilt exactly, ${score.refused} refused, ${score.otherKey} with another key, ${score.wrong.length} wrong\n`
    )
    expect(score.wrong).toEqual([])
    expect(score.exact).toBeGreaterThan(pairs / 4)
  })

  it.each(labVersions)(
    'by page ids, revision ids and through redirects on %s too',
    async (version) => {
      const wiki = await connect(labUrl(version), props)
      const names = await namesOf(version)
      for (const [by, more] of [
        ['pageids', ''],
        ['revids', ''],
        ['titles', '&redirects=']
      ] as const) {
        const score: Score = { exact: 0, refused: 0, otherKey: 0, wrong: [] }
        const sample = fc.sample(shuffled(by, more, names[by]), {
          numRuns: idPairs,
          seed: 20_261_121
        })
        for (const pair of sample) await compare(wiki, pair, score)
        process.stdout.write(
          `MediaWiki ${version}, ${by}${more}: ${score.exact} of ${idPairs} rebuilt exactly, ${score.refused} refused, ${score.wrong.length} wrong\n`
        )
        expect(score.wrong).toEqual([])
        expect(score.exact).toBeGreaterThan(idPairs * 0.45)
      }
      wiki.close()
    }
  )
})
