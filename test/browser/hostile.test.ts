/** A hostile cassette in every view: nothing runs, nothing is turned around or hidden, nothing is asked for, nothing hangs. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { readRun, runOfFile } from '../../src/pages/runs/run-file.ts'
import type { Interaction } from '../../src/recorder/cassette/interaction.ts'
import { CassetteStore } from '../../src/recorder/store/cassette-store.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { startProxy } from '../helpers/proxies.ts'
import { interactionOf, jsonBody, response } from '../helpers/recorded.ts'
import { anyBrowser } from './any-browser.ts'
import { openPage, show } from './chromium.ts'

let browser: Browser

beforeAll(async () => {
  browser = await anyBrowser()
})

const evil =
  '</script><script>document.title="caught"</script><img src=x onerror="document.title=\'caught\'">' +
  '<base href="http://evil.example/"><meta http-equiv="refresh" content="0;url=/w/api.php?action=edit">' +
  '<link rel="stylesheet" href="/w/load.php"><iframe src="/w/api.php?action=query"></iframe><form action="/w/api.php"><button>'

const body = JSON.stringify({
  [evil]: ['\u202eabc', { [evil]: evil }],
  // In brackets it is a name like any other.
  ['__proto__']: { polluted: true },
  parse: {
    title: `javascript:${evil}`,
    text: `<p style="color:red">shown</p>${evil}`,
    url: 'javascript:alert(1)'
  },
  query: {
    allpages: [{ title: '\u2066\u202e', ns: evil }, { title: evil }],
    pages: Object.fromEntries(
      Array.from({ length: 10_000 }, (_, at) => [`-${at}`, { title: `T${at}`, evil }])
    )
  },
  long: 'Ы\u202e'.repeat(1_250_000),
  lines: '\n'.repeat(200_000)
})

const listed = (more: Record<string, string>): Interaction =>
  interactionOf(
    {
      action: 'query',
      list: 'allpages',
      apfrom: evil,
      'as user': `user:${evil}`,
      '\u202eap': '\u202e',
      ...more
    },
    [
      response(jsonBody(body), {
        headers: new Map([['location', `javascript:${evil}`]])
      })
    ]
  )

/** Goes to a view in which nothing of the cassette runs or is loaded. */
async function expectNothingActive(page: Page, view: string): Promise<void> {
  await show(page, view)
  const active = 'main img, main script, main link, main base, a[href^="javascript"]'
  expect([view, await page.locator(active).count()]).toEqual([view, 0])
  expect(await page.title()).toMatch(/ · wikitape$/)
}

describe('a hostile cassette', () => {
  it('runs nothing, turns nothing around, hides nothing, and asks for nothing, in every view', async () => {
    const cassette = path.join(temporaryFolder(), 'tape')
    const store = CassetteStore.openOrCreate(
      cassette,
      `http://wiki.example/${encodeURIComponent(evil)}`
    )
    const one = listed({})
    const other = listed({ aplimit: '2' })
    store.put(one)
    store.put(other)
    const broken = path.join(
      cassette,
      'query.allpages',
      '<img src=x onerror=alert(1)>.0123456789ab.json'
    )
    writeFileSync(broken, '{"request":')
    mkdirSync(path.join(cassette, '__proto__'))
    writeFileSync(path.join(cassette, '__proto__', 'a.abcdef012345.json'), evil)
    const { api, origin, rack } = await startProxy(undefined, { cassette })
    const query = `action=query&format=json&list=allpages&apfrom=${encodeURIComponent(`${evil}x`)}`
    await ask(`${api}?${query}`, {
      headers: { 'user-agent': 'bot<img src=x>', cookie: '<b>=1' }
    })
    await ask(`${origin}/${encodeURIComponent(evil)}`)
    const { page, complaints, strangers } = await openPage(
      browser,
      `${origin}/__wikitape/`
    )
    page.on('dialog', (dialog) => {
      complaints.push(dialog.message())
      dialog.dismiss().catch(() => undefined)
    })
    const parts = ['Answer', 'Request', 'Headers', 'Key', 'Compare', 'Copy']
    const views = [
      ...[
        'live',
        'live?id=1',
        'live?id=1&part=Request',
        'live?id=1&part=Key',
        'live?id=2',
        `live?q=${encodeURIComponent(`-user:"${evil}" after:${evil}`)}`,
        'timeline?id=1',
        'misses'
      ],
      ...[
        'cassette',
        `cassette?folder=${encodeURIComponent(evil)}`,
        'cassette?key=0123456789ab',
        'cassette?q=img&inside=1',
        `cassette?q=${encodeURIComponent(`user:"${evil}"`)}&sort=size`,
        'coverage',
        'check'
      ],
      ...parts.map((part) => `cassette?key=${one.key}&part=${part}`),
      ...[
        `ask?address=${encodeURIComponent(query)}`,
        `ask?like=${one.key}&address=${encodeURIComponent(query)}`
      ],
      ...[
        `compare?a=tape&b=tape&key-a=${one.key}&key-b=${other.key}`,
        'drift?a=tape&b=nothing',
        'check?issue=1'
      ]
    ]
    for (const view of views) {
      await expectNothingActive(page, view)
      // Signs that turn text around are spelled out wherever they stand.
      const shown = (await page.locator('body').innerText()).match(
        /[\u202a-\u202e\u2066-\u2069]/
      )
      expect([view, shown]).toEqual([view, null])
    }
    await page.goto(`${origin}/__wikitape/#/cassette?key=${one.key}&part=Answer`)
    for (const mode of await page.locator('.modes button').all()) await mode.click()
    await page.getByRole('button', { name: 'Raw' }).click()
    expect(await page.getByLabel('response as sent by the wiki').innerText()).toContain(
      'polluted'
    )
    expect(await page.evaluate('({}).polluted')).toBeUndefined()
    expect(strangers).toEqual([])
    // A cassette `nothing` is not there, a broken file is said to be; no policy was broken, no script ran.
    expect(complaints.filter((text) => !/status of 40[04]/.test(text))).toEqual([])
    // The two requests of the client, and no other.
    expect(rack.feed.since(0)).toHaveLength(2)
  })
})

describe('a hostile run', () => {
  it('runs nothing and asks for nothing, whatever stands in place of its members', async () => {
    const names =
      'id at ms waitedMs cassette outcome status method module words key from why error hasWarnings bytes user session agent writes isWrite retryAfter answer test'
    const sent = {
      path: evil,
      params: [{ name: evil, value: evil }, evil, 1],
      headers: 1
    }
    const miss = {
      request: evil,
      command: evil,
      line: evil,
      nearest: [{ differences: {} }]
    }
    const lineOf = (value: unknown): string =>
      JSON.stringify({
        ...Object.fromEntries(names.split(' ').map((name) => [name, value])),
        sent: value === 1 ? {} : sent,
        miss: value === null ? undefined : miss
      })
    const values = [
      evil,
      1,
      null,
      { type: 'script', props: { children: evil } },
      [[evil]]
    ]
    const lines = readRun(`${values.map(lineOf).join('\n')}\n`)
    if (typeof lines === 'number') throw new Error(`line ${lines} was refused`)
    const runs = [runOfFile('a', lines), runOfFile('b', lines.slice(1))]
    const cassette = 'cassettes/ru-1.43'
    const { origin } = await startProxy(undefined, { cassette, runs })
    const { page, complaints, strangers } = await openPage(
      browser,
      `${origin}/__wikitape/`
    )
    const views = ['live', 'live?id=1', 'live?id=4', 'live?run=b&against=a', 'misses']
    for (const view of [...views, 'timeline?id=1', 'cassette?q=unused']) {
      await expectNothingActive(page, view)
    }
    expect(strangers).toEqual([])
    expect(complaints.filter((text) => !/status of 40[04]/.test(text))).toEqual([])
  })
})

describe('markup of a wiki', () => {
  it('is shown as a page that runs nothing, loads nothing and leads nowhere', async () => {
    const text = `<h2>Heading</h2><p style="color:red" onclick="alert(1)">shown</p>${evil}<a href="http://evil.example/">link</a>`
    const one = interactionOf({ action: 'parse', page: 'A' }, [
      response(jsonBody(JSON.stringify({ parse: { text } })))
    ])
    const cassette = path.join(temporaryFolder(), 'tape')
    CassetteStore.openOrCreate(cassette, 'http://wiki.example/w/api.php').put(one)
    const { origin, rack } = await startProxy(undefined, { cassette })
    const { page, complaints, strangers } = await openPage(
      browser,
      `${origin}/__wikitape/#/cassette?key=${one.key}`
    )
    await page.getByRole('button', { name: 'Page parse.text' }).click()
    const frame = page.frameLocator('iframe.page')
    await frame.getByRole('heading', { name: 'Heading' }).waitFor()
    await frame.getByText('link').click()
    expect(await frame.getByText('shown').isVisible()).toBe(true)
    expect(await frame.getByText('alert(').count()).toBe(0)
    expect(
      await frame.locator('script, link, base, iframe, form, [onclick], [href]').count()
    ).toBe(0)
    expect([complaints, strangers, rack.feed.since(0)]).toEqual([[], [], []])
  })
})
