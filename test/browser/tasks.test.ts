/**
 * What an explorer comes to the pages for: twenty tasks, each done in at most three clicks from the page as it opens.
 * `--reporter=verbose` prints the clicks and seconds of each.
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it, TestRunner } from 'vitest'
import { readRun, runOfFile, writeRun } from '../../src/pages/runs/run-file.ts'
import type { ShownRun } from '../../src/pages/runs/shown-run.ts'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { type RunningProxy, startProxy } from '../helpers/proxies.ts'
import { copyingBrowser } from './any-browser.ts'
import { newPage } from './chromium.ts'

let browser: Browser

beforeAll(async () => {
  browser = await copyingBrowser()
})

/** A page that counts its clicks. */
class Explorer {
  readonly page: Page
  clicks = 0
  readonly #openedAt = performance.now()

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

  /** The task is done, by so many clicks. */
  async did(clicks: number): Promise<void> {
    const seconds = (performance.now() - this.#openedAt) / 1000
    expect(this.clicks).toBe(clicks)
    await TestRunner.getCurrentTest()?.context.annotate(
      `clicks: ${clicks}, seconds: ${seconds.toFixed(1)}`
    )
  }

  /** What was copied, as a program that it is pasted into gets it. */
  async pasted(): Promise<string> {
    await this.page.evaluate(
      "document.body.append(document.createElement('textarea')); document.body.lastElementChild.focus()"
    )
    await this.page.keyboard.press('Control+V')
    return this.page.locator('body > textarea').inputValue()
  }

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
    await one.did(1)
  })

  it('2. what did the client send?', async () => {
    const one = await explore()
    await one.row('bltitle=Foo')
    await one.part('Request')
    await one.says('my-bot/2.1')
    await one.did(2)
  })

  it('3. which recording gave the third row of this answer?', async () => {
    const one = await explore()
    await one.row('apfrom=Волга')
    const source = one.page
      .locator('.tree li', { hasText: 'Два слова' })
      .last()
      .locator('.source')
    expect(await source.innerText()).toBe('baa3809def85')
    await one.did(1)
  })

  it('4. what differs between this answer and that of the old version?', async () => {
    const one = await explore()
    await one.row('{{PAGENAME}}')
    await one.part('Compare')
    await one.click(one.page.getByRole('link', { name: 'ru-1.35' }))
    await one.page.getByText('HTML markup changed: 2 tags').first().waitFor()
    await one.page.locator('.line.added').first().waitFor()
    await one.did(3)
  })

  it('5. is this listing whole?', async () => {
    const one = await explore()
    await one.view('Listings')
    const row = one.page.locator('a.row', { hasText: 'list=backlinks' }).first()
    expect(await row.locator('.badge').innerText()).toMatch(/^(?:complete|gaps)$/)
    await one.did(1)
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
    await one.did(2)
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
    await one.did(2)
  })

  it('8. how does the key of this request come about?', async () => {
    const one = await explore()
    await one.row('apfrom=Волга')
    await one.part('Key')
    await one.says('json (transport only: not in the key)')
    await one.did(2)
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
    await one.did(3)
  })

  it('10. what breaks between the versions?', async () => {
    const one = await explore()
    await one.view('Drift')
    await one.row('the right writeapi was removed')
    await one.says('writeapi')
    await one.did(2)
  })

  it('11. what differs between two runs?', async () => {
    const runs = [await ranFile('a', [3, 4]), await ranFile('b', [3, 5])]
    const one = await ofRuns(runs)
    await one.click(one.page.getByRole('link', { name: 'what differs' }))
    await one.page.getByText('1 difference: 1 changed.').waitFor()
    expect(await one.page.locator('a.row').innerText()).toMatch(/aplimit\s+4 → 5/)
    await one.did(1)
  })

  it('12. which recordings did the run not use?', async () => {
    const one = await ofRuns([await ranFile('a', [3])])
    await one.view('Cassette')
    await one.click(one.page.getByRole('button', { name: /^unused \d/ }))
    await one.page.getByText('735 requests found').waitFor()
    await one.did(2)
  })

  it('13. which are the ten largest recordings?', async () => {
    const one = await explore()
    await one.view('Cassette')
    const largest = one.page.locator('.overview li', { hasText: 'kB' })
    await one.page.getByRole('heading', { name: 'Largest' }).waitFor()
    expect(await largest.count()).toBeGreaterThan(10)
    await one.click(one.page.getByRole('link', { name: 'all by size' }))
    await one.page.getByText('736 requests found').waitFor()
    const sizes = await one.page.locator('a.row .number').allInnerTexts()
    const kilobytes = sizes.filter((text) => /kB/.test(text)).map(Number.parseFloat)
    expect(kilobytes.slice(0, 10)).toEqual(
      kilobytes.slice(0, 10).toSorted((a, b) => b - a)
    )
    await one.did(2)
  })

  it('14. where does this text stand in all recordings?', async () => {
    const one = await explore()
    await one.view('Cassette')
    await one.page.getByLabel('Search requests').fill('два слова')
    await one.click(one.page.getByRole('button', { name: /^Search the contents/ }))
    await one.page.locator('a.row mark').first().waitFor()
    await one.click(one.page.locator('a.row', { has: one.page.locator('mark') }).first())
    await one.page.locator('.tree mark').first().waitFor()
    // Whoever is sent the address sees the same.
    const { page } = await open(one.page.url())
    await page.locator('.tree mark').first().waitFor()
    await one.did(3)
  })

  it('15. who wrote what in a recording?', async () => {
    const { cassette } = await recordedSession()
    const { origin } = await startProxy(undefined, { cassette })
    const one = await open(`${origin}/__wikitape/`)
    const steps = one.page.locator('.story a')
    await expect
      .poll(() => steps.allInnerTexts())
      .toEqual(['1 read', expect.stringContaining('edit'), '1 read'])
    await one.click(steps.nth(2))
    await one.page.getByText('1 request found').waitFor()
    expect(await one.page.locator('a.row .epoch').innerText()).toBe(
      'after the edit of Волга'
    )
    await one.did(1)
  })

  it('16. what was it, after the run?', async () => {
    const { api, origin, close } = await startProxy(undefined, {
      cassette: 'cassettes/ru-1.43'
    })
    await ask(`${api}?action=query&format=json&list=backlinks&bltitle=Foo`)
    const one = await open(`${origin}/__wikitape/`)
    await close()
    await one.page.getByText('The run has ended').waitFor()
    expect(await one.page.locator('a.row').innerText()).toMatch(/miss\s+GET\s+backlinks/)
    await one.did(0)
    const asked: string[] = []
    one.page.on('request', (request) => asked.push(request.url()))
    await one.page.waitForTimeout(3_000)
    expect(asked).toEqual([])
  })

  it('17. how do I show it to a colleague?', async () => {
    const one = await explore()
    await one.page.getByLabel('Filter').fill('outcome:miss module:backlinks')
    await one.page.getByText('1 of 5 requests.').waitFor()
    await one.row('bltitle=Foo')
    const { page } = await open(one.page.url())
    await page.getByText('1 of 5 requests.').waitFor()
    await page.getByText('No recording of query.backlinks').first().waitFor()
    await one.did(1)
  })

  it.each([
    [
      '18. a copied request with wikitext',
      'parse',
      'text',
      'line *one*\n\u202e|"q" \\ \'\t$x\n'
    ],
    ['19. a copied batch of 50 titles', 'query', 'titles', fiftyTitles()]
  ])('%s gets the same answer', async (_, action, name, value) => {
    const wiki = await fakeWiki((params) => JSON.stringify({ got: params.get(name) }))
    const { api, origin } = await startProxy(wiki.api)
    const body = new URLSearchParams({ action, [name]: value, format: 'json' }).toString()
    const { text } = await ask(api, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' }
    })
    const one = await open(`${origin}/`)
    await one.row(action === 'query' ? 'pages' : action)
    await one.part('Copy')
    const curl = one.page.locator('section', { hasText: 'curl' }).last()
    await one.click(curl.getByRole('button', { name: 'Copy' }))
    await curl.getByText('Copied').waitFor()
    const copied = await one.pasted()
    // Not synchronously: the server is in this process.
    const { stdout } = await promisify(execFile)('sh', ['-c', copied])
    expect(JSON.parse(text)).toEqual({ got: value })
    expect(stdout).toBe(text)
    await one.did(3)
  })

  it('20. what would an edited request get?', async () => {
    const one = await explore()
    await one.row('bltitle=Foo')
    await one.click(one.page.getByRole('link', { name: 'Edit and ask' }))
    const field = one.page.getByRole('textbox', { name: 'Request' })
    await field.fill((await field.inputValue()).replace('Foo', 'Узел'))
    await one.click(one.page.getByRole('button', { name: 'Ask', exact: true }))
    await one.page.locator('.badge.replayed, .badge.synthesized').first().waitFor()
    await one.did(3)
  })
})

function fiftyTitles(): string {
  return Array.from(
    { length: 50 },
    (_, at) => `Статья с довольно длинным названием ${at}`
  ).join('|')
}

/** A run in which pages were listed with these limits. */
async function ranFile(name: string, limits: readonly number[]): Promise<ShownRun> {
  const { api, rack } = await startProxy(undefined, { cassette: 'cassettes/ru-1.43' })
  const file = path.join(temporaryFolder(), name)
  const stop = writeRun(file, rack, { report: () => undefined })
  for (const limit of limits)
    await ask(`${api}?action=query&list=allpages&aplimit=${limit}&format=json`)
  stop()
  const lines = readRun(readFileSync(file, 'utf8'))
  return runOfFile(name, typeof lines === 'number' ? [] : lines)
}

async function ofRuns(runs: readonly ShownRun[]): Promise<Explorer> {
  const cassette = 'cassettes/ru-1.43'
  const { origin } = await startProxy(undefined, { cassette, runs })
  return open(`${origin}/__wikitape/`)
}

/** A page is read, edited and read again. */
async function recordedSession(): Promise<RunningProxy> {
  const wiki = await fakeWiki((params) =>
    params.get('action') === 'edit'
      ? '{"edit":{"result":"Success","pageid":1,"title":"Волга","newrevid":2}}'
      : '{"batchcomplete":"","query":{"pages":{"1":{"pageid":1,"ns":0,"title":"Волга"}}}}'
  )
  const recording = await startProxy(wiki.api)
  const read = `${recording.api}?action=query&prop=info&format=json&titles=${encodeURIComponent('Волга')}`
  await ask(read)
  await ask(recording.api, {
    method: 'POST',
    body: new URLSearchParams({
      action: 'edit',
      title: 'Волга',
      text: 'a',
      token: '+\\',
      format: 'json'
    }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' }
  })
  await ask(read)
  await recording.close()
  return recording
}
