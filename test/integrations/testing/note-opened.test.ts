/** The file of a run of the suite names each cassette that a test opened. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { TestCassette } from '../../../src/integrations/testing/test-cassette.ts'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { temporaryFolder } from '../../helpers/folders.ts'
import { ask } from '../../helpers/http-client.ts'

afterEach(() => void vi.unstubAllEnvs())

it('has a line for each test, while recording and on replay', async () => {
  const root = temporaryFolder()
  const file = path.join(root, 'suite.txt')
  vi.stubEnv('WIKITAPE_SUITE', file)
  const wiki = await fakeWiki(() => '{"query":{}}')
  for (const name of ['one', 'deep/two', 'one']) {
    const options = { apiUrl: wiki.api, root: path.join(root, 'tapes'), allowLive: true }
    const cassette = new TestCassette(name, options, {
      owner: undefined,
      isDefault: false
    })
    await ask(`${wiki.api}?action=query&format=json`)
    await cassette.finish({ passed: true, complete: true })
  }
  expect(readFileSync(file, 'utf8')).toBe('tapes/one\ntapes/deep/two\ntapes/one\n')
})
