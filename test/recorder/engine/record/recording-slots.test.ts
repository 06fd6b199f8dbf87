/** Spellings of one request whose answers show the spelling: each keeps its own recording, whichever came first. */
import { describe, expect, it } from 'vitest'
import { fakeWiki } from '../../../helpers/fake-wiki.ts'
import { ask } from '../../../helpers/http-client.ts'
import { startProxy } from '../../../helpers/proxies.ts'

// With `meta` in play no answer can be turned from one spelling into the other.
const asking = (titles: string): string =>
  `?action=query&format=json&meta=userinfo&prop=info&titles=${encodeURIComponent(titles)}`

describe('titles as sent', () => {
  it.each([
    [['абрикос', 'Абрикос']],
    [['Абрикос', 'абрикос']],
    [['A|B', 'B|A', 'A|b', 'B|A|A']],
    [['B|A', 'A|B']]
  ])('%j get each its own answer in replay', async (spellings) => {
    const wiki = await fakeWiki()
    const recording = await startProxy(wiki.api)
    const recorded: string[] = []
    for (const titles of spellings)
      recorded.push((await ask(recording.api + asking(titles))).text)
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    for (const [at, titles] of [...spellings.entries()].reverse())
      expect((await ask(replay.api + asking(titles))).text, titles).toBe(recorded[at])
    expect(new Set(recorded).size).toBe(spellings.length)
    expect(replay.rack.counts()).toMatchObject({ missed: 0, replayed: spellings.length })
  })
})
