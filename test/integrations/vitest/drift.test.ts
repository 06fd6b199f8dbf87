/** `toHaveNoDrift`: the words of `wikitape diff`, in a test. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import '../../../src/integrations/vitest/to-have-no-drift.ts'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { interactionFiles, temporaryFolder } from '../../helpers/folders.ts'
import { partOf } from '../../helpers/shipped.ts'
import { inserted } from '../nock/inserted.ts'

/** Enough of two wikis to differ in what breaks. */
const folders = ['tokens', 'query.userinfo', 'query.alllinks']
const v35 = partOf('1.35', folders)
const v43 = partOf('1.43', folders)
const failure = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no error',
    (error: unknown) => String(error)
  )

/** A cassette of a small wiki, still inserted. */
async function recorded(more = ''): Promise<{
  readonly folder: string
  readonly api: string
  readonly asked: () => number
}> {
  const wiki = await fakeWiki((params) =>
    JSON.stringify({
      batchcomplete: '',
      query: { pages: [{ title: params.get('titles'), ...JSON.parse(more || '{}') }] }
    })
  )
  const cassette = inserted('mine', {
    root: temporaryFolder(),
    apiUrl: wiki.api,
    mode: 'once'
  })
  for (const titles of ['А', 'Б'])
    await (
      await fetch(
        `${wiki.api}?action=query&prop=info&titles=${titles}&format=json&formatversion=2`
      )
    ).text()
  return { folder: cassette.folder, api: wiki.api, asked: () => wiki.asked().length }
}

/** What is read with a source, as it imports what it imports: not types, and not what it imports later. */
function readWith(source: string, known: Set<string> = new Set()): ReadonlySet<string> {
  if (known.has(source)) return known
  known.add(source)
  const imports = /^(?:import|export) (?!type\b)(?:[^';(]* from )?'(\.[^']+\.ts)'/gm
  for (const [, file = ''] of readFileSync(source, 'utf8').matchAll(imports))
    readWith(path.join(path.dirname(source), file), known)
  return known
}

it('is read with its comparison only by who asks for it: each file of tests that has cassettes would wait', () => {
  const [sooner, later] = ['use-cassette', 'compare-drift'].map((name) => [
    ...readWith(path.resolve('src/integrations/vitest', `${name}.ts`))
  ])
  const comparing = /src\/(?:cli|drift)\//
  expect(later?.filter((file) => comparing.test(file)).length).toBeGreaterThan(50)
  expect(sooner?.length).toBeGreaterThan(100)
  expect(sooner?.filter((file) => comparing.test(file))).toEqual([])
})

describe('between two cassettes', () => {
  it('finds none where nothing changed', async () => {
    await expect(v43).toHaveNoDrift(v43, { failOn: 'any' })
    await expect(v43).toHaveNoDrift({ folder: v43 })
  })

  it('says what changed, in the words of wikitape diff', async () => {
    const said = await failure(expect(v35).toHaveNoDrift(v43))
    expect(said).toMatch(/expected no drift from .*ru-1\.35 to .*ru-1\.43/)
    expect(said).toMatch(/BREAKING {2}\d+/)
    expect(said).toContain('hint: ')
  })

  it('fails from the severity on that was asked for', async () => {
    await expect(v35).toHaveNoDrift(v43, { failOn: 'none' })
    await expect(v35).not.toHaveNoDrift(v43)
    expect(await failure(expect(v43).not.toHaveNoDrift(v43))).toContain(
      'expected drift from'
    )
  })

  it('is not sure of a cassette that cannot be read whole', async () => {
    const folder = path.join(temporaryFolder(), 'broken')
    cpSync(v43, folder, { recursive: true })
    const [file = ''] = interactionFiles(folder)
    writeFileSync(
      path.join(folder, file),
      readFileSync(path.join(folder, file), 'utf8').slice(0, 100)
    )
    expect(await failure(expect(v43).toHaveNoDrift(folder))).toContain(
      'the comparison is incomplete'
    )
    expect(await failure(expect(v43).not.toHaveNoDrift(folder))).toContain(
      'the comparison is incomplete'
    )
  })

  it.each([42, undefined, { dir: 'x' }])('refuses %o', async (subject) => {
    expect(await failure(expect(subject).toHaveNoDrift(v43))).toContain(
      'expects a cassette: its folder'
    )
  })

  it('says where there is no cassette', async () => {
    expect(await failure(expect('no/such').toHaveNoDrift(v43))).toContain(
      'there is no cassette at no/such'
    )
  })
})

describe('against a wiki', () => {
  it('asks the one that was recorded, past the cassette that is inserted', async () => {
    const { api, asked, folder } = await recorded()
    await expect({ folder }).toHaveNoDrift()
    expect(asked()).toBe(4)
    await expect(folder).toHaveNoDrift(api, { failOn: 'any' })
    expect(asked()).toBe(6)
  })

  it('tells what it answers now', async () => {
    const old = await recorded('{"touched":"2027"}')
    const now = await recorded()
    const said = await failure(expect(old.folder).toHaveNoDrift(now.api))
    expect(said).toContain('touched')
  })

  it('asks nothing with CI=true unless it may', async () => {
    const { api, folder } = await recorded()
    vi.stubEnv('CI', 'true')
    try {
      expect(await failure(expect(folder).toHaveNoDrift(api))).toContain('CI=true')
      await expect(folder).toHaveNoDrift(api, { allowLive: true })
    } finally {
      vi.unstubAllEnvs()
    }
  })
})
