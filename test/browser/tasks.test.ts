/** What an explorer comes to the pages for: ten questions, each answered in at most three clicks from the page as it opens. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { ask } from '../helpers/http-client.ts'
import { startProxy } from '../helpers/proxies.ts'
import { launchChromium, newPage } from './chromium.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchChromium()
})

afterAll(() => browser.close())

/** A page that counts its clicks. */
class Explorer {
  readonly page: Page
  clicks = 0

  constructor(page: Page) {
    this.page = page
  }

  async click(what: Locator): Promise<void> {
    this.clicks += 1
    await what.click()
  }

  /** A view by its name at the top. */
  view = (name: string): Promise<void> =>
    this.click(
      this.page.getByRole('navigation', { name: 'views' }).getByRole('link', { name })
    )
  /** The row of a request in the list. */
  row = (text: string): Promise<void> =>
    this.click(this.page.locator('a.row', { hasText: text }).first())
  /** A part of the details. */
  part = (name: string): Promise<void> => this.click(this.page.getByRole('tab', { name }))

  /** The details say it. */
  async says(text: string | RegExp): Promise<void> {
    await this.page
      .getByRole('region', { name: 'details' })
      .getByText(text)
      .first()
      .waitFor()
  }
}

/** The pages of a replay of 1.43, after a client has asked five things. */
async function explore(): Promise<Explorer> {
  const { api, origin } = await startProxy(undefined, { cassette: 'cassettes/ru-1.43' })
  const get = (query: string) =>
    ask(`${api}?action=query&format=json&${encodeURI(query)}`, {
      headers: { 'user-agent': 'my-bot/2.1' }
    })
  await get('list=allpages&apfrom=Волга&aplimit=3')
  await get('list=backlinks&bltitle=Foo')
  await get('list=backlinks&bltitle=Узел')
  await get('prop=info&titles=Nowhere')
  const form = 'action=parse&text={{PAGENAME}}&title=Test&format=json'
  await ask(api, {
    method: 'POST',
    body: form,
    headers: { 'content-type': 'application/x-www-form-urlencoded' }
  })
  return open(`${origin}/__wikitape/`)
}

async function open(address: string): Promise<Explorer> {
  const page = await newPage(browser, { viewport: { width: 1360, height: 800 } })
  await page.goto(address)
  await page.locator('a.row').first().waitFor()
  return new Explorer(page)
}

describe('in at most three clicks', () => {
  it('1. why did this request miss?', async () => {
    const one = await explore()
    await one.row('bltitle=Foo')
    await one.says('No recording of query.backlinks has these parameters.')
    expect(await one.page.locator('.near tbody tr').first().innerText()).toMatch(
      /bltitle\s+Узел\s+Foo/
    )
    expect(one.clicks).toBe(1)
  })

  it('2. what did the client send?', async () => {
    const one = await explore()
    await one.row('bltitle=Foo')
    await one.part('Request')
    await one.says('my-bot/2.1')
    expect(one.clicks).toBe(2)
  })

  it('3. which recording gave the third row of this answer?', async () => {
    const one = await explore()
    await one.row('apfrom=Волга')
    const source = one.page
      .locator('.tree li', { hasText: 'Два слова' })
      .last()
      .locator('.source')
    expect(await source.innerText()).toBe('baa3809def85')
    expect(one.clicks).toBe(1)
  })

  it('4. what differs between this answer and that of the old version?', async () => {
    const one = await explore()
    await one.row('{{PAGENAME}}')
    await one.part('Compare')
    await one.click(one.page.getByRole('link', { name: 'ru-1.35' }))
    await one.page.getByText('HTML markup changed: 2 tags').first().waitFor()
    await one.page.locator('.line.added').first().waitFor()
    expect(one.clicks).toBe(3)
  })

  it('5. is this listing whole?', async () => {
    const one = await explore()
    await one.view('Listings')
    const row = one.page.locator('a.row', { hasText: 'list=backlinks' }).first()
    expect(await row.locator('.badge').innerText()).toMatch(/^(?:complete|gaps)$/)
    expect(one.clicks).toBe(1)
  })

  it('6. who wrote when?', async () => {
    const wiki = await fakeWiki(
      () => '{"edit":{"result":"Success","pageid":1,"title":"Page"}}'
    )
    const { api, origin } = await startProxy(wiki.api)
    for (const [name, text] of [
      ['Anna', 'a'],
      ['Boris', 'b']
    ] as const)
      await ask(api, {
        method: 'POST',
        body: `action=edit&title=Page&text=${text}&token=%2B%5C&format=json`,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'x-cassette-session': name,
          'user-agent': 'bot'
        }
      })
    const one = await open(`${origin}/`)
    await one.view('Timeline')
    await one.click(
      one.page.locator('.lane', { hasText: 'session Boris' }).locator('.bar-of.wrote')
    )
    await one.says(/^\d\d:\d\d:\d\d.*session Boris.*after 1 write/)
    expect(one.clicks).toBe(2)
  })

  it('7. what would replay answer to this URL?', async () => {
    const one = await explore()
    await one.view('Ask')
    await one.page
      .getByLabel('Request')
      .fill(
        'curl -G https://ru.wiki.example/w/api.php -d action=query -d list=allpages -d aplimit=4'
      )
    await one.click(one.page.getByRole('button', { name: 'Ask', exact: true }))
    await one.page.getByText('made of the recording').waitFor()
    expect(one.clicks).toBe(2)
  })

  it('8. how does the key of this request come about?', async () => {
    const one = await explore()
    await one.row('apfrom=Волга')
    await one.part('Key')
    await one.says('json (transport only: not in the key)')
    expect(one.clicks).toBe(2)
  })

  it('9. how do I send this request from Python?', async () => {
    const one = await explore()
    await one.row('bltitle=Узел')
    await one.part('Copy')
    await one.says(/requests\.get\(/)
    await one.click(
      one.page
        .locator('section', { hasText: 'mwclient' })
        .last()
        .getByRole('button', { name: 'Copy' })
    )
    expect(one.clicks).toBe(3)
  })

  it('10. what breaks between the versions?', async () => {
    const one = await explore()
    await one.view('Drift')
    await one.row('the right writeapi was removed')
    await one.says('writeapi')
    expect(one.clicks).toBe(2)
  })
})
