/** Headless Chromium of the system, which asks nobody but the pages' own server. */
import { existsSync } from 'node:fs'
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Page
} from 'playwright-core'
import { onTestFinished } from 'vitest'

export const launchChromium = (...flags: readonly string[]): Promise<Browser> =>
  launch('/usr/bin/chromium', flags)

/**
 * What draws and scripts pages in Chromium, without the windows around them, which take as much of the processor as the
 * pages. Where it is not installed: Chromium.
 */
export const launchShell = (): Promise<Browser> => {
  const shell = '/usr/bin/chromium-headless-shell'
  return existsSync(shell) ? launch(shell) : launchChromium()
}

const launch = (program: string, flags: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? program,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...flags
    ]
  })

/** A page of its own. What it waits for may take long, and less than the test: the error names it. */
export async function newPage(
  browser: Browser,
  options: BrowserContextOptions = {}
): Promise<Page> {
  const page = await browser.newPage(options)
  page.setDefaultTimeout(300_000)
  onTestFinished(() => page.close())
  return page
}

/** A page of its own, with what it asked for and what went wrong in it. */
export interface Opened {
  readonly page: Page
  /** What was asked of anybody else than the server of the page. */
  readonly strangers: string[]
  /** What went wrong in the page: errors, and what its policy forbade. */
  readonly complaints: string[]
}

export async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {}
): Promise<Opened> {
  const page = await newPage(browser, options)
  const strangers: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (!/^(?:blob|data):$/.test(protocol) && origin !== new URL(address).origin)
      strangers.push(request.url())
  })
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(address)
  return { page, strangers, complaints }
}

/** Nothing is loading any more. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main h1').waitFor()
  for (let quiet = 0; quiet < 2; ) {
    const isLoading = (await page.getByText('Loading…').count()) > 0
    quiet = isLoading ? 0 : quiet + 1
    await page.waitForTimeout(isLoading ? 50 : 20)
  }
}

/** Goes to a view in the page that is open, as a link does. What is drawn then is this view, and no longer the one before. */
export async function show(page: Page, view: string): Promise<void> {
  await page.evaluate(`new Promise((drawn) => {
    addEventListener('hashchange', () => requestAnimationFrame(() => requestAnimationFrame(drawn)), { once: true })
    location.hash = ${JSON.stringify(`#/${view}`)}
  })`)
  await settled(page)
}
