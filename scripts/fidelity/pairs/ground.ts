/** What scenes on a wiki are drawn from: its modules, and what pages and revisions it has. */
import {
  decodeModule,
  type ModuleDescription
} from '../../../src/recorder/wiki/modules/module-descriptions.ts'
import type { Caller } from './ask.ts'
import type { Ground } from './draw.ts'
import { targetsFor, titlesFor } from './pools.ts'

type Plain = Readonly<Record<string, unknown>>
const plain = (value: unknown): Plain =>
  typeof value === 'object' && value !== null ? (value as Plain) : {}
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** They write, they log in, they need a token, or their answers are of the moment or as long as a book. */
const left =
  /^(?:query|help|login|logout|clientlogin|linkaccount|unlinkaccount|createaccount|checktoken|tokens|feedwatchlist|cspreport|shortenurl|stashedit|acquiretempusername|languagesearch|sitematrix|json|jsonfm|main)$/

/** @param describedBy the wiki whose modules are like its own */
export async function groundOf(
  url: string,
  callers: readonly Caller[],
  describedBy: string = url
): Promise<Ground> {
  const askAt = async (api: string, query: string): Promise<Plain> =>
    plain(await (await fetch(`${api}?format=json&formatversion=2&${query}`)).json())
  const ask = (query: string): Promise<Plain> => askAt(url, query)
  const described = async (
    paths: readonly string[]
  ): Promise<readonly ModuleDescription[]> => {
    const found: ModuleDescription[] = []
    for (let at = 0; at < paths.length; at += 40) {
      const answer = await askAt(
        describedBy,
        `action=paraminfo&helpformat=none&modules=${encodeURIComponent(paths.slice(at, at + 40).join('|'))}`
      )
      found.push(
        ...list(plain(answer['paraminfo'])['modules']).flatMap(
          (one) => decodeModule(one) ?? []
        )
      )
    }
    return found
  }
  const main = await described(['main'])
  const query = await described(['query'])
  const namesIn = (
    modules: readonly ModuleDescription[],
    ...names: readonly string[]
  ): readonly string[] =>
    modules.flatMap(({ parameters }) =>
      names.flatMap((name) => [...(parameters.get(name)?.values ?? [])])
    )
  const actions = await described(
    namesIn(main, 'action').filter((name) => !left.test(name))
  )
  const reading = actions.filter(
    ({ writes, mustBePosted, path }) =>
      path === 'validatepassword' || (!writes && !mustBePosted)
  )
  const submodules = await described(
    [...new Set(namesIn(query, 'list', 'prop', 'meta'))].map((name) => `query+${name}`)
  )
  const nasty = plain((await ask('action=query&titles=Шестьдесят'))['query'])
  const isNasty = list(nasty['pages']).some((page) => plain(page)['missing'] !== true)
  const titles = titlesFor(isNasty)
  const pages = await pagesOf(ask, [...new Set(titles)].join('|'), 1)
  const pageids = pages.flatMap(({ pageid }) =>
    typeof pageid === 'number' ? [String(pageid)] : []
  )
  const latest = pages.flatMap(({ revisions }) =>
    list(revisions).map((one) => String(plain(one)['revid']))
  )
  const main1 = isNasty ? 'Шестьдесят' : 'Узел'
  const history = await pagesOf(ask, main1, 4)
  const older = history.flatMap((page) =>
    list(page['revisions']).map((one) => String(plain(one)['revid']))
  )
  return {
    modules: [...reading, ...submodules],
    callers,
    pools: {
      titles,
      targets: targetsFor(isNasty),
      pageids,
      revids: [...latest, ...older, ...older],
      categories: isNasty
        ? ['Категория:Ключи', 'Категория:Ключи', 'Категория:Природа 0']
        : ['Категория:Природа 0', 'Категория:Природа 1'],
      files: isNasty ? ['Файл:Ряд.png', 'Файл:Map 07.png'] : ['Файл:Map 07.png']
    }
  }
}

/** The pages of these titles with the ids of their latest revisions; several titles have one revision each. */
async function pagesOf(
  ask: (query: string) => Promise<Plain>,
  titles: string,
  revisions: number
): Promise<readonly Plain[]> {
  const limit = revisions === 1 ? '' : `&rvlimit=${revisions}`
  const answer = await ask(
    `action=query&prop=revisions&rvprop=ids${limit}&titles=${encodeURIComponent(titles)}`
  )
  return list(plain(answer['query'])['pages']).map(plain)
}
