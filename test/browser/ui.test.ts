/** The pages under `/__wikitape/`, as people use them. */
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { ask } from '../helpers/http-client.ts'
import { startProxy } from '../helpers/proxies.ts'
import { launchChromium } from './chromium.ts'

const require = createRequire(import.meta.url)
let browser: Browser

beforeAll(async () => {
  browser = await launchChromium()
})

afterAll(() => browser.close())

interface Opened {
  readonly page: Page
  /** What was asked of anybody else than the server of the page. */
  readonly strangers: string[]
  /** What went wrong in the page: errors, and what its policy forbade. */
  readonly complaints: string[]
}

async function open(address: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const strangers: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(address).origin) strangers.push(request.url())
  })
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(address)
  return { page, strangers, complaints }
}

const call = '?action=query&format=json&list=allpages&apfrom='

describe('live requests', () => {
  it('appear as a client records, and lead to what was recorded', async () => {
    const wiki = await fakeWiki()
    const proxy = await startProxy(wiki.api)
    await ask(`${proxy.api}${call}Before`)
    const { page, strangers, complaints } = await open(`${proxy.origin}/`)
    expect(page.url()).toBe(`${proxy.origin}/__wikitape/`)
    await page.getByText('1 request.').waitFor()
    await ask(`${proxy.api}${call}Тверь`)
    await page.getByText('2 requests.').waitFor()
    const row = page.locator('.row').first()
    expect(await row.innerText()).toMatch(/recorded\s+query\.allpages\s+200/)
    await row.getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: 'list allpages · apfrom=Тверь' }).waitFor()
    expect([strangers, complaints]).toEqual([[], []])
    expect(wiki.asked().length).toBe(2)
  })

  it('are filtered by words and by what became of them', async () => {
    const recording = await startProxy((await fakeWiki()).api)
    await ask(`${recording.api}${call}A`)
    await recording.close()
    const { api, origin } = await startProxy(undefined, { cassette: recording.cassette })
    await ask(`${api}${call}A`)
    await ask(`${api}?action=parse&format=json&page=A`)
    const { page } = await open(`${origin}/__wikitape/`)
    await page.getByText('2 requests.').waitFor()
    await page.getByLabel('Filter').fill('no-module')
    await page.getByText('1 of 2 requests.').waitFor()
    expect(await page.locator('.row').innerText()).toContain('parse')
    await page.getByLabel('Filter').fill('')
    await page.getByText('2 requests.').waitFor()
    await page.getByRole('checkbox', { name: 'miss' }).uncheck()
    expect(await page.locator('.row').innerText()).toContain('query.allpages')
  })
})

describe('a cassette', () => {
  it('is walked from its modules to a value in an answer', async () => {
    const { origin } = await startProxy(undefined, { cassette: 'cassettes/ru-1.43' })
    const { page, complaints } = await open(`${origin}/__wikitape/#/cassette`)
    await page.getByRole('link', { name: /^query\.allpages/ }).click()
    await page.getByLabel('Search requests').fill('apcontinue=Два')
    await page.getByText('1 request with these words').waitFor()
    await page.locator('.row a').click()
    await page
      .getByRole('button', { name: /0: \d+ members/ })
      .first()
      .click()
    await page.locator('.tree').getByText('pageid').first().waitFor()
    await page.getByRole('button', { name: 'Raw' }).click()
    expect(await page.getByLabel('the answer as it was sent').inputValue()).toMatch(
      /^\{"batchcomplete"|^\{"continue"/,
    )
    expect(complaints).toEqual([])
  })
})

describe('every view', () => {
  const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }
  const views = [
    ...['live', 'misses', 'cassette', 'cassette?folder=query.allpages', 'cassette?key=4da27ac9a91b'],
    ...['coverage?folder=query.allpages', 'drift', 'check'],
  ]

  it.each([
    ['a desktop, light', {}],
    ['a desktop, dark', { colorScheme: 'dark' as const }],
    ['a phone, light', phone],
    ['a phone, dark', { ...phone, colorScheme: 'dark' as const }],
  ])('on %s fits, and axe finds nothing to complain of', async (_, options) => {
    const { api, origin } = await startProxy(undefined, { cassette: 'cassettes/ru-1.43' })
    await ask(`${api}?action=query&format=json&list=allpages&aplimit=7`)
    await ask(`${api}?action=query&format=json&list=allpages&apnamespace=4`)
    await ask(`${api}?action=parse&format=json&page=A`)
    const { page } = await open(`${origin}/__wikitape/`, { ...options, bypassCSP: true })
    for (const view of views) {
      // Another address behind # alone would leave the view before in place for a moment.
      await page.goto('about:blank')
      await page.goto(`${origin}/__wikitape/#/${view}`)
      await page.waitForFunction(
        "document.querySelector('main h1') !== null && !document.body.innerText.includes('Loading…')",
      )
      await page.addScriptTag({ path: require.resolve('axe-core') })
      expect([view, await complaintsOfAxe(page)]).toEqual([view, []])
      const width: number = await page.evaluate('document.documentElement.scrollWidth')
      expect(width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0)
    }
  })
})

/** Rules that are broken, and where. */
const complaintsOfAxe = (page: Page): Promise<readonly string[]> =>
  page.evaluate(
    "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))",
  )
