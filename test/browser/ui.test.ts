/** The pages under `/__wikitape/`, as people use them. */
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { CassetteStore } from '../../src/store/cassette-store.ts'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { startProxy } from '../helpers/proxies.ts'
import { interactionOf, jsonBody, response } from '../helpers/recorded.ts'
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
    await page.getByText('1 request found by name').waitFor()
    await page.locator('.row a').click()
    await page
      .getByRole('button', { name: /0: \d+ members/ })
      .first()
      .click()
    await page.locator('.tree').getByText('pageid').first().waitFor()
    await page.getByRole('button', { name: 'Raw' }).click()
    expect(await page.getByLabel('response as sent by the wiki').inputValue()).toMatch(
      /^\{"batchcomplete"|^\{"continue"/,
    )
    expect(complaints).toEqual([])
  })
})

describe('a miss', () => {
  it('is opened beside what is nearest; its command is run, and it turns green', async () => {
    const wiki = await fakeWiki()
    const recording = await startProxy(wiki.api)
    await ask(`${recording.api}${call}Волга`)
    await recording.close()
    const { api, origin } = await startProxy(undefined, { cassette: recording.cassette })
    const { page, complaints } = await open(`${origin}/__wikitape/`)
    await ask(`${api}${call}Волхов`)
    await page.locator('.row', { hasText: 'miss' }).getByRole('link').click()
    await page.getByText('1 request not recorded.').waitFor()
    const cells = page.locator('tbody tr').first()
    expect(await cells.innerText()).toMatch(/apfrom\s+Волга\s+Волхов/)
    expect(await cells.locator('mark').allInnerTexts()).toEqual(['га', 'хов'])
    const command = await page.locator('.command code').innerText()
    await inShell(command)
    await page.getByText('All missed requests (1) are recorded now.').waitFor()
    expect(await page.locator('.missed .badge').innerText()).toBe('recorded')
    await page.getByRole('link', { name: 'Open the recording' }).click()
    await page.getByRole('heading', { level: 1, name: 'list allpages · apfrom=Волхов' }).waitFor()
    expect((await ask(`${api}${call}Волхов`)).headers['x-cassette-status']).toBe('replayed')
    expect(complaints).toEqual([])
  })
})

/** What somebody does who pastes a command: a shell runs it, `wikitape` being on the PATH. */
async function inShell(command: string): Promise<void> {
  const bin = temporaryFolder()
  const program = path.resolve('dist/cli/start.cjs')
  writeFileSync(path.join(bin, 'wikitape'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, {
    mode: 0o755,
  })
  const env = { ...process.env, CI: '', PATH: `${bin}:${process.env['PATH']}` }
  const child = spawn('sh', ['-c', command], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0)
}

describe('with the keyboard alone', () => {
  it('one gets from the first view into an answer and back', async () => {
    const { api, origin } = await startProxy(undefined, { cassette: 'cassettes/ru-1.43' })
    await ask(`${api}?action=query&format=json&list=allpages`)
    const { page } = await open(`${origin}/__wikitape/`)
    await page.getByText('1 request.').waitFor()
    const focused = (): Promise<string> =>
      page.evaluate('document.activeElement.textContent || document.activeElement.tagName')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Skip to content')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
    await page.keyboard.press('j')
    expect(await focused()).toBe('query.allpages')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 2, name: /^Response/ }).waitFor()
    // A new page is read from its top.
    expect(await page.evaluate('document.title')).toBe('Cassette · wikitape')
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
    const fold = page.getByRole('button', { name: /^query/ })
    await fold.focus()
    expect(await fold.getAttribute('aria-expanded')).toBe('true')
    await page.keyboard.press('Enter')
    expect(await fold.getAttribute('aria-expanded')).toBe('false')
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Live requests' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('nothing like it')
    await page.getByText('0 of 1 request.').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.evaluate('document.activeElement.tagName')).toBe('BODY')
  })
})

describe('the keyboard and a new view', () => {
  it('loses no key that is pressed before a new view is painted', async () => {
    const { origin } = await startProxy(undefined, { cassette: 'cassettes/ru-1.43' })
    const { page } = await open(`${origin}/__wikitape/#/misses`)
    await page.getByRole('heading', { level: 1, name: 'Misses' }).waitFor()
    // As soon as the view is in the document, before anything is painted.
    const pressed = `new Promise((resolve) => {
      new MutationObserver((_, observer) => {
        if (document.querySelector('h1')?.textContent !== 'Live requests') return
        observer.disconnect()
        queueMicrotask(() => {
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }))
          setTimeout(() => resolve(document.activeElement.type), 500)
        })
      }).observe(document.body, { childList: true, subtree: true })
      location.hash = '#/live'
    })`
    expect(await page.evaluate(pressed)).toBe('search')
  })

  it('keeps what is typed while what was typed before is searched', async () => {
    const { origin } = await startProxy(undefined, { cassette: 'cassettes/ru-1.43' })
    const { page } = await open(`${origin}/__wikitape/#/cassette`)
    const search = page.getByRole('searchbox')
    await search.fill('allpages')
    // The address changes when the search begins: one letter more at that very moment.
    await page.evaluate(`new Promise((resolve) => addEventListener('hashchange', () => {
      const input = document.querySelector('input[type=search]')
      input.value += ' a'
      input.dispatchEvent(new Event('input', { bubbles: true }))
      resolve()
    }, { once: true }))`)
    await page.waitForURL(/allpages\+a$/)
    expect(await search.inputValue()).toBe('allpages a')
  })
})

describe('check and drift', () => {
  it('tell what the verbs tell', async () => {
    const { origin } = await startProxy(undefined, { cassette: 'cassettes/ru-1.43' })
    const { page, complaints, strangers } = await open(`${origin}/__wikitape/#/check`)
    await page.getByText(/^No faults/).waitFor()
    await page.getByRole('link', { name: 'Drift' }).click()
    // The shown one and the one just older.
    expect(await page.getByLabel('From').inputValue()).toBe('ru-1.39')
    expect(await page.locator('.bar select').nth(1).inputValue()).toBe('ru-1.43')
    await page.getByRole('link', { name: 'Compare' }).click()
    await page.getByText('wikitape · drift report').waitFor()
    // The report's own script runs under its digest.
    expect(await page.locator('html').getAttribute('class')).toContain('js')
    expect(await page.locator('header').innerText()).toContain('A · ru-1.39')
    await page.getByRole('link', { name: 'back to the pages' }).click()
    await page.getByRole('link', { name: 'Compare' }).waitFor()
    expect([complaints, strangers]).toEqual([[], []])
  })
})

describe('text of other scripts', () => {
  it('is shown as it stands, each in its own direction, and turns nothing around it', async () => {
    const cassette = path.join(temporaryFolder(), 'tape')
    const store = CassetteStore.openOrCreate(cassette, 'http://wiki.example/w/api.php')
    const titles = ['תל אביב (עיר)', 'شجرة، 1', 'Категория:Реки', '東京']
    const recordings = titles.map((title) =>
      interactionOf({ action: 'query', list: 'allpages', apfrom: title }, [
        response(jsonBody(JSON.stringify({ query: { allpages: [{ pageid: 1, ns: 0, title }] } }))),
      ]),
    )
    for (const one of recordings) store.put(one)
    const { api, origin } = await startProxy(undefined, { cassette })
    await ask(`${api}?action=query&format=json&list=allpages&apfrom=${encodeURIComponent('חיפה')}`)
    const { page, complaints } = await open(`${origin}/__wikitape/`)
    /** The direction of the nearest element that holds exactly this text. */
    const direction = (element: unknown): string =>
      (
        globalThis as unknown as { getComputedStyle(of: unknown): { readonly direction: string } }
      ).getComputedStyle(element).direction
    const directionOf = (text: string): Promise<string> =>
      page.getByText(text, { exact: true }).first().evaluate(direction)
    for (const [at, title] of titles.entries()) {
      await page.goto('about:blank')
      await page.goto(`${origin}/__wikitape/#/cassette?key=${recordings[at]?.key}`)
      await page.getByText(title, { exact: true }).first().waitFor()
      expect(await directionOf(title)).toBe(at < 2 ? 'rtl' : 'ltr')
      expect(await page.locator('body').evaluate(direction)).toBe('ltr')
    }
    await page.goto('about:blank')
    await page.goto(`${origin}/__wikitape/#/misses`)
    const values = page.locator('tbody tr').first().locator('bdi')
    await values.last().waitFor()
    expect(await values.last().innerText()).toBe('חיפה')
    expect(await values.last().evaluate(direction)).toBe('rtl')
    await page.goto('about:blank')
    await page.goto(`${origin}/__wikitape/#/cassette?folder=query.allpages`)
    await page
      .getByText(/Категория.Реки/)
      .first()
      .waitFor()
    expect(complaints).toEqual([])
  })
})

describe('a hostile cassette', () => {
  const evil =
    '</script><script>document.title="caught"</script><img src=x onerror="document.title=\'caught\'">'

  it('runs nothing, turns nothing around, and hides nothing', async () => {
    const cassette = path.join(temporaryFolder(), 'tape')
    const store = CassetteStore.openOrCreate(cassette, `http://wiki.example/${encodeURIComponent(evil)}`)
    const body = JSON.stringify({
      [evil]: ['\u202eabc', { [evil]: evil }],
      // In brackets it is a name like any other.
      ['__proto__']: { polluted: true },
    })
    const one = interactionOf(
      { action: 'query', list: 'allpages', apfrom: evil, 'as user': `user:${evil}`, '\u202eap': '\u202e' },
      [response(jsonBody(body), { headers: new Map([['location', `javascript:${evil}`]]) })],
    )
    store.put(one)
    writeFileSync(
      path.join(cassette, 'query.allpages', `<img src=x onerror=alert(1)>.0123456789ab.json`),
      '{"request":',
    )
    mkdirSync(path.join(cassette, '__proto__'))
    writeFileSync(path.join(cassette, '__proto__', 'a.abcdef012345.json'), evil)
    const { api, origin } = await startProxy(undefined, { cassette })
    await ask(`${api}?action=query&format=json&list=allpages&apfrom=${encodeURIComponent(evil)}x`)
    await ask(`${origin}/${encodeURIComponent(evil)}`)
    const { page, complaints, strangers } = await open(`${origin}/__wikitape/`)
    page.on('dialog', (dialog) => {
      complaints.push(dialog.message())
      dialog.dismiss().catch(() => undefined)
    })
    const views = [
      'live',
      'misses',
      'cassette',
      `cassette?key=${one.key}`,
      `cassette?folder=${encodeURIComponent(evil)}`,
      'coverage',
      'check',
      'drift',
    ]
    for (const view of views) {
      await page.goto('about:blank')
      await page.goto(`${origin}/__wikitape/#/${view}`)
      await page.locator('main h1').waitFor()
      await page.getByText('Loading…').first().waitFor({ state: 'detached' })
      expect([view, await page.locator('img, main script, a[href^="javascript"]').count()]).toEqual([view, 0])
      expect(await page.title()).toMatch(/ · wikitape$/)
      // Signs that turn text around are spelled out wherever they stand.
      expect(await page.locator('body').innerText()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
    }
    await page.goto(`${origin}/__wikitape/#/cassette?key=${one.key}`)
    await page.getByRole('button', { name: 'Raw' }).click()
    expect(await page.getByLabel('response as sent by the wiki').inputValue()).toContain('polluted')
    expect([complaints, strangers]).toEqual([[], []])
    expect(await page.evaluate('({}).polluted')).toBeUndefined()
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
