/** mwn with its own settings: three retries, five seconds apart. */
import { Mwn } from 'mwn'
import { api, kind, password, step, user } from '../sessions/steps.mjs'

const bot = new Mwn({ apiUrl: api, username: user, password, silent: true })
const page = 'Плохой день mwn'
const text = async (title) => (await bot.read(title)).revisions[0].content

await step('read', async () => await text('Ёлка'))
await step('walk', async () => {
  const query = { action: 'query', list: 'allpages', apprefix: 'Абрикос/', aplimit: 10 }
  const found = await bot.continuedQuery(query, Number.POSITIVE_INFINITY)
  return found.flatMap(({ query: { allpages } }) => allpages.map(({ title }) => title))
})
await step('log in', async () => {
  await bot.login()
  return bot.state.lgusername
})
await step('edit', async () => (await bot.save(page, 'Слово.', 'Так')).result)
await step('read back', async () => await text(page))
// What it asks after a token was refused.
if (kind === 'record')
  await step('stale token', async () => {
    bot.csrfToken = 'stale+\\'
    return (await bot.save(page, 'Другое слово.', 'Так')).result
  })
