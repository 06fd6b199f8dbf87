/** Headers of answers composed of several recordings. */
import { expect, it } from 'vitest'
import { fakeWiki } from '../../../helpers/fake-wiki.ts'
import { ask } from '../../../helpers/http-client.ts'
import { startProxy } from '../../../helpers/proxies.ts'

it('are those that its recordings have alike', async () => {
  const wiki = await fakeWiki((params) => ({
    body: `{"batchcomplete":true,"query":{"pages":[{"pageid":${params.get('pageids')},"ns":0,"title":"A"}]}}`,
    headers: {
      'content-disposition': 'inline; filename=api-result.json',
      'content-language': params.get('pageids') === '1' ? 'ru' : 'en'
    }
  }))
  const call = 'action=query&prop=info&formatversion=2&format=json&pageids'
  const recording = await startProxy(wiki.api)
  for (const id of [1, 2]) await ask(`${recording.api}?${call}=${id}`)
  await recording.close()
  const replay = await startProxy(undefined, { cassette: recording.cassette })
  const { headers } = await ask(`${replay.api}?${call}=1|2`)
  expect(headers).toMatchObject({
    'x-cassette-status': 'synthesized',
    'content-disposition': 'inline; filename=api-result.json'
  })
  expect(headers).not.toHaveProperty('content-language')
})
