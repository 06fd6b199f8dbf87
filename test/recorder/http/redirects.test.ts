/** Redirects of api.php: one to another query belongs to one spelling of the request; none leads a replay to the wiki. */
import { expect, it } from 'vitest'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { interactionFiles } from '../../helpers/folders.ts'
import { ask } from '../../helpers/http-client.ts'
import { startProxy } from '../../helpers/proxies.ts'

const query = 'action=query&format=json&titles=File:A.png'
const movedTo = (location: string) => ({
  status: 302,
  body: '',
  headers: { location, 'content-type': 'text/html' }
})

it('a redirect to another query at the same address is passed on, not recorded', async () => {
  const wiki = await fakeWiki((params) =>
    params.get('titles') === 'File:A.png'
      ? movedTo(`http://wiki.test/w/api.php?${query}&*`)
      : '{}'
  )
  const recording = await startProxy(wiki.api)
  const reply = await ask(`${recording.api}?${query}`)
  expect([reply.status, reply.headers['x-cassette-status']]).toEqual([302, 'passthrough'])
  await recording.close()
  expect(interactionFiles(recording.cassette)).toEqual([])
  expect(recording.reports.join()).toContain(
    'a redirect (status 302) to http://wiki.test/w/api.php'
  )
})

it('a redirect to the present address of the wiki leads a replay to itself', async () => {
  const wiki = await fakeWiki((params) =>
    params.get('titles') === 'File:A.png'
      ? movedTo(`https://wiki.test/w/api.php?${query}`)
      : '{}'
  )
  const recording = await startProxy(wiki.api)
  expect((await ask(`${recording.api}?${query}`)).headers['x-cassette-status']).toBe(
    'recorded'
  )
  await recording.close()
  const replay = await startProxy(undefined, { cassette: recording.cassette })
  expect((await ask(`${replay.api}?${query}`)).headers['location']).toBe(
    `/w/api.php?${query}`
  )
})

it('a page that redirects to the wiki leads to this server, below the prefix of the client', async () => {
  const wiki = await fakeWiki((_, { target }) => {
    const place = target.startsWith('/w/old')
      ? `${wiki.origin}/wiki/A?b=1#c`
      : 'http://else.test/x'
    return movedTo(place)
  })
  const recording = await startProxy(wiki.api)
  const locations = async (origin: string): Promise<readonly unknown[]> => {
    const found: unknown[] = []
    for (const target of ['/w/old', '/~@one/w/old', '/w/else'])
      found.push((await ask(origin + target)).headers['location'])
    return found
  }
  const expected = ['/wiki/A?b=1#c', '/~@one/wiki/A?b=1#c', 'http://else.test/x']
  expect(await locations(recording.origin)).toEqual(expected)
  await recording.close()
  const replay = await startProxy(undefined, { cassette: recording.cassette })
  expect(await locations(replay.origin)).toEqual(expected)
})
