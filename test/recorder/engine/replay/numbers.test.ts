/** Ids that a wiki reads as a number, and those that it refuses. */
import { expect, it } from 'vitest'
import { fakeWiki } from '../../../helpers/fake-wiki.ts'
import { ask } from '../../../helpers/http-client.ts'
import { startProxy } from '../../../helpers/proxies.ts'

const page = (id: number): string =>
  `"${id}":{"pageid":${id},"ns":0,"title":"Page ${id}"}`
const pages = (...ids: readonly number[]): string =>
  `{"batchcomplete":"","query":{"pages":{${ids.map(page).join()}}}}`

it('a recorded page is found by its number alone', async () => {
  const wiki = await fakeWiki((params) =>
    pages(...(params.get('pageids') ?? '').split('|').map(Number))
  )
  const recording = await startProxy(wiki.api)
  const asked = (api: string, ids: string) =>
    ask(`${api}?action=query&format=json&prop=info&pageids=${encodeURIComponent(ids)}`)
  await asked(recording.api, '46')
  await asked(recording.api, '47|48')
  await recording.close()

  const replay = await startProxy(undefined, { cassette: recording.cassette })
  for (const ids of ['46', '046', '+46', '48|46', '47']) {
    const { text } = await asked(replay.api, ids)
    expect(text, ids).toBe(pages(...ids.split('|').map(Number).sort()))
  }
  const others = [
    '46.0',
    ' 46',
    '46 ',
    '46.',
    '4.6e1',
    '0x2E',
    '47.0|46',
    '48|0x2E',
    '046.0'
  ]
  for (const ids of others) {
    const { headers } = await asked(replay.api, ids)
    expect(headers['x-cassette-status'], ids).toBe('miss')
  }
})
