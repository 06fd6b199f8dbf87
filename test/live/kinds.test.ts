/** Never a wrong answer on wikis of other kinds: a few scenes of what `npm run fidelity:pairs` draws at length. */
import { expect, test } from 'vitest'
import { shown } from '../../scripts/fidelity/pairs/ask.ts'
import { type Feature, featuresOf, nameOf } from '../../scripts/fidelity/pairs/draw.ts'
import { groundOf } from '../../scripts/fidelity/pairs/ground.ts'
import { newOutcome, runFeatures } from '../../scripts/fidelity/pairs/run.ts'
import { liveWikis } from '../helpers/live-wikis.ts'

const lateFilters = [
  'allpages.filterredir',
  'categorymembers.namespace',
  'exturlusage.namespace',
  'redirects.namespace',
  'allrevisions.namespace'
]
const variantWords = [
  'prefixsearch.search',
  'prefixsearch.limit',
  'parse.text',
  'info.titles',
  'userinfo.prop',
  'allpages.from',
  'expandtemplates.text'
]

/** Where a rule of one kind does not hold on the other. */
const about: Readonly<Record<string, readonly string[]>> = {
  miser: [
    ...lateFilters,
    'allpages.limit',
    'categorymembers.type',
    'backlinks.filterredir'
  ],
  sr: variantWords,
  zh: variantWords
}

/** `allpages.limit`: that parameter. */
const isNamed = ({ module, param }: Feature, names: readonly string[]): boolean =>
  names.includes(`${nameOf(module)}.${param?.name ?? ''}`)

/** Of what a filter hides, one lot shows nothing: each is drawn three times. */
const repeated = (features: readonly Feature[]): readonly Feature[] => {
  const late = features.filter((one) => isNamed(one, lateFilters))
  return [...features, ...late, ...late]
}

test.each(liveWikis.filter(({ kind }) => kind !== undefined))(
  'pairs drawn by lot, wiki $name',
  async ({ url, kind = '' }) => {
    const ground = await groundOf(url, ['anonymous'])
    const features = featuresOf(ground.modules).filter((one) =>
      isNamed(one, about[kind] ?? [])
    )
    const outcome = newOutcome()
    await runFeatures(
      { url, ground, seed: 6, asks: 2, scenesAtOnce: 25 },
      repeated(features),
      outcome,
      () => undefined
    )
    expect(
      outcome.wrong.map(({ recorded, asked, apart }) =>
        [
          ...recorded.map(({ ask }) => `recorded ${shown(ask)}`),
          `asked ${shown(asked)}`,
          apart
        ].join('\n')
      )
    ).toEqual([])
    const right = [...outcome.modules.values()].reduce((sum, { exact }) => sum + exact, 0)
    expect(right).toBeGreaterThan(10)
  }
)
