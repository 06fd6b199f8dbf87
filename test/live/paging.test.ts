/** Some listings of each real wiki of the lab, as scripts/fidelity.ts asks all of them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Case, cases, modulesOf } from '../../scripts/fidelity/cases.ts'
import {
  afterBoundaries,
  afterWalk,
  type Effort,
  newScore,
  variants,
} from '../../scripts/fidelity/run.ts'
import { connect, type RealWiki } from '../../scripts/fidelity/wiki.ts'
import { labUrl, labVersions } from '../../scripts/wiki/lab.ts'
import { shareOf } from '../helpers/scale.ts'

const effort: Effort = {
  batches: 6,
  places: 1,
  steps: 1,
  starts: 0,
  parts: 2,
  boundaryRows: 8,
  boundaryPlaces: 1,
  oneBatchSteps: 2,
  oneBatchPlaces: 1,
}
const names = [
  'list=allpages',
  'list=allusers',
  'list=alllinks',
  'list=usercontribs ucuser=Bob',
  'generator=allcategories',
  'prop=links',
  'prop=contributors',
  'prop=extracts exintro=&explaintext=',
  'list=blocks',
  'list=allrevisions',
  'list=imageusage iutitle=Файл:Map 07.png',
  'list=search srsearch=река',
  'generator=allimages prop=duplicatefiles',
  'prop=categories|info',
  'generator=allpages prop=categories',
]
const chosen = cases.filter((one) => names.includes(one.name))

/** Each of them usually walks one of the three wikis. */
const chosenFor = (wiki: number): readonly Case[] => shareOf(chosen, wiki, labVersions.length)

describe.each(labVersions)('paging, wiki %s', (version) => {
  let wiki: RealWiki
  beforeAll(async () => {
    wiki = await connect(labUrl(version), modulesOf(cases))
  })
  afterAll(() => {
    wiki.close()
  })

  test.each(chosenFor(labVersions.indexOf(version)))('$name', async (one) => {
    const score = newScore()
    await afterWalk(wiki, one, 'continue', effort, score)
    await variants(wiki, one, effort, score)
    await afterBoundaries(wiki, one, effort, score)
    expect([...score.notes.keys()].filter((note) => note.startsWith('WRONG'))).toEqual([])
    expect(score.wrong).toBe(0)
    expect(score.exact).toBeGreaterThan(4)
  })
})
