/** mwn: GET and POST reads, merged continuation, mass queries, upload; a login, edits, a stale token, a logout. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Mwn } from 'mwn'
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

const bot = new Mwn({
  apiUrl: api,
  username: user,
  password,
  silent: true,
  retryPause: 200
})

async function walk(query) {
  const answers = await bot.continuedQuery(
    { action: 'query', ...query },
    Number.POSITIVE_INFINITY
  )
  return answers.map(({ query: found }) => found)
}

async function read() {
  await step('siteinfo', async () => {
    await bot.getSiteInfo()
    return [bot.Title.nameIdMap.категория, new bot.Title('категория:ёлка').toText()]
  })
  await step('all pages of a prefix, walked', async () => {
    const found = await walk({ list: 'allpages', apprefix: 'Абрикос/', aplimit: batch })
    return found.flatMap(({ allpages }) => allpages.map(({ title }) => title))
  })
  await step('members of a category, walked', async () => {
    const found = await walk({
      list: 'categorymembers',
      cmtitle: 'Категория:Природа 0',
      cmlimit: batch
    })
    return found.flatMap(({ categorymembers }) =>
      categorymembers.map(({ title }) => title)
    )
  })
  await step('a generator with a prop, walked', async () => {
    const found = await walk({
      generator: 'allpages',
      gapprefix: 'Hub',
      gaplimit: batch,
      prop: 'info',
      inprop: ''
    })
    return found
      .flatMap(({ pages }) => pages.map(({ title, length }) => [title, length]))
      .sort()
  })
  await step('a page', async () => (await bot.read('Ёлка')).revisions[0].content)
  await step('pages, by POST', async () => {
    const pages = await bot.read([
      'абрикос',
      'AT&T',
      'C++',
      'Нет такой страницы',
      'What?'
    ])
    return pages.map(({ title, missing, revisions }) => [
      title,
      missing ?? false,
      revisions?.[0].content.length
    ])
  })
  await step('history', async () => {
    const found = await new bot.Page('Абрикос').history(['ids', 'user', 'comment'], 3)
    return found.map(({ revid, user: author, comment }) => [revid, author, comment])
  })
  await step('links', async () => await new bot.Page('AT&T').links())
  await step(
    'pages of a category',
    async () => await new bot.Category('Всё').members({ cmtype: 'subcat' })
  )
  await step('search', async () =>
    (await bot.search('Волга', 5)).map(({ title }) => title)
  )
  await step(
    'wikitext parsed',
    async () => await bot.parseWikitext("'''Ёлка''' [[Нет такой]]")
  )
  await step('a missing page', async () => {
    const { missing } = await bot.read('Такой страницы нет')
    return missing
  })
  await step('an unknown module', async () => await bot.request({ action: 'nosuch' }))
}

const page = 'Испытание mwn'

async function write() {
  await step('login', async () => {
    await bot.login()
    return bot.state.lgusername
  })
  await step('who am I', async () => (await bot.userinfo()).name)
  await step('no such page yet', async () => (await bot.read(page)).missing)
  await step('create', async () =>
    short(await bot.create(page, 'Первое слово.', 'Создано'))
  )
  await step('read back', async () => (await bot.read(page)).revisions[0].content)
  await step('edit', async () =>
    short(
      await bot.edit(page, ({ content }) => ({
        text: `${content}\n\nВторое.`,
        summary: 'Ещё'
      }))
    )
  )
  await step('read back again', async () => (await bot.read(page)).revisions[0].content)
  await step('save a long text, as multipart', async () =>
    short(await bot.save(page, longText, 'Длинно'))
  )
  await step(
    'read the long text',
    async () => (await bot.read(page)).revisions[0].content === longText
  )
  await step('edit with a stale token: badtoken, then again', async () => {
    bot.csrfToken = 'stale+\\'
    return short(await bot.save(page, 'После истёкшего токена.', 'Снова'))
  })
  await step('create what is there', async () => await bot.create(page, 'Нет', 'Нельзя'))
  await step('history, walked', async () => {
    const query = {
      prop: 'revisions',
      titles: page,
      rvlimit: shortBatch,
      rvprop: 'ids|user|comment|size'
    }
    return (await walk(query)).flatMap(({ pages }) => pages[0].revisions)
  })
  await step('move', async () => (await bot.move(page, `${page} (2)`, 'Так лучше')).to)
  await step('the redirect left behind', async () => {
    const { title, revisions } = await bot.read(page)
    return [title, revisions[0].content]
  })
  await step('upload', async () => {
    const file = path.join(tmpdir(), `wikitape-mwn-${process.pid}.png`)
    writeFileSync(file, image)
    return (await bot.upload(file, 'Испытание mwn.png', 'Описание')).result
  })
  await step('the file', async () => {
    const query = {
      titles: 'Файл:Испытание mwn.png',
      prop: 'imageinfo',
      iiprop: 'size|sha1|user'
    }
    return (await bot.query(query)).query.pages
  })
  await step('purge', async () => (await bot.purge([`${page} (2)`])).purge)
  await step('logout', async () => await bot.logout())
  await step(
    'who am I now',
    async () => (await bot.query({ meta: 'userinfo' })).query.userinfo.anon
  )
}

const short = ({ result, title, oldrevid, newrevid, contentmodel }) => ({
  result,
  title,
  oldrevid,
  newrevid,
  contentmodel
})

/** Among them one by an absolute URL out of an answer. */
async function files() {
  await step('siteinfo', async () => await bot.getSiteInfo())
  await step('a page', async () => (await bot.read('Ёлка')).revisions[0].content)
  await step('all pages of a prefix, walked', async () => {
    const found = await walk({ list: 'allpages', apprefix: 'Абрикос/', aplimit: batch })
    return found.flatMap(({ allpages }) => allpages.map(({ title }) => title))
  })
  await step('an image, downloaded', async () => {
    const file = path.join(tmpdir(), `wikitape-mwn-${process.pid}-image`)
    await bot.download('Файл:Map 00.png', file)
    return createHash('sha1').update(readFileSync(file)).digest('hex')
  })
}

await { read, write, proxied: files, rewritten: files }[kind]()
