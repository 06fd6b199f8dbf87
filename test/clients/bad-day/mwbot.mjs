/** mwbot with its own settings. */
import MWBot from 'mwbot'
import { api, password, step, user } from '../sessions/steps.mjs'

const bot = new MWBot({ apiUrl: api, silent: true })
const page = 'Плохой день mwbot'
const text = async (title) =>
  Object.values((await bot.read(title)).query.pages)[0].revisions

await step('read', async () => await text('Ёлка'))
await step('walk', async () => {
  const params = { action: 'query', list: 'allpages', apprefix: 'Абрикос/', aplimit: 500 }
  return (await bot.request(params)).query.allpages.map(({ title }) => title)
})
await step('log in', async () => {
  const { csrftoken } = await bot.loginGetEditToken({ username: user, password })
  return csrftoken.length > 0
})
await step('edit', async () => (await bot.edit(page, 'Слово.', 'Так')).edit.result)
await step('read back', async () => await text(page))
