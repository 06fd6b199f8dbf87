/** The wikis that live tests ask: the plain ones, and one of each other kind; with WIKITAPE_TESTS=full of each version. */
import { comparedWikis } from '../../scripts/wiki/variants.ts'
import { shareOf } from './scale.ts'

const others = comparedWikis.filter(({ kind }) => kind !== undefined)

export const liveWikis: typeof comparedWikis = [
  ...comparedWikis.filter(({ kind }) => kind === undefined),
  ...shareOf(others, 1, 2)
]
