/** The same request, or nearly, as another client may write it. */
import type { WikiFacts } from '../../src/recorder/request/derive.ts'
import {
  type ActiveModule,
  activeModules,
  findParamDescriptions
} from '../../src/recorder/wiki/modules/active-modules.ts'
import type { ParamDescription } from '../../src/recorder/wiki/modules/module-descriptions.ts'
import { splitValues } from '../../src/recorder/wiki/parameters/request-params.ts'
import { type Draw, pick } from './drawn.ts'
import type { Ask } from './pairs/ask.ts'

type Entries = (readonly [name: string, value: string])[]
type Change = (
  entries: Entries,
  draw: Draw,
  describe: (name: string) => ParamDescription | undefined
) => Entries

/** A few changes one after the other. */
export function inOtherWords(query: string, facts: WikiFacts, draw: Draw): Ask {
  let entries: Entries = [...new URLSearchParams(query)]
  const modules = activeModules(new Map(entries), 'json', facts.lookup)
  const describe = (name: string): ParamDescription | undefined =>
    findParamDescriptions(name, modules)[0]
  const count = draw(4)
  const all = [...changes, explicitDefault(modules)]
  for (let nth = 0; nth < count; nth += 1)
    entries = (pick(all, draw) ?? same)(entries, draw, describe)
  return askOf(entries, draw(4) === 0)
}

export const askOf = (
  entries: Iterable<readonly [name: string, value: string]>,
  posted: boolean
): Ask => ({
  entries: [...entries].map(([name, value]) => [name, encodeURIComponent(value)]),
  posted,
  caller: 'anonymous'
})

const same: Change = (entries) => entries

/** Changes one entry for which that is possible. */
const changeOne =
  (
    fits: (
      name: string,
      value: string,
      described: ParamDescription | undefined
    ) => boolean,
    to: (value: string, draw: Draw) => string
  ): Change =>
  (entries, draw, describe) => {
    const able = entries.filter(([name, value]) => fits(name, value, describe(name)))
    const chosen = pick(able, draw)
    return entries.map((one) =>
      one === chosen ? ([one[0], to(one[1], draw)] as const) : one
    )
  }

const several = (
  _: string,
  value: string,
  described: ParamDescription | undefined
): boolean => described?.multi === true && splitValues(value).length > 1
const pagesOf = (name: string): boolean => name === 'titles' || name === 'pageids'
const titled = (name: string): boolean => /title/.test(name)
export const mix = <T>(values: readonly T[], draw: Draw): T[] => {
  const left = [...values]
  return values.flatMap(() => left.splice(draw(left.length), 1))
}
const eachTitle =
  (to: (title: string, draw: Draw) => string) =>
  (value: string, draw: Draw): string =>
    splitValues(value)
      .map((title) => (draw(2) === 0 ? to(title, draw) : title))
      .join('|')
const extra =
  (...more: readonly (readonly [string, string])[]): Change =>
  (entries, draw) => {
    const chosen = pick(more, draw)
    return chosen === undefined || entries.some(([name]) => name === chosen[0])
      ? entries
      : [...entries, chosen]
  }

const changes: readonly Change[] = [
  (entries, draw) => mix(entries, draw),
  changeOne(several, (value, draw) => mix(splitValues(value), draw).join('|')),
  changeOne(several, (value, draw) => mix(splitValues(value), draw).join('|')),
  changeOne(several, (value) => `\u001f${splitValues(value).join('\u001f')}`),
  changeOne(several, (value) =>
    [...splitValues(value), splitValues(value)[0] ?? ''].join('|')
  ),
  changeOne(
    (name, value) => pagesOf(name) && splitValues(value).length > 1,
    (value, draw) =>
      splitValues(value)
        .filter(() => draw(2) === 0)
        .join('|') || value
  ),
  changeOne(pagesOf, (value, draw) => mix(splitValues(value), draw).join('|')),
  changeOne(
    titled,
    eachTitle((title) => title.replaceAll(' ', '_'))
  ),
  changeOne(
    titled,
    eachTitle((title) => ` ${title} `)
  ),
  changeOne(
    titled,
    eachTitle((title) => title.charAt(0).toLowerCase() + title.slice(1))
  ),
  changeOne(
    titled,
    eachTitle((title) =>
      title.replace(/^Файл:/, 'File:').replace(/^Категория:/, 'category:')
    )
  ),
  changeOne(
    titled,
    eachTitle((title) => title.replace(/^Шаблон:/, 'T:').replace(/^Узел$/, 'Узел#Раздел'))
  ),
  changeOne(
    (name) => name.endsWith('limit'),
    (_, draw) => String(pick([1, 2, 3, 4, 7, 10, 25, 100, 500, 'max', 5000], draw))
  ),
  changeOne(
    (_name, _value, described) => described?.type === 'boolean',
    (_, draw) => pick(['', '1', 'true', 'false'], draw) ?? ''
  ),
  changeOne(
    (_name, value, described) => described?.type === 'timestamp' && value !== '',
    (value) => value.replace(/\D/g, '')
  ),
  extra(['_', '1'], ['rand', 'x'], ['bogus', '']),
  extra(
    ['maxlag', '5'],
    ['smaxage', '7'],
    ['utf8', ''],
    ['requestid', 'R7'],
    ['ascii', '1']
  ),
  extra(
    ['formatversion', '1'],
    ['formatversion', '2'],
    ['errorformat', 'bc'],
    ['uselang', 'ru']
  ),
  extra(['redirects', ''], ['indexpageids', ''], ['converttitles', '']),
  extra(
    ['apfrom', 'B'],
    ['gapfrom', 'Река 00'],
    ['dir', 'x'],
    ['continue', ''],
    ['rawcontinue', '']
  )
]

/** A parameter with the value that it has anyway. */
const explicitDefault =
  (modules: readonly ActiveModule[]): Change =>
  (entries, draw) => {
    const absent = modules.flatMap(({ prefix, description }) =>
      [...(description?.parameters.values() ?? [])].flatMap((param) =>
        param.default === undefined ||
        entries.some(([name]) => name === prefix + param.name)
          ? []
          : [[prefix + param.name, param.default] as const]
      )
    )
    const chosen = pick(absent, draw)
    return chosen === undefined ? entries : [...entries, chosen]
  }
