/** Some listings of each real wiki of the lab, as scripts/fidelity.ts asks all of them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Case, cases, modulesOf } from '../../scripts/fidelity/cases.ts'
import {
  afterBoundaries,
  afterWalk,
  type Effort,
  newScore,
  variants
} from '../../scripts/fidelity/run.ts'
import { connect, type RealWiki } from '../../scripts/fidelity/wiki.ts'
import { labVersions } from '../../scripts/wiki/lab.ts'
import { liveWikis } from '../helpers/live-wikis.ts'
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
  oneBatchPlaces: 1
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
  'generator=allpages prop=categories'
]
const chosen = cases.filter((one) => names.includes(one.name))

const filtered = [
  'list=allpages apfilterredir=nonredirects',
  'list=categorymembers cmtitle=Категория:Природа 0&cmnamespace=14',
  'list=exturlusage eunamespace=0',
  'list=allrevisions arvnamespace=0',
  'generator=allpages gapfilterredir=redirects',
  'prop=redirects rdnamespace=0',
  'list=prefixsearch pssearch=Р'
]
const doubtful = cases.filter((one) => filtered.includes(one.name))

/** Each case usually walks one of the plain wikis; the others walk what may be otherwise there. */
function casesFor(wiki: number): readonly Case[] {
  if (wiki < labVersions.length) return shareOf(chosen, wiki, labVersions.length)
  return shareOf(doubtful, wiki, 2)
}

const walked = liveWikis.map(({ name, url }, at) => ({
  name,
  url,
  walks: casesFor(at)
}))

describe.each(walked)('paging, wiki $name', ({ url, walks }) => {
  let wiki: RealWiki
  beforeAll(async () => {
    wiki = await connect(url, modulesOf(cases))
  })
  afterAll(() => {
    wiki.close()
  })

  test.each(walks)('$name', async (one) => {
    const score = newScore()
    await afterWalk(wiki, one, 'continue', effort, score)
    await variants(wiki, one, effort, score)
    await afterBoundaries(wiki, one, effort, score)
    expect([...score.notes.keys()].filter((note) => note.startsWith('WRONG'))).toEqual([])
    expect(score.wrong).toBe(0)
    const answered = doubtful.includes(one) ? score.exact + score.refused : score.exact
    expect(answered).toBeGreaterThan(4)
  })
})
