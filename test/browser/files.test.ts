/** A page opened from a file, as prototypes and offline tools are: what a real browser says of it, and what is recorded. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { type RunningProxy, startProxy } from '../helpers/proxies.ts'
import { launchChromium, newPage } from './chromium.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

/** Asks by a script (JSONP), an image and `fetch`; ready when all three have been answered. */
const markup = (api: string): string => {
  const call = (list: string, more: string): string =>
    `${api}?action=query&list=${list}&format=json${more}`
  return `<title>0</title><script>const done = () => { document.title = Number(document.title) + 1 }
fetch(${JSON.stringify(call('allpages', '&origin=*'))}).then(done)</script>
<img src="${call('allimages', '')}" onerror="done()" onload="done()"><script src="${call('alllinks', '&callback=done')}"></script>`
}

async function visited(allowedOrigins: readonly string[]): Promise<RunningProxy> {
  const wiki = await fakeWiki((params) => {
    const callback = params.get('callback')
    return callback === undefined
      ? '{"query":{}}'
      : {
          body: `/**/${callback}({"query":{}})`,
          headers: { 'content-type': 'text/javascript' }
        }
  })
  const proxy = await startProxy(wiki.api, { allowedOrigins })
  const file = path.join(temporaryFolder(), 'page.html')
  writeFileSync(file, markup(proxy.api))
  const page = await newPage(browser)
  await page.goto(pathToFileURL(file).href)
  await page.waitForFunction('document.title === "3"')
  await page.close()
  return proxy
}

it('is recorded with --allow-origin null, whichever way it asks', async () => {
  const { rack } = await visited(['null'])
  expect(rack.counts()).toMatchObject({ recorded: 3, passedThrough: 0 })
})

it('is passed on without it, and that flag is named', async () => {
  const { rack, reports } = await visited([])
  expect(rack.counts()).toMatchObject({ recorded: 0, passedThrough: 3 })
  expect(reports).toEqual([
    expect.stringMatching(/are not recorded; .* --allow-origin null$/)
  ])
})
