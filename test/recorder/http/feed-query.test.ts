/** Atom feeds repeat the address of their request, which the key does not contain: each caller gets its own. */
import { expect, it } from 'vitest'
import { escapeHtml } from '../../../src/recorder/wiki/answers/envelope.ts'
import { withFeedQuery } from '../../../src/recorder/wiki/answers/volatile.ts'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { ask, post } from '../../helpers/http-client.ts'
import { startProxy } from '../../helpers/proxies.ts'

/** As MediaWiki 1.39 and 1.43 write it. */
const feed = (target: string): string => {
  const own = `http://wiki${escapeHtml(target).replaceAll("'", '&#039;')}`
  return `<?xml version="1.0"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="ru">
\t<id>${own}</id>\n\t<title>A &lt;id&gt;</title>\n\t<link rel="self" type="application/atom+xml" href="${own}"/>
\t<link rel="alternate" type="text/html" href="http://wiki/w/index.php?title=B"/>
\t<entry>\n\t\t<id>http://wiki/w/index.php?title=C&amp;diff=1</id></entry></feed>`
}

const call = 'action=feedrecentchanges&feedformat=atom'
const spelled = ['', '&maxlag=5', '&origin=*', '&smaxage=5', '&', '&&maxage=%35']

it.each(['GET', 'POST'])('recorded by %s, replayed for others', async (method) => {
  const wiki = await fakeWiki((_, { target }) => ({
    body: feed(target),
    headers: { 'content-type': 'application/xml; charset=utf-8' }
  }))
  const recording = await startProxy(wiki.api)
  await (method === 'GET' ? ask(`${recording.api}?${call}`) : post(recording.api, call))
  await recording.close()
  const replay = await startProxy(undefined, { cassette: recording.cassette })
  const requests = [
    ...spelled.map((more) => call + more),
    'feedformat=atom&action=feedrecentchanges'
  ]
  for (const query of requests) {
    const reply = await ask(`${replay.api}?${query}`)
    expect([reply.headers['x-cassette-status'], reply.text]).toEqual([
      'replayed',
      feed(`/w/api.php?${query}`)
    ])
  }
  expect((await post(replay.api, call)).text).toBe(feed('/w/api.php'))
  expect((await post(`${replay.api}?maxage=7`, call)).text).toBe(
    feed('/w/api.php?maxage=7')
  )
})

it('a query is escaped as PHP does, and other texts stay', () => {
  const query = `a='"&b=<$&>`
  expect(withFeedQuery(feed('/w/api.php?b=1'), query)).toBe(feed(`/w/api.php?${query}`))
  for (const text of [
    feed('/a').replace('"self"', '"next"'),
    feed('/a').replace('<feed', '<api'),
    'a'
  ])
    expect(withFeedQuery(text, query)).toBe(text)
})
