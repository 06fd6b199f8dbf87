/** The HTML reports in headless Chromium: nothing is loaded, and everything is readable, also without script. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compareCassettes } from '../../src/drift/compare.ts'
import { driftMatrixOf } from '../../src/drift/findings/drift-report.ts'
import { loadSide } from '../../src/drift/inputs/load-side.ts'
import { htmlReport } from '../../src/drift/report/html/html-report.ts'
import { matrixHtml } from '../../src/drift/report/matrix-report.ts'
import { sampleReport } from '../drift/report/sample.ts'
import { anyBrowser } from './any-browser.ts'
import { newPage } from './chromium.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'wikitape-browser-'))
let browser: Browser

/** Address of a report as a file. */
function published(name: string, html: string): string {
  const file = path.join(folder, name)
  writeFileSync(file, html)
  return pathToFileURL(file).href
}

const sides = ['1.35', '1.39', '1.43'].map(
  (version) => loadSide(`cassettes/ru-${version}`).side
)
const [oldest, middle, newest] = sides
if (oldest === undefined || middle === undefined || newest === undefined)
  throw new Error('no cassettes')
const report = compareCassettes(oldest, newest)
const real = published('real.html', htmlReport(report))
const hostile = published('hostile.html', htmlReport(sampleReport()))
const matrix = published(
  'matrix.html',
  matrixHtml(
    driftMatrixOf([compareCassettes(oldest, middle), compareCassettes(middle, newest)])
  )
)

/** A page of its own, and what it asked for and complained of. */
async function open(
  address: string,
  options: BrowserContextOptions = {}
): Promise<{
  readonly page: Page
  readonly requests: string[]
  readonly complaints: string[]
}> {
  const page = await newPage(browser, {
    viewport: { width: 1180, height: 800 },
    ...options
  })
  const [requests, complaints]: [string[], string[]] = [[], []]
  page.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => complaints.push(message.text()))
  page.on('dialog', (dialog) => {
    complaints.push(`dialog ${dialog.message()}`)
    dialog.dismiss().catch(() => undefined)
  })
  await page.goto(address)
  return { page, requests, complaints }
}

beforeAll(async () => {
  browser = await anyBrowser()
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }
const shown = (page: Page): Promise<number> => page.locator('.finding:visible').count()

/** WCAG contrast of the text of some elements with what is behind them. */
const worstContrast = (page: Page): Promise<number> =>
  page.evaluate(`(() => {
    const parse = (text) => (text.match(/[\\d.]+/g) || []).map(Number)
    const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
      .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
      .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0)
    const behind = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const color = parse(getComputedStyle(at).backgroundColor)
        if (color.length === 3 || color[3] === 1) return color
      }
      return [255, 255, 255]
    }
    const ratios = [...document.querySelectorAll('h1,h2,summary .t,summary .w,summary code,.hint,pre,.meta,.chip,.sign')]
      .filter((element) => element.offsetParent !== null)
      .map((element) => {
        const [a, b] = [light(parse(getComputedStyle(element).color)), light(behind(element))]
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
      })
    return Math.min(...ratios)
  })()`)

describe('a report in a browser', () => {
  it.each([
    ['a desktop, light', {}],
    ['a desktop, dark', { colorScheme: 'dark' as const }],
    ['a phone, light', phone],
    ['a phone, dark', { ...phone, colorScheme: 'dark' as const }]
  ])(
    'on %s asks for nothing, complains of nothing, fits and can be read',
    async (_, options) => {
      for (const address of [real, hostile, matrix]) {
        const { page, requests, complaints } = await open(address, options)
        expect([requests, complaints]).toEqual([[address], []])
        const width: number = await page.evaluate('document.documentElement.scrollWidth')
        expect(width).toBeLessThanOrEqual(
          options === phone ? 360 : (page.viewportSize()?.width ?? 0)
        )
        expect(await worstContrast(page)).toBeGreaterThanOrEqual(4.5)
      }
    }
  )

  it('filters by severity, kind, request and words', async () => {
    const { page } = await open(real)
    const all = await shown(page)
    expect(all).toBe(report.findings.length)
    const breaking = report.causes.filter(
      ({ findings: [worst] }) => worst.severity === 'breaking'
    )
    const causes = report.causes.length
    await page.locator('label.breaking').click()
    expect(await shown(page)).toBe(
      all - breaking.flatMap(({ findings }) => findings).length
    )
    expect(await page.locator('#shown').innerText()).toBe(
      `${causes - breaking.length} of ${causes} causes`
    )
    await page.locator('label.breaking').click()
    await page.locator('#kind').selectOption('continuation.value-shape')
    expect(await shown(page)).toBe(5)
    await page.locator('#kind').selectOption('')
    await page.locator('#scope').selectOption('meta=userinfo')
    expect(await shown(page)).toBe(2)
    await page.locator('#scope').selectOption('')
    await page.locator('#search').fill('writeapi userinfo')
    expect(await page.locator('.finding:visible').first().getAttribute('data-kind')).toBe(
      'enum.value-removed'
    )
  })

  it('opens the finding that a link names, and scrolls to it', async () => {
    const cosmetic = report.findings.find(({ kind }) => kind === 'text.changed')
    const { page } = await open(`${real}#${cosmetic?.fingerprint}`)
    const card = page.locator(`[id="${cosmetic?.fingerprint}"]`)
    expect(await card.locator('> details').getAttribute('open')).not.toBeNull()
    const box = await card.boundingBox()
    expect(box?.y).toBeLessThan(800)
    expect(await card.locator('pre').first().isVisible()).toBe(true)
  })
})

describe('a report in a browser, read in other ways', () => {
  it('can be used with the keyboard alone', async () => {
    const { page } = await open(real)
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    const second = page.locator('.finding').nth(1)
    expect(await second.getAttribute('class')).toContain('here')
    const before = await second.locator('> details').getAttribute('open')
    await page.keyboard.press('o')
    expect(await second.locator('> details').getAttribute('open')).not.toBe(before)
    await page.keyboard.press('v')
    expect(await second.getAttribute('class')).toContain('viewed')
    await page.keyboard.press('/')
    await page.keyboard.type('tokens')
    expect(await shown(page)).toBeLessThan(report.findings.length)
    await page.keyboard.press('Escape')
    await page.keyboard.press('c')
    expect(await page.locator('details[open]').count()).toBe(0)
  })

  it('is whole without script', async () => {
    const { page } = await open(real, { javaScriptEnabled: false })
    expect(await shown(page)).toBe(report.findings.length)
    expect(await page.locator('.js-only:visible').count()).toBe(0)
    const folded = page.locator('.finding.additive summary').first()
    await folded.click()
    expect(await page.locator('.finding.additive .body').first().isVisible()).toBe(true)
  })

  it.each([
    ['a desktop', {}],
    ['a phone', phone]
  ])(
    'shows a cause in full once: its other findings take a line each, on %s',
    async (_, options) => {
      const { page } = await open(real, options)
      const rows = page.locator('.finding.row')
      expect(await rows.count()).toBe(report.findings.length - report.causes.length)
      for (const row of await rows.all())
        expect((await row.boundingBox())?.height).toBeLessThan(32)
      await rows.first().locator('> details > summary').click()
      expect(await rows.first().locator('.body').isVisible()).toBe(true)
    }
  )

  it.each([
    ['with script', true],
    ['without', false]
  ])(
    'is whole on paper, %s: nothing to click, nothing folded',
    async (_, javaScriptEnabled) => {
      const { page } = await open(real, { javaScriptEnabled })
      await page.emulateMedia({ media: 'print' })
      if (javaScriptEnabled)
        await page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
      expect(
        await page
          .locator('.bar:visible, button:visible, select:visible, .keys:visible')
          .count()
      ).toBe(0)
      const bodies = page.locator('.finding .body')
      expect(await bodies.count()).toBe(report.findings.length)
      expect(await page.locator('.finding .body:visible').count()).toBe(
        report.findings.length
      )
    }
  )

  it('shows hostile titles as the text that they are', async () => {
    const { page, complaints } = await open(hostile)
    expect(await page.locator('img, main script').count()).toBe(0)
    expect(await page.innerText('main')).toContain('</script><script>alert(1)</script>')
    expect(complaints).toEqual([])
  })

  it('of several versions is a table that leads to the findings', async () => {
    const { page } = await open(matrix)
    const cell = page.locator('table.matrix td.breaking a').first()
    await cell.click()
    expect(page.url()).toContain('#s0-')
    const [, id = ''] = page.url().split('#')
    expect(
      await page.locator(`[id="${id}"] > details`).getAttribute('open')
    ).not.toBeNull()
  })
})

describe('for axe', () => {
  it.each(['light', 'dark'] as const)(
    'the reports have no fault, %s',
    async (colorScheme) => {
      for (const address of [real, matrix]) {
        const { page } = await open(address, { colorScheme })
        await page.addScriptTag({
          path: createRequire(import.meta.url).resolve('axe-core')
        })
        const faults = await page.evaluate(
          "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.length + ': ' + nodes[0].html + nodes[0].failureSummary))"
        )
        expect(faults).toEqual([])
      }
    }
  )
})
