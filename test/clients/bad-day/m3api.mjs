/** m3api with its own settings: it sends a request again for up to 65 seconds. */
import Session, { set } from 'm3api'
import { api, kind, password, step, user } from '../sessions/steps.mjs'

const options = { userAgent: 'wikitape-clients', warn: () => undefined }
const session = new Session(api, { formatversion: 2, maxlag: 5 }, options)
const page = 'Плохой день m3api'
const write = { method: 'POST', tokenType: 'csrf' }
const edit = async (text) =>
  (await session.request({ action: 'edit', title: page, text }, write)).edit.result

async function text(title) {
  const params = {
    titles: title,
    prop: set('revisions'),
    rvprop: 'content',
    rvslots: 'main'
  }
  const { query } = await session.request({ action: 'query', ...params })
  return query.pages[0].revisions[0].slots.main.content
}

await step('read', async () => await text('Ёлка'))
await step('walk', async () => {
  const titles = []
  const params = {
    action: 'query',
    list: set('allpages'),
    apprefix: 'Абрикос/',
    aplimit: 10
  }
  for await (const { query } of session.requestAndContinue(params))
    titles.push(...query.allpages.map(({ title }) => title))
  return titles
})
await step('log in', async () => {
  const params = { action: 'login', lgname: user, lgpassword: password }
  const { login } = await session.request(params, {
    ...write,
    tokenType: 'login',
    tokenName: 'lgtoken'
  })
  session.tokens.clear()
  session.defaultParams.assert = 'user'
  return login.result
})
await step('edit', async () => await edit('Слово.'))
await step('read back', async () => await text(page))
if (kind === 'record')
  await step('stale token', async () => {
    session.tokens.set('csrf', 'stale+\\')
    return await edit('Другое слово.')
  })
