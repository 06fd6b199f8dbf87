/** One cassette, one wiki: cassettes that are inserted into a test. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { withCassette } from '../../../src/integrations/testing/with-cassette.ts'
import type { Mode } from '../../../src/recorder/playback/decide.ts'
import { StagedCassette } from '../../../src/recorder/store/staging.ts'
import { farm } from '../../helpers/farm.ts'
import { hookFileOperations } from '../../helpers/file-operations.mjs'
import { filesIn, temporaryFolder } from '../../helpers/folders.ts'
import { ask } from '../../helpers/http-client.ts'
import { inserted } from './inserted.ts'

const query = '?action=query&list=allpages&format=json'
const en = { wikiid: 'enwiki', lang: 'en' }
const de = { wikiid: 'dewiki', lang: 'de' }

interface Opening {
  readonly root: string
  readonly apiUrl: string
  readonly mode: Mode
  readonly moved?: boolean
}

/** Opens the cassette `one` for a wiki, asks it once, and gives the status. */
const doors: Readonly<Record<string, (opening: Opening) => Promise<unknown>>> = {
  insertCassette: async (opening) => {
    const cassette = inserted('one', opening)
    const reply = await ask(opening.apiUrl + query)
    await cassette.close()
    return reply.headers['x-cassette-status']
  },
  withCassette: async (opening) => {
    let status: unknown
    const body = async (): Promise<void> => {
      status = (await ask(opening.apiUrl + query)).headers['x-cassette-status']
    }
    await withCassette({ name: 'one', ...opening }, body)()
    return status
  }
}

async function recorded(apiUrl: string): Promise<string> {
  const root = temporaryFolder()
  const cassette = inserted('one', { root, apiUrl, mode: 'once' })
  await ask(apiUrl + query)
  await cassette.close()
  return root
}

describe.each(Object.entries(doors))('%s', (_, door) => {
  it.each<Mode>(['none', 'once', 'new_episodes', 'all'])(
    'in mode %s takes its own wiki alone',
    async (mode) => {
      const host = await farm({ '/en/api.php': en, '/de/api.php': de })
      const elsewhere = await farm({ '/w/api.php': de })
      const apiUrl = `${host.origin}/en/api.php`
      const root = await recorded(apiUrl)
      expect(await door({ root, apiUrl, mode })).toBe(
        mode === 'all' ? 'recorded' : 'replayed'
      )
      const before = filesIn(root)
      const count = host.asked() + elsewhere.asked()
      for (const other of [`${host.origin}/de/api.php`, `${elsewhere.origin}/w/api.php`])
        await expect(door({ root, apiUrl: other, mode })).rejects.toThrow(
          `${path.join(root, 'one')} is a recording of ${apiUrl}, not of ${other}`
        )
      expect(filesIn(root)).toEqual(before)
      expect(host.asked() + elsewhere.asked()).toBe(count)
    }
  )

  it('takes one that has moved when told so', async () => {
    const before = await farm({ '/w/api.php': en })
    const after = await farm({ '/w/api.php': en })
    const root = await recorded(`${before.origin}/w/api.php`)
    const opening = { root, apiUrl: `${after.origin}/w/api.php`, moved: true }
    expect(await door({ ...opening, mode: 'none' })).toBe('replayed')
    const manifest = path.join(root, 'one', 'cassette.json')
    expect(readFileSync(manifest, 'utf8')).toContain(before.origin)
    expect(await door({ ...opening, mode: 'new_episodes' })).toBe('replayed')
    expect(readFileSync(manifest, 'utf8')).toContain(opening.apiUrl)
    expect(await door({ ...opening, moved: false, mode: 'none' })).toBe('replayed')
  })

  it('refuses another one that is said to be the same, moved', async () => {
    const here = await farm({ '/w/api.php': en })
    const there = await farm({ '/w/api.php': de })
    const root = await recorded(`${here.origin}/w/api.php`)
    const before = filesIn(root)
    const apiUrl = `${there.origin}/w/api.php`
    await expect(
      door({ root, apiUrl, mode: 'new_episodes', moved: true })
    ).rejects.toThrow()
    expect(filesIn(root)).toEqual(before)
    expect(there.asked()).toBe(0)
  })
})

it('a request for another wiki of the same host is answered with a miss that names both paths', async () => {
  const host = await farm({ '/w/api.php': en, '/de/api.php': de, '/api.php': {} })
  inserted('one', {
    root: temporaryFolder(),
    apiUrl: `${host.origin}/w/api.php`,
    mode: 'new_episodes'
  })
  for (const at of ['/de/api.php', '/api.php']) {
    const { error } = JSON.parse((await ask(`${host.origin}${at}${query}`)).text)
    expect(error.info).toMatch(
      new RegExp(`The request is for ${at}, and .* is a recording of .*/w/api\\.php`)
    )
  }
  expect(host.asked()).toBe(0)
})

it('another cassette that a request names is refused where it is of another wiki', async () => {
  const host = await farm({ '/en/api.php': en, '/de/api.php': de })
  const root = temporaryFolder()
  for (const name of ['en', 'de']) {
    const cassette = inserted(name, {
      root,
      apiUrl: `${host.origin}/${name}/api.php`,
      mode: 'once'
    })
    await ask(`${host.origin}/${name}/api.php${query}`)
    await cassette.close()
  }
  inserted('en', { root })
  const asked = ask(`${host.origin}/en/api.php${query}`, {
    headers: { 'x-cassette': 'de' }
  })
  await expect(asked).rejects.toThrow('is a recording of')
})

it('of two workers that record one cassette for two wikis, the second writes nothing', () => {
  const home = path.join(temporaryFolder(), 'one')
  const first = new StagedCassette(home)
  const second = new StagedCassette(home)
  const write = ({ folder }: StagedCassette, upstream: string): void => {
    mkdirSync(folder)
    writeFileSync(
      path.join(folder, 'cassette.json'),
      JSON.stringify({ format: 1, upstream })
    )
  }
  write(first, 'http://en.example/w/api.php')
  write(second, 'http://de.example/w/api.php')
  first.commit()
  const before = filesIn(home)
  expect(() => second.commit()).toThrow(
    `${home} is a recording of http://en.example/w/api.php, not of http://de.example/w/api.php`
  )
  expect(filesIn(home)).toEqual(before)
})

it('of two workers that begin one cassette in the same moment, the second writes nothing', () => {
  const home = path.join(temporaryFolder(), 'one')
  const staging = new StagedCassette(home)
  mkdirSync(staging.folder)
  const manifest = (host: string): string =>
    JSON.stringify({ format: 1, upstream: `http://${host}/w/api.php` })
  writeFileSync(path.join(staging.folder, 'cassette.json'), manifest('de.example'))
  writeFileSync(path.join(staging.folder, 'of-de'), '')
  // After this one has looked, and before it writes.
  const putBack = hookFileOperations(home, (name, args, original) => {
    if (name === 'linkSync')
      writeFileSync(path.join(home, 'cassette.json'), manifest('en.example'))
    return original(...args)
  })
  try {
    expect(() => staging.commit()).toThrow(
      `${home} is a recording of http://en.example/w/api.php`
    )
  } finally {
    putBack()
  }
  expect(Object.fromEntries(filesIn(home))).toEqual({
    'cassette.json': manifest('en.example')
  })
})
