/** Extensions of the lab's own that do what those of real wikis do: replace a module, refuse for a moment, log in by a header. */
import { expect, test } from 'vitest'
import { labPortBase, labUrl } from '../../scripts/wiki/lab.ts'
import { portOffsetOf, type VariantName } from '../../scripts/wiki/variants.ts'
import { startRecording, startReplay } from '../../src/index.ts'
import { temporaryFolder } from '../helpers/folders.ts'

const addressOf = (kind: VariantName): string =>
  labUrl('1.43', labPortBase() + portOffsetOf([kind]))

interface Said {
  readonly status: string | null
  readonly body: Readonly<Record<string, unknown>>
}

async function ask(
  api: string,
  query: string,
  headers: Readonly<Record<string, string>> = {}
): Promise<Said> {
  const answer = await fetch(`${api}?format=json&${query}`, { headers })
  const { debuginfo: _, ...body } = (await answer.json()) as Said['body']
  return { status: answer.headers.get('x-cassette-status'), body }
}

/** Records by `program`, and replays it and what `more` asks. */
async function taped<T, M>(
  kind: VariantName,
  program: (api: string) => Promise<T>,
  more: (api: string) => Promise<M>
): Promise<readonly [recorded: T, replayed: T, others: M]> {
  const cassette = temporaryFolder()
  const recording = await startRecording({
    cassette,
    apiUrl: addressOf(kind),
    allowLive: true
  })
  const recorded = await program(recording.apiUrl)
  await recording.close()

  const replay = await startReplay({ cassette })
  const replayed = await program(replay.apiUrl)
  const others = await more(replay.apiUrl)
  await replay.close()
  return [recorded, replayed, others]
}

const redirects = `action=query&prop=redirects&titles=${encodeURIComponent('Узел')}`

test('a module that an extension has replaced gets nothing that is known of the one it replaces', async () => {
  const others = [
    `${redirects}&rdlimit=1`,
    `${redirects}&rdlimit=2&rawcontinue=`,
    `action=query&generator=redirects&titles=${encodeURIComponent('Узел')}&grdlimit=1`
  ]
  const [recorded, replayed, asked] = await taped(
    'replaced',
    async (api) => (await ask(api, `${redirects}&rdlimit=max`)).body,
    (api) => Promise.all(others.map(async (query) => (await ask(api, query)).status))
  )
  expect(JSON.stringify(recorded)).toContain('"redirects"')
  expect(replayed).toEqual(recorded)
  expect(asked).toEqual(['miss', 'miss', 'miss'])

  const truth = await ask(addressOf('replaced'), `${redirects}&rdlimit=1`)
  expect(JSON.stringify(truth.body)).toMatch(/"rdcontinue":"[^"|]+\|\d+\|\d+"/)
})

test('a search that is refused for a moment is recorded when it is tried again', async () => {
  const unique = `srlimit=${2 + (process.pid % 40)}`
  const search = `action=query&list=search&srsearch=${encodeURIComponent('река')}&${unique}`
  const tried = async (api: string): Promise<readonly Said['body'][]> => {
    const first = await ask(api, search)
    return 'error' in first.body
      ? [first.body, (await ask(api, search)).body]
      : [first.body]
  }
  const [recorded, replayed] = await taped('busy', tried, async () => undefined)
  expect(recorded).toMatchObject([
    { error: { code: 'cirrussearch-too-busy-error' } },
    { query: { searchinfo: {} } }
  ])
  expect(replayed).toEqual(recorded.slice(1))
})

test('callers by Authorization get their own answers, while recording and on replay', async () => {
  const callers = ['Admin', 'Bob']
  const asUser = (api: string, query: string, user: string): Promise<Said> =>
    ask(api, query, { authorization: `Bearer ${user}`, 'x-cassette-session': user })
  const program = async (api: string): Promise<readonly Said['body'][]> => {
    const answers: Said[] = []
    for (const query of ['action=query&meta=userinfo', 'action=query&list=watchlistraw'])
      for (const user of callers) answers.push(await asUser(api, query, user))
    return answers.map(({ body }) => body)
  }
  const truth = await program(addressOf('bearer'))
  const [recorded, replayed, stranger] = await taped('bearer', program, (api) =>
    ask(api, 'action=query&list=watchlistraw', { authorization: 'Bearer fresh' })
  )
  expect(JSON.stringify(truth[2])).not.toBe(JSON.stringify(truth[3]))
  expect(recorded).toEqual(truth)
  expect(replayed).toEqual(truth)
  expect(stranger.status).toBe('miss')
})
