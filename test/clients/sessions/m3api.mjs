/** m3api: action in the URL and the rest in the body, requests merged in one tick, tokens cached and refetched. */
import Session, { set } from 'm3api'
import { api, batch, kind, longText, password, shortBatch, step, user } from './steps.mjs'

const session = new Session(
  api,
  { formatversion: 2, errorformat: 'plaintext' },
  { userAgent: 'wikitape-clients', warn: () => undefined, maxRetriesSeconds: 5 }
)

async function walk(params, options) {
  const answers = []
  for await (const answer of session.requestAndContinue(
    { action: 'query', ...params },
    options
  ))
    answers.push(answer.query)
  return answers
}

async function read() {
  await step('two requests of one tick', async () => {
    const part = (siprop) =>
      session.request({ action: 'query', meta: set('siteinfo'), siprop: set(siprop) })
    const [a, b] = await Promise.all([part('general'), part('statistics')])
    return [a.query.general.sitename, b.query.statistics.images]
  })
  await step('all pages of a prefix, walked', async () => {
    const found = await walk({
      list: set('allpages'),
      apprefix: 'Абрикос/',
      aplimit: batch
    })
    return found.flatMap(({ allpages }) => allpages.map(({ title }) => title))
  })
  await step('recent changes of a user, walked by POST', async () => {
    const params = {
      list: 'usercontribs',
      ucuser: 'Bob',
      uclimit: batch,
      ucprop: ['title', 'ids']
    }
    return (await walk(params, { method: 'POST' })).flatMap(
      ({ usercontribs }) => usercontribs
    )
  })
  await step('two lists at once, walked', async () => {
    const lists = {
      list: set('allcategories', 'allimages'),
      aclimit: batch,
      ailimit: batch,
      aiprop: 'size'
    }
    const found = await walk({
      ...lists,
      acprefix: 'Природа',
      aifrom: 'Map',
      aito: 'Map 20.png'
    })
    return [
      found.flatMap(({ allcategories = [] }) =>
        allcategories.map(({ category }) => category)
      ),
      found.flatMap(({ allimages = [] }) => allimages.map(({ name }) => name))
    ]
  })
  await step('links of a generator, walked', async () => {
    const params = {
      generator: 'allpages',
      gapprefix: 'Hub',
      gaplimit: 500,
      prop: 'links',
      pllimit: batch
    }
    const links = new Map()
    for (const { pages = [] } of await walk(params))
      for (const { title, links: more = [] } of pages)
        links.set(title, [...(links.get(title) ?? []), ...more.map((link) => link.title)])
    return [...links].sort(([a], [b]) => (a < b ? -1 : 1))
  })
  await step('pages, with a pipe in a title', async () => {
    const titles = ['ёлка', 'AT&T', 'Проект:О_лаборатории', 'a|b']
    const { query } = await session.request({ action: 'query', titles, prop: 'info' })
    return [
      query.normalized,
      query.pages.map(({ title, missing, invalid, length }) => [
        title,
        missing,
        invalid,
        length
      ])
    ]
  })
  await step('a page', async () => {
    const params = {
      action: 'query',
      titles: 'Ёлка',
      prop: 'revisions',
      rvprop: 'content',
      rvslots: 'main'
    }
    return (await session.request(params)).query.pages[0].revisions[0].slots.main.content
  })
  await step('a page parsed', async () => {
    const { parse } = await session.request({
      action: 'parse',
      page: 'AT&T',
      prop: ['sections', 'categories', 'links']
    })
    return parse
  })
  await step('a page that is not there', async () =>
    session.request({ action: 'parse', page: 'Такой страницы нет' }).catch(codes)
  )
}

const codes = (error) => {
  if (error.errors === undefined) throw error
  return error.errors.map(({ code, text }) => [code, text])
}

const page = 'Испытание m3api'
const write = { method: 'POST', tokenType: 'csrf' }
const edit = (params) =>
  session
    .request({ action: 'edit', title: page, ...params }, write)
    .then(({ edit: done }) => ({
      result: done.result,
      new: done.new,
      nochange: done.nochange,
      newrevid: done.newrevid
    }))
const content = async (title = page) => {
  const params = {
    titles: title,
    prop: set('revisions'),
    rvprop: 'content',
    rvslots: 'main'
  }
  const { query } = await session.request({ action: 'query', ...params })
  return query.pages[0].missing === true
    ? null
    : query.pages[0].revisions[0].slots.main.content
}

async function edits() {
  await step('login', async () => {
    const params = { action: 'login', lgname: user, lgpassword: password }
    const options = { method: 'POST', tokenType: 'login', tokenName: 'lgtoken' }
    const { login } = await session.request(params, options)
    session.tokens.clear()
    return [login.result, login.lgusername]
  })
  await step('no such page yet', async () => await content())
  await step(
    'create',
    async () => await edit({ text: 'Первое слово.', createonly: true })
  )
  await step('read back, twice', async () => [await content(), await content()])
  await step('append', async () => await edit({ appendtext: '\n\nВторое & третье + =.' }))
  await step('read back', async () => await content())
  await step('no change', async () => await edit({ appendtext: '' }))
  await step('a long text', async () => await edit({ text: longText }))
  await step('read the long text', async () => (await content()) === longText.trimEnd())
  await step('edit with a stale token: badtoken, then again', async () => {
    session.tokens.set('csrf', 'stale+\\')
    return await edit({ text: 'После истёкшего токена.' })
  })
  await step('no token at all', async () =>
    session
      .request({ action: 'edit', title: page, text: 'x' }, { method: 'POST' })
      .catch(codes)
  )
  await step('create what is there', async () =>
    edit({ text: 'Нет', createonly: true }).catch(codes)
  )
  await step('history, walked', async () => {
    const params = {
      titles: page,
      prop: 'revisions',
      rvlimit: shortBatch,
      rvprop: ['ids', 'user', 'size']
    }
    return (await walk(params)).flatMap(({ pages }) => pages[0].revisions)
  })
  await step('delete', async () => {
    const { delete: done } = await session.request(
      { action: 'delete', title: page, reason: 'Готово' },
      write
    )
    return [done.title, done.reason]
  })
  await step('read what was deleted', async () => await content())
  await step(
    'logout',
    async () => void (await session.request({ action: 'logout' }, write))
  )
  await step('who am I now', async () => {
    const { query } = await session.request({ action: 'query', meta: 'userinfo' })
    return query.userinfo.anon
  })
}

await (kind === 'read' ? read() : edits())
