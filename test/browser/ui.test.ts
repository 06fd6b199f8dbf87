/** The pages under `/__wikitape/`, as people use them. */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { CassetteStore } from '../../src/recorder/store/cassette-store.ts'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { run } from '../helpers/program.ts'
import { startProxy } from '../helpers/proxies.ts'
import { interactionOf, jsonBody, response } from '../helpers/recorded.ts'
import { anyBrowser } from './any-browser.ts'
import { type Opened, openPage } from './chromium.ts'

let browser: Browser

beforeAll(async () => {
  browser = await anyBrowser()
})

const open = (address: string): Promise<Opened> => openPage(browser, address)

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
    expect(await row.innerText()).toMatch(/recorded\s+GET\s+allpages\s*apfrom=Тверь/)
    await row.click()
    await page.getByRole('heading', { level: 2, name: 'allpages apfrom=Тверь' }).waitFor()
    await page.getByText('batchcomplete').or(page.getByText('query')).first().waitFor()
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
    expect(await page.locator('.row').innerText()).toContain('allpages')
  })
})

describe('a range of time', () => {
  it('that is dragged over the requests filters them, and is in the address', async () => {
    const { api, origin } = await startProxy(undefined, { cassette: 'cassettes/ru-1.43' })
    for (const name of ['A', 'B', 'C', 'D']) {
      await ask(`${api}${call}${name}`)
      await new Promise((resolve) => setTimeout(resolve, 150))
    }
    const { page, complaints } = await open(`${origin}/__wikitape/`)
    await page.getByText('4 requests.').waitFor()
    const box = await page.locator('.ruler').boundingBox()
    if (!box) throw new Error('the ruler is drawn')
    await page.mouse.move(box.x + 1, box.y + 8)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 2, box.y + 8, { steps: 4 })
    await page.mouse.up()
    await page.getByText(/^[123] of 4 requests\.$/).waitFor()
    expect(await page.locator('a.row').last().innerText()).toContain('apfrom=A')
    expect(page.url()).toMatch(/after%3A\d{4}-.*before%3A\d{4}-/)
    expect(complaints).toEqual([])
  })
})

describe('an edit of a recording', () => {
  it('is seen in its open list, and marks the rows of those who got the old answer', async () => {
    const cassette = path.join(temporaryFolder(), 'tape')
    const store = CassetteStore.openOrCreate(cassette, 'http://wiki.example/w/api.php')
    const one = interactionOf({ action: 'parse', page: 'A' }, [
      response(jsonBody('{"parse":{"title":"Old"}}'))
    ])
    store.put(one)
    store.checkpoint()
    const { api, origin } = await startProxy(undefined, { cassette })
    await ask(`${api}?action=parse&page=A&format=json`)
    const rows = await open(`${origin}/__wikitape/#/live?id=1`)
    const answer = rows.page.locator('.tree')
    await answer.getByText('Old').first().waitFor()
    const listed = await open(`${origin}/__wikitape/#/cassette`)
    await listed.page.getByText('1 interaction').waitFor()
    const file = path.join(cassette, new Map(store.paths()).get(one.key) ?? '')
    writeFileSync(file, readFileSync(file, 'utf8').replace('Old', 'Newer'))
    store.put(interactionOf({ action: 'parse', page: 'B' }))
    await listed.page.getByText('2 interactions').waitFor()
    await rows.page.getByText('Changed since this request').waitFor()
    await answer.getByText('Newer').first().waitFor()
    await ask(`${api}?action=parse&page=A&format=json`)
    await rows.page.getByText('2 requests.').waitFor()
    await rows.page.locator('.row').first().click()
    await rows.page.waitForURL(/id=2/)
    await answer.getByText('Newer').first().waitFor()
    expect(await rows.page.getByText('Changed since').count()).toBe(0)
  })
})

describe('a cassette', () => {
  it('is walked from its modules to a value in an answer', async () => {
    const { origin } = await startProxy(undefined, { cassette: 'cassettes/ru-1.43' })
    const { page, complaints } = await open(`${origin}/__wikitape/#/cassette`)
    await page.getByLabel('Module').selectOption('query.allpages')
    await page.getByLabel('Search requests').fill('apcontinue=Два')
    await page.getByText('1 request found by name').waitFor()
    await page.locator('.row').click()
    const rowOf = page.getByRole('button', {
      name: /^0: \{3\} \{pageid: \d+, ns: 0, title: /
    })
    await rowOf.click()
    await page.locator('.tree').getByText('on the wiki').waitFor()
    await page.getByLabel('Search this answer').fill('два')
    await page.getByText(/^\d found, 1 shown$/).waitFor()
    await page.getByLabel('Search this answer').fill('')
    await page.getByRole('button', { name: 'Raw' }).click()
    await page
      .getByLabel('response as sent by the wiki')
      .getByText(/^\{"(?:batchcomplete|continue)"/)
      .waitFor()
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
    const { page, complaints } = await open(`${origin}/__wikitape/#/live`)
    await ask(`${api}${call}Волхов`)
    await page.locator('.row', { hasText: 'miss' }).waitFor()
    await page.getByRole('link', { name: /^Misses/ }).click()
    await page.getByText('1 request not recorded.').waitFor()
    const cells = page.locator('tbody tr').first()
    expect(await cells.innerText()).toMatch(/apfrom\s+Волга\s+Волхов/)
    expect(await cells.locator('mark').allInnerTexts()).toEqual(['га', 'хов'])
    const command = await page.locator('.command code').first().innerText()
    await inShell(command)
    await page.getByText('All missed requests (1) are recorded now.').waitFor()
    expect(await page.locator('.row .badge').innerText()).toBe('recorded')
    await page.getByRole('link', { name: 'Open the recording' }).click()
    await page
      .getByRole('heading', { level: 2, name: 'allpages apfrom=Волхов' })
      .waitFor()
    expect((await ask(`${api}${call}Волхов`)).headers['x-cassette-status']).toBe(
      'replayed'
    )
    expect(complaints).toEqual([])
  })
})

/** What somebody does who pastes a command: a shell runs it, `wikitape` being on the PATH. */
async function inShell(command: string): Promise<void> {
  const bin = temporaryFolder()
  const program = path.resolve('dist/cli/start.cjs')
  writeFileSync(
    path.join(bin, 'wikitape'),
    `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`,
    {
      mode: 0o755
    }
  )
  const env = { ...process.env, CI: '', PATH: `${bin}:${process.env['PATH']}` }
  const child = spawn('sh', ['-c', command], {
    env,
    stdio: ['ignore', 'ignore', 'inherit']
  })
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0)
}

describe('with the keyboard alone', () => {
  it('one gets from the first view into an answer and back', async () => {
    const { api, origin } = await startProxy(undefined, { cassette: 'cassettes/ru-1.43' })
    await ask(`${api}?action=query&format=json&list=allpages`)
    const { page } = await open(`${origin}/__wikitape/`)
    await page.getByText('1 request.').waitFor()
    const focused = (): Promise<string> =>
      page.evaluate(
        'document.activeElement.textContent || document.activeElement.tagName'
      )
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Skip to content')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
    await page.keyboard.press('j')
    expect(await focused()).toMatch(/^replayedGETallpages/)
    // Its details follow at once.
    await page.getByRole('tab', { name: 'Answer' }).waitFor()
    const fold = page.getByRole('button', { name: /^query/ })
    await fold.focus()
    expect(await fold.getAttribute('aria-expanded')).toBe('true')
    await page.keyboard.press('Enter')
    expect(await fold.getAttribute('aria-expanded')).toBe('false')
    await page.keyboard.press('t')
    await page.getByRole('heading', { name: 'Parameters' }).waitFor()
    await page.keyboard.press('Escape')
    expect(await focused()).toMatch(/^replayedGETallpages/)
    await page.keyboard.press('4')
    await page.getByRole('heading', { level: 1, name: 'ru-1.43' }).waitFor()
    // A new page is read from its top.
    expect(await page.evaluate('document.title')).toBe('Cassette · wikitape')
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
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
        addEventListener('focusin', ({ target }) => resolve(target.type))
        setTimeout(() => resolve('nothing has the focus'), 60_000)
        queueMicrotask(() =>
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true })))
      }).observe(document.body, { childList: true, subtree: true })
      location.hash = '#/live'
    })`
    expect(await page.evaluate(pressed)).toBe('search')
  })

  it('keeps what is typed while what was typed before is searched', async () => {
    const { origin } = await startProxy(undefined, { cassette: 'cassettes/ru-1.43' })
    const { page } = await open(`${origin}/__wikitape/#/cassette`)
    const search = page.getByRole('searchbox')
    // The address changes when the search begins: one letter more at that very moment.
    await page.evaluate(`addEventListener('hashchange', () => {
      const input = document.querySelector('input[type=search]')
      input.value += ' a'
      input.dispatchEvent(new Event('input', { bubbles: true }))
    }, { once: true })`)
    await search.fill('allpages')
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
    expect(await page.getByLabel('To').inputValue()).toBe('ru-1.43')
    await page.locator('a.row').first().click()
    const counts = await page.locator('.counts').innerText()
    const { stdout } = await run([
      'diff',
      'cassettes/ru-1.39',
      'cassettes/ru-1.43',
      '--format',
      'json'
    ])
    const { counts: told } = JSON.parse(stdout) as {
      readonly counts: Readonly<Record<string, number>>
    }
    expect(counts.split('\n')).toEqual(
      Object.entries(told).map(([group, count]) => `${count} ${group}`)
    )
    await page.getByRole('link', { name: 'compare the answers' }).first().click()
    await page.getByRole('heading', { name: 'As text' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Drift' }).waitFor()
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
        response(
          jsonBody(JSON.stringify({ query: { allpages: [{ pageid: 1, ns: 0, title }] } }))
        )
      ])
    )
    for (const one of recordings) store.put(one)
    const { api, origin } = await startProxy(undefined, { cassette })
    await ask(
      `${api}?action=query&format=json&list=allpages&apfrom=${encodeURIComponent('חיפה')}`
    )
    const { page, complaints } = await open(`${origin}/__wikitape/`)
    /** The direction of the nearest element that holds exactly this text. */
    const direction = (element: unknown): string =>
      (
        globalThis as unknown as {
          getComputedStyle(of: unknown): { readonly direction: string }
        }
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
