/**
 * The pictures of the pages under `/__wikitape/` in the README and docs/ui.md: `npm run screenshots` takes them with
 * headless Chromium from the shipped cassette of 1.43, after that of the drift report. Into another folder, where one is
 * named, it takes every view: wide, dark, and on a phone.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from 'playwright-core'
import { startReplay } from '../src/integrations/program/start.ts'

const folder = process.argv[2] ?? fileURLToPath(new URL('../docs', import.meta.url))
const isForDocs = process.argv[2] === undefined
/** The pictures in docs/: the package ships them. */
const documented: ReadonlySet<string> = new Set(
  ['live', 'miss', 'listing', 'ask', 'compare', 'timeline-dark', 'cassette-phone'].map(
    (name) => `ui-${name}`
  )
)
mkdirSync(folder, { recursive: true })
await import('./picture.ts')
/** Bytes that a picture may take. */
const maxBytes = 250_000

const serving = await startReplay({ cassette: 'cassettes/ru-1.43' })
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu']
})

async function loaded(page: Page): Promise<void> {
  await page.waitForTimeout(300)
  while ((await page.getByText('Loading…').count()) > 0) await page.waitForTimeout(50)
}

async function take(
  name: string,
  page: Page,
  view: string,
  then?: (page: Page) => Promise<void>
): Promise<void> {
  await page.goto('about:blank')
  await page.goto(`${new URL(serving.apiUrl).origin}/__wikitape/#/${view}`)
  await page.locator('main h1').waitFor()
  await loaded(page)
  await then?.(page)
  await loaded(page)
  const picture = path.join(folder, `${name}.png`)
  await page.screenshot({ path: picture })
  // A palette of 64 colours takes a third of the bytes; without pngquant, pictures are larger.
  spawnSync('pngquant', ['--force', '--ext', '.png', '64', picture])
  const { size } = statSync(picture)
  console.log(`${picture}: ${size} bytes`)
  if (size > maxBytes) throw new Error(`the picture is larger than ${maxBytes} bytes`)
}

const api = (query: string, agent: string): Promise<Response> =>
  fetch(`${serving.apiUrl}?action=query&format=json&${encodeURI(query)}`, {
    headers: { 'user-agent': agent }
  })

const row =
  (text: string) =>
  (page: Page): Promise<void> =>
    page.locator('a.row', { hasText: text }).first().click()

try {
  for (const query of [
    'list=allpages&aplimit=7',
    'list=gadgetcategories',
    'list=allpages&apfrom=Волга&aplimit=3'
  ])
    await api(query, 'Pywikibot/9.1 (contact)')
  for (const query of [
    'list=allpages&apnamespace=4&apfrom=Б',
    'list=backlinks&bltitle=Foo',
    'list=backlinks&bltitle=Узел'
  ])
    await api(query, 'gadget-tests/2.0')
  await fetch(serving.apiUrl, {
    method: 'POST',
    body: new URLSearchParams({
      action: 'parse',
      text: '{{PAGENAME}}',
      title: 'Test',
      format: 'json'
    }),
    headers: { 'user-agent': 'gadget-tests/2.0' }
  })
  const asked = encodeURIComponent(
    'action=query&list=allpages&apfrom=Река 07&aplimit=5&format=json'
  )
  const views: readonly (readonly [
    name: string,
    view: string,
    then?: (page: Page) => Promise<void>
  ])[] = [
    ['live', 'live?id=3'],
    ['miss', 'misses', row('bltitle=Foo')],
    ['timeline', 'timeline?id=1&part=Request'],
    ['cassette', 'cassette?folder=query.backlinks', row('backlinks')],
    ['listing', 'coverage?folder=query.allpages', row('formatversion=2')],
    ['ask', `ask?address=${asked}`],
    ['compare', 'compare?a=ru-1.35&b=ru-1.43&key-a=89c531d8b4ea'],
    ['drift', 'drift?a=ru-1.35&b=ru-1.43', row('the old token parameters')],
    ['check', 'check']
  ]
  const sizes = {
    wide: { viewport: { width: 1160, height: 640 }, colorScheme: 'light' },
    dark: { viewport: { width: 1160, height: 640 }, colorScheme: 'dark' },
    phone: { viewport: { width: 390, height: 780 }, colorScheme: 'dark' }
  } as const
  for (const [size, options] of Object.entries(sizes)) {
    const page = await browser.newPage(options)
    for (const [name, view, then] of views) {
      const picture = size === 'wide' ? `ui-${name}` : `ui-${name}-${size}`
      if (isForDocs && !documented.has(picture)) continue
      await take(picture, page, view, then)
    }
    await page.close()
  }
} finally {
  await browser.close()
  await serving.close()
}
