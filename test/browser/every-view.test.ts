/** Every view on a desktop and a phone, in light, dark and right to left: it fits, and axe finds nothing. */
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../helpers/http-client.ts'
import { startProxy } from '../helpers/proxies.ts'
import { scaled } from '../helpers/scale.ts'
import { launchChromium, openPage, settled } from './chromium.ts'

const require = createRequire(import.meta.url)
let browser: Browser

beforeAll(async () => {
  browser = await launchChromium()
})

afterAll(() => browser.close())

const phone = { viewport: { width: 390, height: 780 }, isMobile: true, hasTouch: true }
const listing = encodeURIComponent('action=query&formatversion=2&list=allpages')
const views = [
  ...[
    'live',
    'live?id=1',
    'live?id=1&part=Request',
    'live?id=2',
    'live?id=3&part=Key',
    'live?id=1&part=Copy'
  ],
  ...[
    'timeline',
    'timeline?id=2',
    'misses',
    'cassette',
    'cassette?folder=query.allpages&q=apfrom'
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
  ...['drift', 'drift?a=ru-1.39&b=ru-1.43&cause=294247be6a8c', 'check']
]

/** One of each kind, and the others: each view is seen on a desktop and on a phone. With `WIKITAPE_TESTS=full` all of them. */
const ofEachKind =
  /^(?:live\?id=1|timeline|misses|cassette\?key=.*(?:Answer|Compare)|coverage\?.*listing|ask\?|compare\?a=ru-1.35|drift\?)/
const [fewViews = [], otherViews = []] = [true, false].map((few) =>
  views.filter((view) => scaled(0, 1) === 1 || ofEachKind.test(view) === few)
)

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
      const { page, complaints } = await openPage(browser, `${origin}/__wikitape/`, {
        ...options,
        bypassCSP: true
      })
      const faults: string[] = []
      for (const view of some) {
        // Another address behind # alone would leave the view before in place for a moment.
        await page.goto('about:blank')
        await page.goto(`${origin}/__wikitape/#/${view}`)
        await settled(page)
        await page.evaluate(`document.documentElement.dir = '${direction}'`)
        await page.addScriptTag({ path: require.resolve('axe-core') })
        faults.push(...(await complaintsOfAxe(page)).map((fault) => `${view}: ${fault}`))
        const width: number = await page.evaluate('document.documentElement.scrollWidth')
        if (width > (page.viewportSize()?.width ?? 0))
          faults.push(`${view}: ${width} pixels wide`)
      }
      expect([faults, complaints]).toEqual([[], []])
    }
  )
})

/** Rules that are broken, and where. */
const complaintsOfAxe = (page: Page): Promise<readonly string[]> =>
  page.evaluate(
    "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))"
  )
