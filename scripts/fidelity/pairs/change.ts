/** The same request, nearly: what another client, another version of it, or an adversary asks. */
import { type Draw, pick } from '../drawn.ts'
import { type Ask, decoded } from './ask.ts'
import { drawnValue, type Ground, ranges, type Scene } from './draw.ts'
import { limits, smallLimits } from './pools.ts'

export interface Changed {
  readonly ask: Ask
  /** The changes made, for the tables. */
  readonly how: string
}

type Change = (ask: Ask, scene: Scene, ground: Ground, draw: Draw) => Ask

const e = encodeURIComponent
const has = ({ entries }: Ask, name: string): boolean =>
  entries.some(([own]) => own === name)
const without = (ask: Ask, name: string): Ask => ({
  ...ask,
  entries: ask.entries.filter(([own]) => own !== name)
})
const having = (ask: Ask, name: string, value: string): Ask =>
  has(ask, name)
    ? {
        ...ask,
        entries: ask.entries.map((one) => (one[0] === name ? [name, e(value)] : one))
      }
    : { ...ask, entries: [...ask.entries, [name, e(value)]] }
const get = ({ entries }: Ask, name: string): string =>
  decoded(entries.find(([own]) => own === name)?.[1] ?? '')

const mixed = <T>(values: readonly T[], draw: Draw): T[] => {
  const left = [...values]
  return values.flatMap(() => left.splice(draw(left.length), 1))
}
/** The values of several, and how they are put together again. */
function parts(value: string): {
  readonly all: readonly string[]
  readonly joined: (all: readonly string[]) => string
} {
  if (value.startsWith('\u001f'))
    return {
      all: value.slice(1).split('\u001f'),
      joined: (all) => `\u001f${all.join('\u001f')}`
    }
  return { all: value.split('|'), joined: (all) => all.join('|') }
}
const onParts = (
  ask: Ask,
  name: string,
  to: (all: readonly string[]) => readonly string[]
): Ask => {
  if (!has(ask, name)) return ask
  const { all, joined } = parts(get(ask, name))
  return having(ask, name, joined(to(all)))
}
const severalIn = (ask: Ask): readonly string[] =>
  ask.entries
    .filter(
      ([name, value]) => !/continue|text|callback/.test(name) && /\||%7C/i.test(value)
    )
    .map(([name]) => name)

/** One of its words as another of the same kind: what looks like a secret is told from another by that alone. */
function otherWord(text: string, draw: Draw): string {
  const found = pick([...text.matchAll(/[\p{L}\p{N}]{2,}/gu)], draw)
  if (found === undefined) return text
  const word = found[0].replace(/[a-yа-ю0-8]/g, (letter) =>
    String.fromCodePoint((letter.codePointAt(0) ?? 0) + 1)
  )
  return text.slice(0, found.index) + word + text.slice(found.index + found[0].length)
}

/** Names that no wiki has a module of. */
const missingModules = ['bogus', 'Info', 'zig-zag']

/** Changes of the parameter that the scene is about. */
const featured: Readonly<Record<string, Change>> = {
  absent: (ask, { name }) => without(ask, name),
  default: (ask, { name, feature }) =>
    feature.param?.default === undefined ? ask : having(ask, name, feature.param.default),
  empty: (ask, { name }) => having(ask, name, ''),
  wrong: (ask, { name }, _, draw) =>
    having(ask, name, pick(['bogus', '-1', '0', '46.0', '\u001f', '*'], draw) ?? 'bogus'),
  doubled: (ask, { name }) => onParts(ask, name, (all) => [...all, all[0] ?? '']),
  twice: (ask, { name, feature }, { pools }, draw) =>
    feature.param === undefined
      ? ask
      : {
          ...ask,
          entries: [[name, e(drawnValue(feature.param, pools, draw))], ...ask.entries]
        },
  order: (ask, { name }, _, draw) => onParts(ask, name, (all) => mixed(all, draw)),
  reversed: (ask, { name }) => onParts(ask, name, (all) => all.toReversed()),
  part: (ask, { name }, _, draw) =>
    onParts(ask, name, (all) =>
      all.length < 2 ? all : all.filter((_one, at) => at !== draw(all.length))
    ),
  other: (ask, { name, feature }, { pools }, draw) =>
    feature.param === undefined
      ? ask
      : having(ask, name, drawnValue(feature.param, pools, draw)),
  'another word': (ask, { name }, _, draw) =>
    has(ask, name) ? having(ask, name, otherWord(get(ask, name), draw)) : ask,
  'a default beside it, or none': (ask, { feature: { module } }, _, draw) => {
    const param = pick(
      [...module.parameters.values()].filter((one) => one.default !== undefined),
      draw
    )
    if (param?.default === undefined) return ask
    const prefix =
      (get(ask, 'generator') === module.path.slice(6) ? 'g' : '') + module.prefix
    const name = prefix + param.name
    return has(ask, name) ? without(ask, name) : having(ask, name, param.default)
  },
  blank: (ask, { name }) =>
    has(ask, name) ? having(ask, name, ` ${get(ask, name)} `) : ask
}

const sets = ['titles', 'pageids', 'revids'] as const
const respelled = [
  (title: string) => title.replaceAll(' ', '_'),
  (title: string) => ` ${title} `,
  (title: string) => title.charAt(0).toLowerCase() + title.slice(1),
  (title: string) =>
    title
      .replace(/^Файл:/, 'File:')
      .replace(/^Шаблон:/, 'template:')
      .replace(/^Обсуждение:/, 'Talk:'),
  (title: string) => `${title}.0`
]

/** One of its limits is another. */
export function otherLimit({ ask, limits: names }: Scene, draw: Draw): Ask {
  const name = pick(names, draw)
  // A small one cuts where nothing was cut.
  const from = draw(2) === 0 ? smallLimits : limits
  return name === undefined ? ask : having(ask, name, pick(from, draw) ?? '5')
}

/** Changes of anything. */
const general: Readonly<Record<string, Change>> = {
  shuffled: (ask, _, __, draw) => ({ ...ask, entries: mixed(ask.entries, draw) }),
  'other limit': (ask, scene, _, draw) => otherLimit({ ...scene, ask }, draw),
  'no limit': (ask, scene, _, draw) => without(ask, pick(scene.limits, draw) ?? ''),
  'values in another order': (ask, _, __, draw) =>
    onParts(ask, pick(severalIn(ask), draw) ?? '', (all) => mixed(all, draw)),
  'some values': (ask, _, __, draw) =>
    onParts(ask, pick(severalIn(ask), draw) ?? '', (all) =>
      all.length < 2 ? all : all.slice(draw(2), 1 + draw(all.length) || 1)
    ),
  'one page': (ask, _, __, draw) =>
    onParts(ask, sets.find((name) => has(ask, name)) ?? '', (all) => [
      pick(all, draw) ?? ''
    ]),
  'another spelling': (ask, _, __, draw) => {
    const name = pick(
      ask.entries.map(([own]) => own).filter((own) => /title|pageids|revids/.test(own)),
      draw
    )
    const to = pick(respelled, draw)
    return name === undefined || to === undefined
      ? ask
      : onParts(ask, name, (all) => all.map((one) => (draw(2) === 0 ? to(one) : one)))
  },
  'another method': (ask, { feature }) =>
    feature.module.mustBePosted ? ask : { ...ask, posted: !ask.posted },
  'part in the address': (ask, _, __, draw) => ({
    ...ask,
    posted: true,
    inAddress: new Set(ask.entries.map(([name]) => name).filter(() => draw(2) === 0))
  }),
  'another dialect': (ask, _, __, draw) => {
    const bare = without(without(ask, 'continue'), 'rawcontinue')
    const to = pick(['continue', 'rawcontinue', ''], draw) ?? ''
    return to === '' ? bare : having(bare, to, '')
  },
  'a word to continue with': (ask, _, __, draw) =>
    having(ask, 'continue', pick(['foo||', '-||', '||', 'gfoo||bar'], draw) ?? ''),
  'another format version': (ask, _, __, draw) => {
    const to = pick(['1', '2', '9', '', 'latest'], draw) ?? ''
    return to === '' ? without(ask, 'formatversion') : having(ask, 'formatversion', to)
  },
  'another format': (ask, _, __, draw) =>
    having(
      ask,
      'format',
      pick(['json', 'nonefm', 'xmlfm', 'none', 'php'], draw) ?? 'json'
    ),
  callback: (ask) => having(ask, 'callback', 'f'),
  'another caller': (ask, _, { callers }, draw) => ({
    ...ask,
    caller: pick(callers, draw) ?? 'anonymous'
  }),
  'another language': (ask, _, __, draw) => ({
    ...ask,
    headers: {
      'accept-language': pick(['sr-el', 'sr-ec', 'zh-tw', 'zh-cn', 'en'], draw) ?? 'en'
    }
  }),
  untrusted: (ask) => ({
    ...ask,
    headers: { ...ask.headers, 'treat-as-untrusted': '1' }
  }),
  'unknown ones': (ask, _, __, draw) =>
    having(
      ask,
      pick(['foo', 'bar', 'bogus', 'dtenable'], draw) ?? 'foo',
      pick(['1', '2', '0'], draw) ?? '1'
    ),
  'a list': (ask, _, __, draw) => {
    const name = pick(['titles', ...ask.entries.map(([own]) => own)], draw) ?? 'titles'
    return {
      ...ask,
      posted: true,
      inAddress: new Set([`${name}[]`]),
      entries: [...ask.entries, [`${name}[]`, 'Y']]
    }
  },
  'a list, the other way round': (ask) => ({
    ...ask,
    inAddress: new Set(
      ask.entries
        .map(([name]) => name)
        .filter((name) => ask.inAddress?.has(name) !== true)
    )
  }),
  'another word': (ask, _, __, draw) => {
    const name = pick(
      ask.entries
        .map(([own]) => own)
        .filter((own) => /text|title|search|password|user|from|prefix/.test(own)),
      draw
    )
    return name === undefined ? ask : having(ask, name, otherWord(get(ask, name), draw))
  },
  flags: (ask, _, __, draw) =>
    having(
      ask,
      pick(['redirects', 'indexpageids', 'converttitles', 'utf8', 'ascii'], draw) ??
        'utf8',
      pick(['', '1', 'false'], draw) ?? ''
    ),
  'a filter': (ask, { feature: { module } }, { pools }, draw) => {
    const filters = [...module.parameters.values()].filter(
      ({ name }) => ranges.test(name) || /^(?:filter\w+|show|type|title)$/.test(name)
    )
    const param = pick(filters, draw)
    if (param === undefined) return ask
    const prefix =
      (get(ask, 'generator') === module.path.slice(6) ? 'g' : '') + module.prefix
    return having(ask, prefix + param.name, drawnValue(param, pools, draw))
  },
  'missing modules': (ask, _, __, draw) => {
    const name = pick(['prop', 'list', 'meta'], draw) ?? 'prop'
    const known = get(ask, name)
      .split('|')
      .filter((one) => one !== '' && !missingModules.includes(one))
    const missing = draw(4) === 0 ? [] : mixed(missingModules, draw).slice(0, 1 + draw(2))
    const all = mixed([...known, ...missing], draw)
    return all.length === 0 ? without(ask, name) : having(ask, name, all.join('|'))
  },
  'one less': (ask, _, __, draw) =>
    without(
      ask,
      pick(
        ask.entries.map(([own]) => own).filter((own) => !/^(?:action|format)$/.test(own)),
        draw
      ) ?? ''
    )
}

/** One change of what the scene is about, or of anything; now and then two. */
export function changed(ask: Ask, scene: Scene, ground: Ground, draw: Draw): Changed {
  const tables = scene.name !== '' && draw(2) === 0 ? featured : general
  const names = Object.keys(tables)
  const count = [1, 1, 1, 2][draw(4)] ?? 1
  const drawn = Array.from({ length: count }, () => pick(names, draw) ?? '')
  return applied({ ask, scene, ground, draw }, drawn)
}

/** What most of the rules are about: limits, orders, and the pages of a set, whatever else is drawn. */
export function usualChanges(
  ask: Ask,
  scene: Scene,
  ground: Ground,
  draw: Draw
): readonly Changed[] {
  const limited =
    scene.limits.length > 0 ? ['other limit', 'other limit', 'other limit'] : []
  const several = severalIn(ask).length > 0 ? ['values in another order', 'one page'] : []
  const about =
    scene.name === ''
      ? []
      : ['other', 'reversed', 'another word', 'a default beside it, or none']
  const listed = ask.entries.some(([name]) => name.endsWith('[]'))
    ? ['a list, the other way round']
    : []
  const ranging = ranges.test(scene.feature.param?.name ?? '')
    ? ['a filter', 'a filter', 'a filter', 'one less']
    : []
  return [...limited, ...several, ...listed, ...about, ...ranging].map((how) =>
    applied({ ask, scene, ground, draw }, [how])
  )
}

interface Drawing {
  readonly ask: Ask
  readonly scene: Scene
  readonly ground: Ground
  readonly draw: Draw
}

function applied(
  { ask, scene, ground, draw }: Drawing,
  hows: readonly string[]
): Changed {
  const to = hows.map((how) => featured[how] ?? general[how])
  const now = to.reduce((one, change) => change?.(one, scene, ground, draw) ?? one, ask)
  return { ask: now, how: hows.join(', ') }
}
