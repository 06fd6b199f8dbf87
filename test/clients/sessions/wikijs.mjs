/** wikijs, which only reads: no `continue` parameter, continue values repeated as `<p>from`, `redirects` on everything. */
import wikijs from 'wikijs'
import { api, batch, kind, step } from './steps.mjs'

const wiki = wikijs({ apiUrl: api })

/** Follows `next` to the end. */
async function toTheEnd(first) {
  const found = []
  for (let now = await first; ; now = await now.next()) {
    found.push(...now.results)
    if (now.next === undefined) return found
  }
}

async function read() {
  await step('search, walked', async () => await toTheEnd(wiki.search('река', batch)))
  await step(
    'prefix search',
    async () => await wiki.prefixSearch('Абрикос', 5).then(({ results }) => results)
  )
  await step('open search', async () => await wiki.opensearch('Абри', 5))
  await step(
    'pages of a category',
    async () => await wiki.pagesInCategory('Категория:Природа 0')
  )
  await step('all categories', async () => await wiki.allCategories())
  await step('all pages', async () => await wiki.allPages())
  const page = await wiki.page('Ёлка')
  await step('a page', () => [page.raw.title, page.raw.pageid])
  await step('its text', async () => await page.rawContent())
  await step('its markup', async () => (await page.html()).includes('mw-parser-output'))
  await step('its links, walked', async () => await page.links(true, batch))
  await step('its categories', async () => await page.categories(true, batch))
  await step(
    'links to it, walked',
    async () => await (await wiki.page('Абрикос')).backlinks(true, batch)
  )
  await step('a redirect', async () => (await wiki.page('Hub 00')).raw.title)
  await step('by id', async () => (await wiki.findById(2)).raw.title)
  await step('awkward names', async () => [
    (await wiki.page('AT&T')).raw.title,
    (await wiki.page('C++')).raw.title
  ])
  await step(
    'a missing page',
    async () => (await wiki.page('Такой страницы нет')).raw.title
  )
  await step('a question of its own', async () => {
    const { query, continue: more } = await wiki.api({
      list: 'allpages',
      apprefix: 'Hub',
      aplimit: 3
    })
    return [query, more]
  })
}

/** The export is fetched by the absolute URL to which the wiki redirects. */
async function files() {
  await step('export', async () => {
    const xml = await wiki.exportXml('Ёлка')
    return [/<title>[^<]*/.exec(xml)?.[0], /<sha1>[^<]*/.exec(xml)?.[0]]
  })
}

await (kind === 'read' ? read() : files())
