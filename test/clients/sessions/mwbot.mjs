/** mwbot: POST for everything, `format` in the URL and the rest in the body. */
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import MWBot from 'mwbot'
import {
  api,
  batch,
  image,
  kind,
  longText,
  password,
  shortBatch,
  step,
  user
} from './steps.mjs'

const bot = new MWBot({ apiUrl: api, verbose: false, silent: true }, {})

async function walk(params) {
  const answers = []
  let more = { continue: '' }
  while (more !== undefined) {
    const answer = await bot.request({ action: 'query', ...params, ...more })
    answers.push(answer.query)
    more = answer.continue
  }
  return answers
}

async function read() {
  await step(
    'site',
    async () =>
      (await bot.request({ action: 'query', meta: 'siteinfo' })).query.general.sitename
  )
  await step('a page', async () => content(await bot.read('Ёлка', false)))
  await step('a redirect followed', async () => {
    const { query } = await bot.read('Hub 00', true)
    return [query.redirects, content({ query }).length]
  })
  await step('pages', async () => {
    const { query } = await bot.read('абрикос|AT&T|C++|Нет такой', false)
    return [
      query.normalized,
      Object.entries(query.pages).map(([id, { title, missing }]) => [id, title, missing])
    ]
  })
  await step('by page id', async () => content(await bot.readFromID(2)))
  await step('with props', async () => {
    const { query } = await bot.readWithProps('Ёлка', 'ids|user|size', false)
    return query.pages
  })
  await step('members of a category, walked', async () => {
    const found = await walk({
      list: 'categorymembers',
      cmtitle: 'Категория:Природа 0',
      cmlimit: batch
    })
    return found.flatMap(({ categorymembers }) => categorymembers)
  })
  await step('log, walked', async () => {
    const found = await walk({
      list: 'logevents',
      letype: 'move',
      lelimit: batch,
      leprop: 'ids|title|details'
    })
    return found.flatMap(({ logevents }) => logevents)
  })
  await step('links to a page, walked', async () => {
    const found = await walk({ list: 'backlinks', bltitle: 'Абрикос', bllimit: batch })
    return found.flatMap(({ backlinks }) => backlinks.map(({ title }) => title))
  })
  await step(
    'an unknown page',
    async () => await bot.request({ action: 'parse', page: 'Такой страницы нет' })
  )
}

const content = ({ query }) =>
  Object.values(query.pages)[0].revisions?.[0].slots.main['*'] ?? null
const page = 'Испытание mwbot'
const short = ({ edit: { result, title, newrevid } }) => ({ result, title, newrevid })

async function write() {
  await step('login and token', async () => {
    const { lgusername, csrftoken } = await bot.loginGetEditToken({
      apiUrl: api,
      username: user,
      password
    })
    return [lgusername, csrftoken.endsWith('+\\')]
  })
  await step('no such page yet', async () => content(await bot.read(page, false)))
  await step('create', async () =>
    short(await bot.create(page, 'Первое слово.', 'Создано'))
  )
  await step('create again', async () =>
    short(await bot.create(page, 'Первое слово.', 'Создано'))
  )
  await step('read back', async () => content(await bot.read(page, false)))
  await step('update', async () => short(await bot.update(page, 'Второе & +.', 'Ещё')))
  await step('read back again', async () => content(await bot.read(page, false)))
  await step('edit with a long text', async () =>
    short(await bot.edit(page, longText, 'Длинно'))
  )
  await step(
    'read the long text',
    async () => content(await bot.read(page, false)) === longText.trimEnd()
  )
  await step('a bad token', async () => {
    const { editToken } = bot
    bot.editToken = 'bad+\\'
    try {
      return await bot.edit(page, 'x', 'x')
    } finally {
      bot.editToken = editToken
    }
  })
  await step('a batch', async () => {
    const { edit } = await bot.batch(
      { edit: { [`${page} 1`]: 'Раз', [`${page} 2`]: 'Два' } },
      'Пачка',
      1
    )
    return Object.entries(edit).map(([title, answer]) => [title, answer.edit?.result])
  })
  await step('history, walked', async () => {
    const found = await walk({
      prop: 'revisions',
      titles: page,
      rvlimit: shortBatch,
      rvprop: 'ids|user|size'
    })
    return found.flatMap(({ pages }) => Object.values(pages)[0].revisions)
  })
  await step('upload', async () => {
    const file = path.join(tmpdir(), `wikitape-mwbot-${process.pid}.png`)
    writeFileSync(file, image)
    return (await bot.upload('Испытание mwbot.png', file, 'Описание')).upload.result
  })
  await step('delete', async () => (await bot.delete(page, 'Готово')).delete.title)
  await step('read what was deleted', async () => content(await bot.read(page, false)))
}

await (kind === 'read' ? read() : write())
