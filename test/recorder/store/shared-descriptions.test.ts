/** Descriptions of modules that the cassettes of a suite share. */
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { withCassette } from '../../../src/integrations/testing/with-cassette.ts'
import { CassetteStore } from '../../../src/recorder/store/cassette-store.ts'
import { StagedCassettes } from '../../../src/recorder/store/staging.ts'
import { type FakeWiki, fakeWiki } from '../../helpers/fake-wiki.ts'
import { filesIn, temporaryFolder } from '../../helpers/folders.ts'
import { ask } from '../../helpers/http-client.ts'
import { run } from '../../helpers/program.ts'

let wiki: FakeWiki
beforeEach(async () => {
  wiki = await fakeWiki()
})

const list = 'action=query&list=allpages&format=json'

/** Records a cassette for each name, as tests would. */
async function recordSuite(root: string, ...names: readonly string[]): Promise<void> {
  for (const name of names) await askAs(root, name, 'once')
}

async function askAs(
  root: string,
  name: string,
  mode: 'once' | 'none' | 'update'
): Promise<string> {
  let text = ''
  const options = { name, root, mode, apiUrl: wiki.api }
  await withCassette(options, async () => {
    text = (await ask(`${wiki.api}?${list}`)).text
  })()
  return text
}

const manifestOf = (
  dir: string
): { readonly format: number; readonly paraminfo?: string } =>
  JSON.parse(readFileSync(path.join(dir, 'cassette.json'), 'utf8'))
const sharedFolder = (root: string): string =>
  path.join(root, 'paraminfo', new URL(wiki.api).host.replace(':', '_'))
const names = (dir: string): readonly string[] => [...filesIn(dir).keys()].sort()

describe('cassettes of one suite', () => {
  it('hold their recordings and a manifest; the descriptions are there once', async () => {
    const root = temporaryFolder()
    await recordSuite(root, 'deep/a', 'b')
    expect(names(path.join(root, 'deep/a'))).toEqual([
      'cassette.json',
      expect.stringMatching(/^query\.allpages\//)
    ])
    expect(names(path.join(root, 'b')).length).toBe(2)
    expect(names(sharedFolder(root))).toEqual([
      'json.json',
      'main.json',
      'query+allpages.json',
      'query.json'
    ])
    expect(manifestOf(path.join(root, 'deep/a'))).toMatchObject({
      format: 2,
      paraminfo: `../../paraminfo/${path.basename(sharedFolder(root))}`
    })
    expect(await askAs(root, 'deep/a', 'none')).toContain('query')
    const before = filesIn(root)
    await askAs(root, 'b', 'update')
    expect(filesIn(root)).toEqual(before)
  })

  it('keep a description of their own where it differs from the shared one, which comes second', async () => {
    const root = temporaryFolder()
    await recordSuite(root, 'a')
    const shared = path.join(sharedFolder(root), 'query+allpages.json')
    const older = readFileSync(shared, 'utf8').replace('"limit"', '"limits"')
    writeFileSync(shared, older)
    await recordSuite(root, 'b')
    expect(names(path.join(root, 'b'))).toContain('paraminfo/query+allpages.json')
    const store = CassetteStore.open(path.join(root, 'b'))
    expect(store.moduleText('query+allpages')).not.toBe(older)
    expect(store.moduleText('query')).toBeDefined()
    expect(readFileSync(shared, 'utf8')).toBe(older)
    expect(store.descriptionFiles().length).toBe(4)
  })

  it('are refused without the shared folder, with what to do, and where it is a link', async () => {
    const root = temporaryFolder()
    await recordSuite(root, 'a')
    rmSync(sharedFolder(root), { recursive: true })
    const open = (): CassetteStore => CassetteStore.open(path.join(root, 'a'))
    expect(open).toThrow(
      /shares the descriptions of the wiki's modules in .*paraminfo.*restore it/
    )
    symlinkSync(temporaryFolder(), sharedFolder(root))
    expect(open).toThrow('is a link that leads out of it')
    writeFileSync(
      path.join(root, 'a/cassette.json'),
      '{"format":2,"paraminfo":"../../../etc"}'
    )
    expect(open).toThrow('expected a path under "paraminfo"')
  })

  it('name the shared file where it is damaged, also while a copy of the cassette is recorded to', async () => {
    const root = temporaryFolder()
    await recordSuite(root, 'deep/a')
    writeFileSync(path.join(sharedFolder(root), 'query.json'), '{')
    for (const mode of ['none', 'update'] as const)
      await expect(askAs(root, 'deep/a', mode)).rejects.toThrow(
        `a: ${path.join(sharedFolder(root), 'query.json')}:1:2: `
      )
    const keepsQuiet = (): Promise<unknown> =>
      ask(`${wiki.api}?${list}`).catch(() => undefined)
    const options = { name: 'deep/a', root, mode: 'none', apiUrl: wiki.api } as const
    // Nothing was to be recorded.
    const message = expect.not.stringContaining('not everything could be recorded')
    await expect(withCassette(options, keepsQuiet)()).rejects.toMatchObject({ message })
  })

  it('are all checked by the name of their folder, without what they share, whose faults are named once', async () => {
    const root = temporaryFolder()
    await recordSuite(root, 'test/a', 'test/deep/b')
    const whole = await run(['check', root])
    expect([whole.code, whole.stdout]).toEqual([
      0,
      `no faults in ${root} (2 cassettes)\n`
    ])
    const globbed = ['check', path.join(root, 'paraminfo'), path.join(root, 'test')]
    expect(await run(globbed)).toMatchObject({ code: 0, stderr: '' })
    writeFileSync(path.join(sharedFolder(root), 'main.json'), '{')
    const { code, stdout } = await run(globbed)
    expect([code, stdout.match(/main\.json/g)?.length]).toEqual([1, 1])
    rmSync(path.join(root, 'test/deep/b/cassette.json'))
    const lost = `${path.join(root, 'test/deep/b')} is not a cassette: cassette.json not found`
    expect((await run(['check', root])).stderr).toContain(lost)
    expect((await run(['check', path.join(root, 'paraminfo')])).stderr).toContain(
      'is not a cassette'
    )
  })

  it('are recorded so by other programs where the folder is beside them', async () => {
    const root = temporaryFolder()
    await recordSuite(root, 'a')
    const staged = new StagedCassettes()
    const target = path.join(root, 'b')
    const folder = staged.folderFor(target)
    const copy = CassetteStore.openOrCreate(target, wiki.api, { stage: () => folder })
    copy.saveManifest()
    const tree = { kind: 'object', members: [] } as never
    expect(() => copy.putModule('parse', tree)).not.toThrow()
    staged.commit()
    expect(manifestOf(target).paraminfo).toBe(manifestOf(path.join(root, 'a')).paraminfo)
    expect(names(sharedFolder(root))).toContain('parse.json')
  })
})

describe('wikitape with shared descriptions', () => {
  it('normalize moves those of older cassettes, and back', async () => {
    const root = temporaryFolder()
    await recordSuite(root, 'a', 'b')
    const shared = filesIn(root)
    for (const name of ['a', 'b'])
      expect(
        (await run(['normalize', path.join(root, name), '--self-contained'])).code
      ).toBe(0)
    rmSync(path.join(root, 'paraminfo'), { recursive: true })
    expect(manifestOf(path.join(root, 'a'))).toMatchObject({ format: 1 })
    expect(names(path.join(root, 'a')).length).toBe(6)
    expect(await askAs(root, 'a', 'none')).toContain('query')
    const { stdout } = await run(['normalize', '--share', root])
    expect(stdout).toContain('8 descriptions of 2 cassettes moved to')
    expect(filesIn(root)).toEqual(shared)
  })

  it('merge-driver makes no description of two', async () => {
    const dir = temporaryFolder()
    const versions = ['base', 'ours', 'theirs'].map((help) => {
      writeFileSync(path.join(dir, help), `{"help":"${help}","path":"parse"}\n`)
      return path.join(dir, help)
    })
    const { code, stderr } = await run([
      'merge-driver',
      ...versions,
      'cassettes/paraminfo/wiki/parse.json'
    ])
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('describe this module differently')
    ])
  })

  it('check reads them, and diff compares a cassette that shares with one that does not', async () => {
    const root = temporaryFolder()
    await recordSuite(root, 'a', 'b')
    await run(['normalize', path.join(root, 'b'), '--self-contained'])
    const { code, stdout } = await run([
      'diff',
      path.join(root, 'a'),
      path.join(root, 'b')
    ])
    expect([code, stdout]).toEqual([0, expect.stringContaining('no drift')])
    expect((await run(['check', path.join(root, 'a')])).code).toBe(0)
    writeFileSync(path.join(sharedFolder(root), 'query.json'), '{')
    const broken = await run(['check', path.join(root, 'a')])
    expect([broken.code, broken.stdout + broken.stderr]).toEqual([
      1,
      expect.stringContaining('query.json:1:2')
    ])
    expect(existsSync(path.join(root, 'a/paraminfo'))).toBe(false)
  })
})
