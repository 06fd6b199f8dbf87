import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uiRouter } from '../../src/pages/ui-router.ts'
import { EngineRegistry } from '../../src/recorder/engine/registry/engine-registry.ts'
import {
  type RunningServer,
  startServer
} from '../../src/recorder/server/start-server.ts'
import { launchChromium, newPage } from './chromium.ts'

let browser: Browser
let server: RunningServer

beforeAll(async () => {
  const rack = new EngineRegistry({
    cassette: 'cassettes/ru-1.43',
    mode: 'none',
    live: undefined,
    missStatus: 200,
    onMiss: 'synthesize',
    recordErrors: false,
    now: Date.now,
    onEvent: () => undefined
  })
  server = await startServer({
    engines: rack,
    host: '127.0.0.1',
    port: 0,
    maxBody: 1e6,
    pages: async () => uiRouter(rack),
    report: () => undefined
  })
  browser = await launchChromium()
})

afterAll(async () => {
  await browser.close()
  await server.close()
})

/** A page of another origin that has no policy of its own. */
const elsewhere = (): string =>
  `${server.url.replace('127.0.0.1', 'localhost')}/w/api.php?action=query&list=gadgetcategories`

describe('in a browser', () => {
  it('the debugging page is four banner lines and the JSON as text', async () => {
    const page = await newPage(browser)
    await page.goto(`${server.url}/w/api.php?action=query&list=gadgetcategories`)
    const lines = (await page.innerText('body'))
      .split('\n')
      .filter((line) => line.trim() !== '')
    expect(lines.slice(0, 2)).toEqual([
      'MediaWiki API result',
      'This is the HTML representation of the JSON format. HTML is good for debugging, but is unsuitable for application use.'
    ])
    expect(lines[2]).toContain('set format=json')
    expect(lines[3]).toContain('complete documentation')
    const json = JSON.parse((await page.textContent('pre')) ?? '')
    const bare = await fetch(
      `${server.url}/w/api.php?action=query&list=gadgetcategories&format=json`
    )
    expect(json).toEqual(await bare.json())
  })

  it('JSONP reaches a page of another origin as a script', async () => {
    const page = await newPage(browser)
    await page.goto(elsewhere())
    const received = await page.evaluate(
      (src) =>
        new Promise((resolve, reject) => {
          Object.assign(globalThis, { received: resolve })
          const { document } = globalThis as unknown as {
            document: {
              createElement(n: string): object
              head: { append(e: object): void }
            }
          }
          document.head.append(
            Object.assign(document.createElement('script'), { src, onerror: reject })
          )
        }),
      `${server.url}/w/api.php?action=query&list=gadgetcategories&format=json&callback=received`
    )
    expect(received).toHaveProperty('query.gadgetcategories')
  })

  it('the admin page shows a miss with a hostile title as text, and loads nothing from elsewhere', async () => {
    const page = await newPage(browser)
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    const hostile = '<img src=x onerror="document.title=1">'
    await fetch(
      `${server.url}/w/api.php?action=query&prop=images&titles=${encodeURIComponent(hostile)}&format=json`
    )
    await page.goto(`${server.url}/__wikitape/#/misses`)
    await page.getByText('1 request not recorded.').waitFor()
    expect(await page.title()).toBe('Misses · wikitape')
    expect(await page.innerText('main')).toContain('<img src=x onerror')
    expect(await page.locator('img').count()).toBe(0)
    expect(requests.filter((url) => !url.startsWith(server.url))).toEqual([])
  })

  it('a preflight and the request after it pass from another origin', async () => {
    const page = await newPage(browser)
    await page.goto(elsewhere())
    const status = await page.evaluate(async (url) => {
      const response = await fetch(url, { headers: { 'Api-User-Agent': 'a test' } })
      return [response.status, Object.keys((await response.json()) as object)]
    }, `${server.url}/w/api.php?action=query&list=gadgetcategories&format=json&origin=*`)
    expect(status).toEqual([200, ['batchcomplete', 'query']])
  })
})
