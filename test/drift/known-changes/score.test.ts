/** Every change of the API that the release notes name: told right wherever a real wiki shows it. */
import { describe, expect, it } from 'vitest'
import { compareCassettes } from '../../../src/drift/compare.ts'
import type { Finding } from '../../../src/drift/findings/finding.ts'
import type { CassetteSide } from '../../../src/drift/inputs/cassette-side.ts'
import { interaction } from '../sides.ts'
import {
  type ApiChange,
  apiChanges,
  recordedKey,
  type Shown,
  type Version
} from './changes.ts'
import recorded from './recorded.json' with { type: 'json' }

type Named<T> = Readonly<Record<string, T>>
interface Module {
  readonly path: string
  readonly name?: string
  readonly parameters?: readonly { readonly name: string }[]
  readonly templatedparameters?: readonly { readonly name: string }[]
}

const modules: Named<Named<Module>> = recorded.modules
const answers: Named<Named<unknown>> = recorded.answers

/** How a wiki of the lab calls itself. */
const engines: Readonly<Record<Version, string>> = {
  '1.25': '1.25.4',
  '1.35': '1.35.13',
  '1.39': '1.39.17',
  '1.43': '1.43.9'
}

/** The recorded module, with the parameters that this change is about. */
function moduleOf(text: string, version: Version): readonly Module[] {
  const [path = '', ...params] = text.split(' ')
  const module = modules[version]?.[path]
  if (module === undefined) return []
  const own = <T extends { readonly name: string }>(
    all: readonly T[] = []
  ): readonly T[] => all.filter(({ name }) => params.includes(name))
  return [
    {
      ...module,
      parameters: own(module.parameters),
      templatedparameters: own(module.templatedparameters)
    }
  ]
}

/** What tells a request's modules from its parameters, on both sides alike. */
function frame(path: string, described: readonly Module[]): Module {
  const kinds =
    path === 'main' ? ['action', 'format'] : ['list', 'prop', 'meta', 'generator']
  const parameters = kinds.map((name) => {
    const below = described.filter(
      (one) => (path === 'query') === one.path.startsWith('query+')
    )
    const names = below.map((one) => one.path.replace('query+', ''))
    const submodules = Object.fromEntries(below.map((one, at) => [names[at], one.path]))
    return {
      name,
      type: [...names, ...(path === 'main' ? ['query', 'json'] : [])],
      submodules
    }
  })
  return { path, parameters }
}

function sideOf(
  { modules: wanted = [], uses = [], asked, as }: Shown,
  version: Version
): CassetteSide {
  const described = wanted.flatMap((text) => moduleOf(text, version))
  const frames = ['main', 'query'].filter(
    (path) => !described.some((one) => one.path === path)
  )
  const all = [...described, ...frames.map((path) => frame(path, described))]
  const answer =
    asked === undefined
      ? []
      : [interaction(asked, answers[version]?.[recordedKey(asked, as)])]
  return {
    name: version,
    manifest: {
      format: 1,
      upstream: `http://${version}.example/w/api.php`,
      engine: engines[version],
      site: undefined,
      describesItself: true
    },
    interactions: [...answer, ...uses.map((query) => interaction(query, {}))],
    modules: new Map(wanted.length === 0 ? [] : all.map((one) => [one.path, one]))
  }
}

/** As `told` has it, once for each value that came or went, and once without. */
const lines = ({ severity, kind, place, values }: Finding): readonly string[] => {
  const line = [severity, kind, place].join(' ').trim()
  return [line, ...values.map((value) => `${line} ${value}`)]
}

/** What was told, in the words of `told`; what nobody expected stands there without its values. */
const heard = (found: readonly Finding[], told: readonly string[]): readonly string[] =>
  found
    .map((one) => lines(one).find((line) => told.includes(line)) ?? lines(one).join(', '))
    .toSorted()

/** Less what is about other versions, or about the data of the two wikis. */
function findingsOf(shown: Shown): readonly Finding[] {
  const [a, b] = shown.between
  const { findings } = compareCassettes(sideOf(shown, a), sideOf(shown, b))
  return findings.filter(({ kind, axis }) => kind !== 'engine.changed' && axis !== 'data')
}

const name = ({ release, module, what }: ApiChange): string =>
  `${release} ${module}: ${what}`
const seen = apiChanges.flatMap((change) =>
  typeof change.shown === 'string'
    ? []
    : [{ ...change, shown: change.shown, name: name(change) }]
)

describe('a change that wikis show', () => {
  it.each(seen)('$name', ({ shown, told }) => {
    const found = heard(findingsOf(shown), told)
    // Answers of real wikis show several changes; a cut description shows one.
    if (shown.asked === undefined) expect(found).toEqual(told.toSorted())
    else expect(found).toEqual(expect.arrayContaining([...told]))
  })

  it.each(seen.filter((one) => one.breaks))('names the release: $name', (change) => {
    const { shown, told, release } = change
    const worst = findingsOf(shown).filter(
      (one) =>
        /^(?:breaking|risky)$/.test(one.severity) &&
        lines(one).some((line) => told.includes(line))
    )
    expect(worst.length).toBeGreaterThan(0)
    expect(worst.map(({ knownChange }) => knownChange?.since.split('–'))).toEqual(
      worst.map(() => expect.arrayContaining([release]))
    )
  })
})

describe('the list', () => {
  it('holds every change, each once', () => {
    expect(apiChanges).toHaveLength(124)
    expect(new Set(apiChanges.map(name)).size).toBe(124)
  })

  it('says why where no wiki shows it, and expects nothing then', () => {
    const unseen = apiChanges.filter(({ shown }) => typeof shown === 'string')
    expect(unseen.filter(({ shown, told }) => shown === '' || told.length > 0)).toEqual(
      []
    )
    expect(seen.filter(({ told }) => told.length === 0)).toEqual([])
  })
})
