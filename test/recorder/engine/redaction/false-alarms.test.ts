/** What only looks like a secret loses no answer, and changes none. */
import { expect, it } from 'vitest'
import { fakeWiki } from '../../../helpers/fake-wiki.ts'
import { ask, post } from '../../../helpers/http-client.ts'
import { startProxy } from '../../../helpers/proxies.ts'

const hex = 'ab12cd34ef56ab78cd90ef12ab34cd56'

it('a token that tests send to be refused costs no answer', async () => {
  const told = '{"error":{"code":"badtoken","info":"Invalid CSRF token."}}'
  const wiki = await fakeWiki(() => ({
    body: told,
    headers: { 'mediawiki-api-error': 'badtoken' }
  }))
  const recording = await startProxy(wiki.api)
  const sent = 'action=edit&format=json&title=A&text=B&token=badtoken'
  expect((await post(recording.api, sent)).headers['x-cassette-status']).toBe('recorded')
  await recording.close()
  expect(recording.reports.join('\n')).not.toContain('secret')

  const replay = await startProxy(undefined, { cassette: recording.cassette })
  expect((await post(replay.api, sent)).text).toBe(told)
})

it('an option with "password" in its name costs no answer that has its value', async () => {
  const options =
    '{"query":{"userinfo":{"options":{"userjs-hide-password-hint":"yesterday"}}}}'
  const page = '{"query":{"pages":[{"title":"yesterday"}]}}'
  const wiki = await fakeWiki((params) =>
    params.get('uiprop') === 'options'
      ? options
      : params.has('titles')
        ? page
        : '{"options":"success"}'
  )
  const change = 'change=userjs-hide-password-hint%3Dyesterday'
  const program = async (api: string): Promise<readonly string[]> => {
    const replies = [
      await post(api, `action=options&format=json&${change}&token=%2B%5C`),
      await ask(`${api}?action=query&format=json&meta=userinfo&uiprop=options`),
      await ask(`${api}?action=query&format=json&titles=yesterday`)
    ]
    return replies.map(
      ({ headers, text }) => `${String(headers['x-cassette-status'])} ${text}`
    )
  }
  const recording = await startProxy(wiki.api)
  const recorded = await program(recording.api)
  expect(recorded).toEqual(
    ['{"options":"success"}', options, page].map((one) => `recorded ${one}`)
  )
  await recording.close()

  const replay = await startProxy(undefined, { cassette: recording.cassette })
  expect(await program(replay.api)).toEqual(
    recorded.map((one) => one.replace('recorded', 'replayed'))
  )
})

it.each([
  [
    'an export',
    'application/xml',
    'action=query&titles=A&format=json&export=1&exportnowrap=1'
  ],
  ['formatted XML', 'text/html', 'action=query&titles=A&format=xmlfm'],
  ['raw text', 'text/html', 'action=query&titles=A&format=rawfm']
])(
  'words of an article in %s are no secrets, there or in later answers',
  async (_, type, query) => {
    const article = `<!DOCTYPE html><pre>the password=${hex} and apikey: ${hex}</pre>`
    const later = `{"query":{"pages":[{"title":"${hex}"}]}}`
    const wiki = await fakeWiki((params) =>
      params.get('titles') === 'A'
        ? { body: article, headers: { 'content-type': `${type}; charset=utf-8` } }
        : later
    )
    const recording = await startProxy(wiki.api)
    await ask(`${recording.api}?${query}`)
    await ask(`${recording.api}?action=query&format=json&titles=B`)
    await recording.close()

    const replay = await startProxy(undefined, { cassette: recording.cassette })
    expect((await ask(`${replay.api}?${query}`)).text).toBe(article)
    expect((await ask(`${replay.api}?action=query&format=json&titles=B`)).text).toBe(
      later
    )
  }
)
