/** Large answers are redacted and searched for secrets like small ones, however many come at once. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, vi } from 'vitest'
import { CassetteStore } from '../../../../src/recorder/store/cassette-store.ts'
import { fakeWiki } from '../../../helpers/fake-wiki.ts'
import { interactionFiles } from '../../../helpers/folders.ts'
import { ask, post } from '../../../helpers/http-client.ts'
import { startProxy } from '../../../helpers/proxies.ts'
import { articles } from '../../../helpers/public-content.ts'

const prose = articles(1, 128 * 1024).next().value ?? ''
const call = '?action=query&format=json&list=allpages'

it('the file that is searched is the one that is written', async () => {
  const wiki = await fakeWiki(() =>
    JSON.stringify({ query: { pages: [{ content: prose }] } })
  )
  const proxy = await startProxy(wiki.api)
  expect((await ask(proxy.api + call)).headers['x-cassette-status']).toBe('recorded')
  const [file = ''] = interactionFiles(proxy.cassette)
  const text = readFileSync(path.join(proxy.cassette, file), 'utf8')
  const store = CassetteStore.open(proxy.cassette)
  const [[key] = []] = [...store.paths()]
  const found = key && store.get(key)
  if (found?.kind !== 'found') throw new Error('not recorded')
  store.put(found.interaction)
  expect(readFileSync(path.join(proxy.cassette, file), 'utf8')).toBe(text)
})

it('each is recorded whole, however many come at once', async () => {
  const wiki = await fakeWiki((params) =>
    JSON.stringify({ query: { from: params.get('apfrom'), content: prose } })
  )
  const proxy = await startProxy(wiki.api)
  const names = Array.from({ length: 12 }, (_, at) => `P${at % 6}`)
  const replies = await Promise.all(
    names.map((name) => ask(`${proxy.api + call}&apfrom=${name}`))
  )
  await proxy.close()
  expect(interactionFiles(proxy.cassette)).toHaveLength(6)
  const replay = await startProxy(undefined, { cassette: proxy.cassette })
  for (const [at, name] of names.entries())
    expect((await ask(`${replay.api + call}&apfrom=${name}`)).text).toBe(
      replies[at]?.text
    )
})

it('what one client sent while the answer of another was under way is not in its recording', async () => {
  const password = 'correct-Horse7-battery9b'
  let answerList = (): void => undefined
  const wiki = await fakeWiki((params, _, response) => {
    if (params.get('action') === 'login') answerList()
    if (!params.has('list')) return '{"login":{"result":"Failed"}}'
    response.setHeader('content-type', 'application/json')
    answerList = () =>
      void response.end(JSON.stringify({ query: { content: `${prose} ${password}` } }))
    return 'taken'
  })
  const proxy = await startProxy(wiki.api)
  const large = ask(proxy.api + call)
  await vi.waitFor(() => expect(wiki.asked()).toHaveLength(1))
  await post(proxy.api, `action=login&lgname=A&lgpassword=${password}&format=json`)
  expect((await large).headers['x-cassette-status']).toBe('passthrough')
  await proxy.close()
  for (const file of interactionFiles(proxy.cassette))
    expect(readFileSync(path.join(proxy.cassette, file), 'utf8')).not.toContain(password)
})
