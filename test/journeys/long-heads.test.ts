/** Requests whose line and headers are longer than the 16 KB that Node takes of itself, through every door. */
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { startRecording, startReplay } from '../../src/index.ts'
import { asking, shell } from '../helpers/commands.ts'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { ask, type HttpAsk, type HttpReply } from '../helpers/http-client.ts'
import { spawned, spawnServing } from '../helpers/processes.ts'

interface Door {
  readonly api: string
  readonly close: () => Promise<unknown>
}

async function spawnedDoor(args: readonly string[]): Promise<Door> {
  const { api, stop } = await spawnServing(args)
  return { api, close: () => stop() }
}

async function programDoor(starting: ReturnType<typeof startReplay>): Promise<Door> {
  const { apiUrl, close } = await starting
  return { api: apiUrl, close }
}

type Opening = (cassette: string, api: string) => Promise<Door>

const doors: Readonly<
  Record<string, { readonly record: Opening; readonly replay: Opening }>
> = {
  'the command line': {
    record: (cassette, api) => spawnedDoor(['record', api, '--cassette', cassette]),
    replay: (cassette) => spawnedDoor(['replay', '--cassette', cassette])
  },
  'the library': {
    record: (cassette, apiUrl) => programDoor(startRecording({ cassette, apiUrl })),
    replay: (cassette) => programDoor(startReplay({ cassette }))
  }
}

const kinds: Readonly<
  Record<string, (bytes: number) => readonly [query: string, asking: HttpAsk]>
> = {
  'the URL': (bytes) => [`&titles=${'%D0%96'.repeat(bytes / 6)}`, {}],
  cookies: (bytes) => [
    `&titles=c${bytes}`,
    { headers: { cookie: `a=${'c'.repeat(bytes)}` } }
  ],
  'other headers': (bytes) => [
    `&titles=h${bytes}`,
    { headers: { 'x-long': 'h'.repeat(bytes) } }
  ]
}

const kilobytes = [8, 17, 40, 120]
const query = '?action=query&format=json&prop=info'

describe.each(Object.keys(doors))('%s', (name) => {
  it.each(Object.keys(kinds))(
    'takes 8 to 120 KB of %s, and says 431 of more',
    async (kind) => {
      const door = doors[name]
      const long = kinds[kind]
      if (door === undefined || long === undefined) return expect.unreachable()
      const wiki = await fakeWiki()
      const cassette = path.join(temporaryFolder(), 'tape')
      const answers = async ({ api, close }: Door): Promise<readonly HttpReply[]> => {
        const replies: HttpReply[] = []
        for (const size of [...kilobytes, 140]) {
          const [more, options] = long(size * 1000)
          replies.push(await ask(`${api}${query}${more}`, options))
        }
        await close()
        const last = replies.pop()
        expect([last?.status, last?.text]).toEqual([
          431,
          expect.stringContaining('longer than 131072 bytes')
        ])
        return replies
      }
      const statuses = (replies: readonly HttpReply[]): unknown =>
        replies.map(({ headers, status }) => `${status} ${headers['x-cassette-status']}`)
      const recorded = await answers(await door.record(cassette, wiki.api))
      expect(statuses(recorded)).toEqual(kilobytes.map(() => '200 recorded'))
      const replayed = await answers(await door.replay(cassette, wiki.api))
      expect(statuses(replayed)).toEqual(kilobytes.map(() => '200 replayed'))
      expect(replayed.map(({ text }) => text)).toEqual(recorded.map(({ text }) => text))
    }
  )
})

it('a command of exec sends 120 KB of URL', async () => {
  const wiki = await fakeWiki()
  const cassette = path.join(temporaryFolder(), 'tape')
  const [more = ''] = kinds['the URL']?.(120_000) ?? []
  for (const record of [['--record', wiki.api], []]) {
    const args = [
      'exec',
      ...record,
      '--cassette',
      cassette,
      '--',
      ...shell(asking(query + more))
    ]
    const { code, stdout } = await spawned(args)
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(`titles=${'Ж'.repeat(20_000)}`)
    ])
  }
  expect(wiki.asked()).toHaveLength(1)
})
