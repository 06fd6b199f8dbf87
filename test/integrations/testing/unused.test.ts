/** Recordings that a test does not use: which fail it, in which modes, and that following the advice ends. */
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { TestCassette } from '../../../src/integrations/testing/test-cassette.ts'
import type { TestCassetteOptions } from '../../../src/integrations/testing/test-cassette-options.ts'
import { type FakeWiki, fakeWiki } from '../../helpers/fake-wiki.ts'
import { interactionFiles, temporaryFolder } from '../../helpers/folders.ts'
import { ask } from '../../helpers/http-client.ts'

const titles = Array.from(
  { length: 20 },
  (_, at) => `Page ${String.fromCharCode(65 + at)}`
)

/** A wiki of twenty pages. */
const listingWiki = (): Promise<FakeWiki> =>
  fakeWiki((params) => {
    const from = (params.get('apcontinue') ?? params.get('apfrom') ?? '').replaceAll(
      '_',
      ' '
    )
    const left = titles.filter((title) => title >= from)
    const limit = Number(params.get('aplimit') ?? 10)
    const next = left[limit]?.replace(' ', '_')
    return JSON.stringify({
      ...(next === undefined
        ? { batchcomplete: '' }
        : { continue: { apcontinue: next, continue: '-||' } }),
      query: {
        allpages: left
          .slice(0, limit)
          .map((title) => ({ pageid: titles.indexOf(title) + 1, ns: 0, title }))
      }
    })
  })

const list = 'action=query&list=allpages&format=json'

/** Runs what a test asks with a cassette of the name `mine`, as a test that passes. */
async function ran(
  asking: () => Promise<unknown>,
  options: TestCassetteOptions
): Promise<void> {
  const cassette = new TestCassette('mine', options, {
    owner: undefined,
    isDefault: false
  })
  await asking()
  await cassette.finish({ passed: true, complete: true })
}

const walking =
  ({ api }: FakeWiki, limit: number) =>
  async (): Promise<void> => {
    for (let next: string | undefined = ''; next !== undefined; ) {
      const { text } = await ask(
        `${api}?${list}&aplimit=${limit}${next && `&continue=-||&apcontinue=${next}`}`
      )
      next = (JSON.parse(text) as { continue?: { apcontinue: string } }).continue
        ?.apcontinue
    }
  }

const begun = async () => {
  const wiki = await listingWiki()
  const root = temporaryFolder()
  const files = (): readonly string[] => interactionFiles(path.join(root, 'mine'))
  const options = { apiUrl: wiki.api, root, quiet: true, report: () => undefined }
  return { wiki, options, files }
}

describe('recordings that are not used', () => {
  it('fail no test that walks their listing in other batches, in any mode', async () => {
    const { wiki, options, files } = await begun()
    await ran(walking(wiki, 7), { ...options, mode: 'once' })
    expect(files()).toHaveLength(3)
    await ran(walking(wiki, 11), { ...options, mode: 'none' })
    await ran(walking(wiki, 11), { ...options, mode: 'new_episodes' })
    expect(files()).toHaveLength(5)
    await ran(walking(wiki, 11), { ...options, mode: 'none' })
    await ran(walking(wiki, 11), { ...options, mode: 'update' })
    expect(files()).toHaveLength(2)
    const nothing = (): Promise<void> => Promise.resolve()
    await expect(ran(nothing, { ...options, mode: 'none' })).rejects.toThrow(
      /2 recordings not used:\n[\s\S]*if other test files use this cassette too, .*unused: 'ignore' in all\n.*WIKITAPE_MODE=update/
    )
  })

  it('are kept by update where a cassette is shared, and its unused recordings are ignored', async () => {
    const { wiki, options, files } = await begun()
    const shared = { ...options, unused: 'ignore' } as const
    const [one, other] = ['A', 'B'].map(
      (title) => () => ask(`${wiki.api}?action=query&titles=${title}&format=json`)
    ) as [() => Promise<unknown>, () => Promise<unknown>]
    for (const mode of ['new_episodes', 'none', 'update', 'none'] as const)
      for (const asking of [one, other]) await ran(asking, { ...shared, mode })
    expect(files()).toHaveLength(2)
    await expect(ran(one, { ...options, mode: 'none' })).rejects.toThrow(
      '1 recording not used'
    )
    await ran(one, { ...options, mode: 'update' })
    expect(files()).toHaveLength(1)
  })
})
