/** nodemw with its own settings. */
import Bot from 'nodemw'
import { api, password, step, user } from '../sessions/steps.mjs'

const { protocol, hostname, port, pathname } = new URL(api)
const place = { protocol: protocol.slice(0, -1), server: hostname, port: Number(port) }
const bot = new Bot({
  ...place,
  path: pathname.replace(/\/api\.php$/, ''),
  username: user,
  password
})
const page = 'Плохой день nodemw'
const ask = (method, ...args) =>
  new Promise((resolve, reject) => {
    bot[method](...args, (error, result) => (error ? reject(error) : resolve(result)))
  })

await step('read', async () => await ask('getArticle', 'Ёлка'))
await step('walk', async () => {
  const params = { action: 'query', list: 'allpages', apprefix: 'Абрикос/', aplimit: 10 }
  return (await ask('getAll', params, 'allpages')).map(({ title }) => title)
})
await step('log in', async () => (await ask('logIn', user, password)).result)
await step('edit', async () => (await ask('edit', page, 'Слово.', 'Так')).result)
await step('read back', async () => await ask('getArticle', page))
