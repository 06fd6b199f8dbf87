/**
 * The pictures of the pages under `/__wikitape/` in the README and docs/ui.md: `npm run screenshots` takes them with
 * headless Chromium from the shipped cassette of 1.43, after that of the drift report; into another folder where one is named.
 */
import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from 'playwright-core'
import { startReplay } from '../src/program/start.ts'

const folder = process.argv[2] ?? fileURLToPath(new URL('../docs', import.meta.url))
mkdirSync(folder, { recursive: true })
await import('./picture.ts')
/** Bytes that a picture may take. */
const mostBytes = 120_000

const serving = await startReplay({ cassette: 'cassettes/ru-1.43' })
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})

async function take(name: string, page: Page, view: string): Promise<void> {
  await page.goto('about:blank')
  await page.goto(`${new URL(serving.apiUrl).origin}/__wikitape/#/${view}`)
  await page.waitForFunction(
    "document.querySelector('main h1') !== null && !document.body.innerText.includes('Loading…')",
  )
  const picture = path.join(folder, `${name}.png`)
  await page.screenshot({ path: picture })
  const { size } = statSync(picture)
  console.log(`${picture}: ${size} bytes`)
  if (size > mostBytes) throw new Error(`the picture is larger than ${mostBytes} bytes`)
}

try {
  const calls = [
    ...['list=allpages&aplimit=7', 'list=gadgetcategories', 'list=allpages&apfrom=Волга&aplimit=3'],
    ...[
      'list=allpages&apnamespace=4&apfrom=Б',
      'meta=siteinfo',
      'list=categorymembers&cmtitle=Категория:Реки',
    ],
  ]
  for (const call of calls) await fetch(`${serving.apiUrl}?action=query&format=json&${encodeURI(call)}`)
  const desktop = { viewport: { width: 1100, height: 620 } }
  const light = await browser.newPage({ ...desktop, colorScheme: 'light', bypassCSP: true })
  await take('ui-live', light, 'live')
  await take('ui-miss', light, 'misses')
  await take('ui-coverage', light, 'coverage?folder=query.allimages')
  const dark = await browser.newPage({
    viewport: { width: 390, height: 640 },
    colorScheme: 'dark',
    bypassCSP: true,
  })
  await take('ui-phone', dark, 'cassette?key=4da27ac9a91b')
} finally {
  await browser.close()
  await serving.close()
}
