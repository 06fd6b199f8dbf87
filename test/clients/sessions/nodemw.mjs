/** nodemw: formatversion 1, limits of 5000, `rand` on each read, login without a token first, a token for each edit. */
import Bot from 'nodemw'
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

const { protocol, hostname, port, pathname } = new URL(api)
const bot = new Bot({
  protocol: protocol.slice(0, -1),
  server: hostname,
  port: Number(port),
  path: pathname.replace(/\/api\.php$/, ''),
  username: user,
  password
})

/** A method that takes a callback, as a promise of its first result. */
const ask = (method, ...args) =>
  new Promise((resolve, reject) => {
    bot[method](...args, (error, result) => (error ? reject(error) : resolve(result)))
  })

async function read() {
  await step(
    'site',
    async () =>
      await ask('getSiteInfo', ['general', 'namespaces']).then(
        ({ general, namespaces }) => [general.sitename, namespaces[14]['*']]
      )
  )
  await step('statistics', async () => await ask('getSiteStats'))
  await step('a page', async () => await ask('getArticle', 'Ёлка'))
  await step('pages that are awkward to name', async () => [
    await ask('getArticle', 'AT&T'),
    await ask('getArticle', 'C++'),
    (await ask('getArticle', 'Такой страницы нет')) ?? null
  ])
  await step('pages of a category', async () =>
    titles(await ask('getPagesInCategory', 'Природа 0'))
  )
  await step('pages of a prefix', async () =>
    titles(await ask('getPagesByPrefix', 'Абрикос/'))
  )
  await step('all pages of a prefix, walked', async () => {
    const params = {
      action: 'query',
      list: 'allpages',
      apprefix: 'Абрикос/',
      aplimit: batch
    }
    return titles(await ask('getAll', params, 'allpages'))
  })
  await step(
    'categories of a page',
    async () => await ask('getArticleCategories', 'Ёлка')
  )
  await step('revisions', async () =>
    (await ask('getArticleRevisions', 'Абрикос')).map(({ revid, user: author }) => [
      revid,
      author
    ])
  )
  await step(
    'page info',
    async () => await ask('getArticleInfo', ['Абрикос', 'Ёлка'], {})
  )
  await step('links to a page', async () => titles(await ask('getBacklinks', 'Абрикос')))
  await step('images of a page', async () =>
    titles(await ask('getImagesFromArticle', 'Волга'))
  )
  await step('users of an image', async () =>
    titles(await ask('getImageUsage', 'Файл:Map 00.png'))
  )
  await step('contributions', async () =>
    titles(await ask('getUserContribs', { user: 'Bob' }))
  )
  await step('search', async () => titles(await ask('search', 'река')))
  await step('three at once', async () => {
    const pages = ['Лес', 'Море', 'Небо']
    return await Promise.all(
      pages.map(async (page) => (await ask('getArticle', page)).length)
    )
  })
  await step('parsed', async () => await ask('parse', "'''Ёлка''' [[Лес]]", 'Опыт'))
  await step(
    'templates expanded',
    async () => await ask('expandTemplates', '{{PAGENAME}} {{Box A|1}}', 'Опыт')
  )
  await step('a user', async () => await ask('whois', 'Bob'))
}

const titles = (found) => found.map(({ title, name }) => title ?? name)
const page = 'Испытание nodemw'

async function write() {
  await step('login', async () => (await ask('logIn', user, password)).lgusername)
  await step('who am I', async () => (await ask('whoami')).name)
  await step('no such page yet', async () => (await ask('getArticle', page)) ?? null)
  await step('edit', async () =>
    short(await ask('edit', page, 'Первое слово.', 'Создано'))
  )
  await step('read back', async () => await ask('getArticle', page))
  await step('append', async () => short(await ask('append', page, '\n\nКонец.', 'Ещё')))
  await step('prepend', async () =>
    short(await ask('prepend', page, 'Начало & +\n\n', 'Ещё'))
  )
  await step('read back again', async () => await ask('getArticle', page))
  await step('a long text', async () =>
    short(await ask('edit', page, longText, 'Длинно'))
  )
  await step(
    'read the long text',
    async () => (await ask('getArticle', page)) === longText.trimEnd()
  )
  await step('history, walked', async () => {
    const params = {
      action: 'query',
      prop: 'revisions',
      titles: page,
      rvlimit: shortBatch,
      rvprop: 'ids|size'
    }
    return await ask('getAll', params, ({ pages }) => Object.values(pages)[0].revisions)
  })
  await step(
    'protect',
    async () =>
      await ask('protect', page, [{ type: 'edit', level: 'sysop' }], { reason: 'Так' })
  )
  await step('move', async () => await ask('move', page, `${page} (2)`, 'Так лучше'))
  await step('purge', async () => await ask('purge', [`${page} (2)`]))
  await step(
    'upload',
    async () => (await ask('upload', 'Испытание nodemw.png', image, 'Описание')).result
  )
  await step('contributions', async () => {
    const found = await ask('getUserContribs', { user })
    return found.slice(0, 6).map(({ title, comment }) => [title, comment])
  })
}

const short = ({ result, title, newrevid, oldrevid }) => ({
  result,
  title,
  newrevid,
  oldrevid
})

await (kind === 'read' ? read() : write())
