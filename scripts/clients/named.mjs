/**
 * `named.mjs LIBRARY`: a session of an npm library, as its users write it, with the wikis that the library knows by name.
 * Each step is a line: its name, and what came of it. The libraries are in CLIENTS, a folder with node_modules.
 */
import { createRequire } from 'node:module'
import path from 'node:path'

const folder = process.env.CLIENTS ?? '.'
const require = createRequire(path.resolve(folder, 'package.json'))
const userAgent = 'session/1 (you@example.org)'
const query = '?action=query&list=allpages&aplimit=5&format=json'
const wikis = ['en.wikipedia.org', 'commons.wikimedia.org', 'www.wikidata.org'].map(
  (name) => `https://${name}/w/api.php`
)

async function step(name, work) {
  let told
  try {
    told = await work()
  } catch (error) {
    told = `failed: ${error.message}`
  }
  console.log(`${name}: ${JSON.stringify(told)?.slice(0, 2000)}`)
}

const imported = (name) => import(require.resolve(name))

async function load(name) {
  const module = await imported(name)
  return module.default ?? module
}

const sessions = {
  async wtf_wikipedia() {
    const wtf = await load('wtf_wikipedia')
    await step('a page', async () => (await wtf.fetch('AT&T', 'en')).json())
    await step('two pages', async () =>
      (await wtf.fetch(['Alpha', 'C++'], 'en')).map((one) => one.text())
    )
    await step('of Commons', async () =>
      (await wtf.fetch('Alpha', { domain: 'commons.wikimedia.org' }))?.text()
    )
    await step('none', () => wtf.fetch('No such page', 'en'))
  },
  async wikipedia() {
    const wiki = await load('wikipedia')
    await step('search', () => wiki.search('Alpha', { limit: 3 }))
    await step('page', async () => (await wiki.page('Alpha')).content())
    await step('links', async () => (await wiki.page('AT&T')).links())
    await step('categories', async () => (await wiki.page('C++')).categories())
    await step('summary', () => wiki.summary('Alpha'))
  },
  async mwn() {
    const { Mwn } = await imported('mwn')
    for (const apiUrl of wikis) {
      const bot = new Mwn({
        apiUrl,
        userAgent,
        silent: true,
        suppressInvalidDateWarning: true
      })
      await step(`site of ${apiUrl}`, () => bot.getSiteInfo())
      await step('read', async () => (await bot.read('Alpha')).revisions)
      await step('pages', async () => {
        const titles = []
        for await (const { query } of bot.continuedQueryGen(
          { action: 'query', list: 'allpages', aplimit: 20 },
          3
        ))
          titles.push(...query.allpages.map(({ title }) => title))
        return titles
      })
    }
  },
  async 'wikibase-sdk'() {
    const { WBK } = await imported('wikibase-sdk')
    const wbk = WBK({
      instance: 'https://www.wikidata.org',
      sparqlEndpoint: 'https://query.wikidata.org/sparql'
    })
    const headers = { 'user-agent': userAgent }
    const ask = async (url) => (await fetch(url, { headers })).json()
    await step('entities', () =>
      ask(wbk.getEntities({ ids: ['Q1', 'Q2'], languages: ['en'] }))
    )
    await step('search', () => ask(wbk.searchEntities({ search: 'Alpha', limit: 3 })))
    await step('titles', () =>
      ask(wbk.getEntitiesFromSitelinks({ titles: 'Alpha', sites: ['enwiki'] }))
    )
  },
  async axios() {
    const axios = await load('axios')
    for (const one of wikis)
      await step(
        one,
        async () =>
          (await axios.get(one + query, { headers: { 'user-agent': userAgent } })).data
            .query
      )
  },
  async got() {
    const got = await load('got')
    for (const one of wikis)
      await step(
        one,
        async () =>
          (await got(one + query, { headers: { 'user-agent': userAgent } }).json()).query
      )
  }
}

await sessions[process.argv[2]]()
