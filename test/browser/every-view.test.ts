/** Every view on a desktop and a phone, in light, dark and right to left: it fits, and axe finds nothing. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Browser, Page, Route } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { readRun, runOfFile, writeRun } from '../../src/pages/runs/run-file.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { startProxy } from '../helpers/proxies.ts'
import { scaled } from '../helpers/scale.ts'
import { anyBrowser } from './any-browser.ts'
import { openPage, show } from './chromium.ts'

const require = createRequire(import.meta.url)
const axe = require.resolve('axe-core')
let browser: Browser

beforeAll(async () => {
  browser = await anyBrowser()
})

const phone = { viewport: { width: 390, height: 780 }, isMobile: true, hasTouch: true }
const listing = encodeURIComponent('action=query&formatversion=2&list=allpages')
const views = [
  ...[
    'live',
    'live?id=1',
    'live?id=1&part=Request',
    'live?id=2',
    'live?id=3&part=Key',
    'live?id=1&part=Copy',
    'live?q=-outcome%3Amiss+larger-than%3A1k&sort=size'
  ],
  ...[
    'timeline',
    'timeline?id=2',
    'misses',
    'cassette',
    'cassette?folder=query.allpages&q=apfrom',
    'cassette?q=warning+module%3Aparse&sort=size',
    'cassette?q=Волга&inside=1'
  ],
  ...['Answer', 'Request', 'Headers', 'Key', 'Compare', 'Copy'].map(
    (part) => `cassette?key=4da27ac9a91b&part=${part}`
  ),
  ...[
    'coverage?folder=query.allpages',
    `coverage?folder=query.allpages&listing=${listing}`
  ],
  ...[
    'ask',
    'ask?address=action%3Dquery%26list%3Dallpages%26aplimit%3D3',
    'ask?address=list%3Dnone'
  ],
  ...[
    'compare',
    'compare?a=ru-1.39&b=ru-1.43&key-a=4da27ac9a91b',
    'compare?a=ru-1.35&b=ru-1.43&key-a=89c531d8b4ea'
  ],
  ...['drift', 'drift?matrix=1', 'drift?a=ru-1.39&b=ru-1.43&cause=294247be6a8c', 'check']
]

/** One of each kind, and the others: each view is seen on a desktop and on a phone. With `WIKITAPE_TESTS=full` all of them. */
const ofEachKind =
  /^(?:live\?id=1|timeline|misses|cassette$|cassette\?key=.*(?:Answer|Compare)|coverage\?.*listing|ask\?|compare\?a=ru-1.35|drift\?)/
const [fewViews = [], otherViews = []] = [true, false].map((few) =>
  views.filter((view) => scaled(0, 1) === 1 || ofEachKind.test(view) === few)
)

/** What was reported of the shipped cassettes, which nobody changes: each report takes seconds, and is the same in all colours. */
const reports = new Map<string, Reported>()

interface Reported {
  readonly status: number
  readonly contentType: string
  readonly body: Buffer
}

async function reported(route: Route): Promise<Reported> {
  const response = await route.fetch()
  return {
    status: response.status(),
    contentType: response.headers()['content-type'] ?? '',
    body: await response.body()
  }
}

async function keepReports(page: Page): Promise<void> {
  await page.route(/\/api\/(?:check|compare|drift|listings|matrix)\?/, async (route) => {
    const { pathname, search } = new URL(route.request().url())
    const kept = reports.get(pathname + search) ?? (await reported(route))
    reports.set(pathname + search, kept)
    await route.fulfill(kept)
  })
}

describe('all views', () => {
  it.each([
    ['a desktop, light', {}, 'ltr', views],
    ['a desktop, dark', { colorScheme: 'dark' as const }, 'ltr', fewViews],
    ['a phone, right to left', phone, 'rtl', fewViews],
    [
      'a phone, dark, without motion',
      { ...phone, colorScheme: 'dark' as const, reducedMotion: 'reduce' as const },
      'ltr',
      otherViews
    ]
  ])(
    'on %s fit, and axe finds nothing to complain of',
    async (_, options, direction, some) => {
      const { api, origin } = await startProxy(undefined, {
        cassette: 'cassettes/ru-1.43'
      })
      await ask(`${api}?action=query&format=json&list=allpages&aplimit=7`)
      await ask(`${api}?action=query&format=json&list=allpages&apnamespace=4`)
      await ask(`${api}?action=parse&format=json&page=A`)
      await ask(`${api}?action=parse&format=json&page=B`)
      const { page, complaints } = await openPage(browser, `${origin}/__wikitape/`, {
        ...options,
        bypassCSP: true
      })
      await keepReports(page)
      const faults: string[] = []
      await page.addScriptTag({ path: axe })
      await page.evaluate(`document.documentElement.dir = '${direction}'`)
      for (const view of some) {
        await show(page, view)
        faults.push(...(await complaintsOfAxe(page)).map((fault) => `${view}: ${fault}`))
        const width: number = await page.evaluate('document.documentElement.scrollWidth')
        if (width > (page.viewportSize()?.width ?? 0))
          faults.push(`${view}: ${width} pixels wide`)
      }
      expect([faults, complaints]).toEqual([[], []])
    }
  )
})

describe('runs in files', () => {
  it('fit in every view, and axe finds nothing to complain of', async () => {
    const recorded = await startProxy(undefined, { cassette: 'cassettes/ru-1.43' })
    const runs = []
    for (const limit of [3, 4]) {
      const file = path.join(temporaryFolder(), `${limit}.jsonl`)
      const stop = writeRun(file, recorded.rack, {
        test: 'lists',
        report: () => undefined
      })
      await ask(`${recorded.api}?action=query&list=allpages&aplimit=${limit}&format=json`)
      await ask(`${recorded.api}?action=parse&page=${limit}&format=json`)
      stop()
      const lines = readRun(readFileSync(file, 'utf8'))
      runs.push(runOfFile(`${limit}.jsonl`, typeof lines === 'number' ? [] : lines))
    }
    const cassette = 'cassettes/ru-1.43'
    const { origin } = await startProxy(undefined, { cassette, runs })
    const { page, complaints } = await openPage(browser, `${origin}/__wikitape/`, {
      bypassCSP: true
    })
    const faults: string[] = []
    await page.addScriptTag({ path: axe })
    for (const view of [
      'live',
      'live?run=4.jsonl&id=2',
      'live?run=4.jsonl&against=3.jsonl',
      'timeline?run=4.jsonl&id=1',
      'misses',
      'cassette?run=3.jsonl&q=unused'
    ]) {
      await show(page, view)
      await page.locator('a.row, .bar-of').first().waitFor()
      faults.push(...(await complaintsOfAxe(page)).map((fault) => `${view}: ${fault}`))
    }
    expect([faults, complaints]).toEqual([[], []])
  })
})

it('right to left, an English sentence begins at its left and ends with its full stop', async () => {
  const { api, origin } = await startProxy(undefined, { cassette: 'cassettes/ru-1.43' })
  await ask(`${api}?action=query&format=json&list=allpages&aplimit=7`)
  const { page } = await openPage(browser, `${origin}/__wikitape/#/live?id=1`)
  await page.evaluate("document.documentElement.dir = 'rtl'")
  /** Where its first character is, and its last one. */
  const places = async (text: string): Promise<readonly number[]> => {
    await page.getByText(text, { exact: true }).first().waitFor()
    return page.evaluate(`(() => {
      const all = [...document.querySelectorAll('main *')]
      const found = all.findLast((one) => one.textContent === ${JSON.stringify(text)})
      const leftOf = (node, at) => {
        const range = document.createRange()
        range.setStart(node, at)
        range.setEnd(node, at + 1)
        return range.getBoundingClientRect().left
      }
      const { firstChild, lastChild } = found
      return [leftOf(firstChild, 0), leftOf(lastChild, lastChild.length - 1)]
    })()`)
  }
  for (const text of ['1 request.', '386 B']) {
    const [first = 0, last = 0] = await places(text)
    expect([text, last > first]).toEqual([text, true])
  }
})

/** Rules that are broken, and where. */
const complaintsOfAxe = (page: Page): Promise<readonly string[]> =>
  page.evaluate(
    "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))"
  )
