/**
 * The picture of a drift report in the README: `npx tsx scripts/picture.ts` takes it with headless Chromium from the
 * shipped cassettes of 1.35 and 1.43, into docs/drift-report.png, or the folder that is named.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { compareCassettes } from '../src/drift/compare.ts'
import { loadSide } from '../src/drift/inputs/load-side.ts'
import { htmlReport } from '../src/drift/report/html/html-report.ts'

const picture = path.join(
  process.argv[2] ?? fileURLToPath(new URL('../docs', import.meta.url)),
  'drift-report.png'
)
/** Bytes that a picture in a README may take. */
const mostBytes = 300_000

const folder = mkdtempSync(path.join(tmpdir(), 'wikitape-picture-'))
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu']
})
try {
  const [a, b] = ['1.35', '1.43'].map(
    (version) => loadSide(`cassettes/ru-${version}`).side
  )
  if (a === undefined || b === undefined) throw new Error('no cassettes')
  const file = path.join(folder, 'drift.html')
  writeFileSync(file, htmlReport(compareCassettes(a, b)))
  const page = await browser.newPage({
    viewport: { width: 1200, height: 780 },
    colorScheme: 'light'
  })
  await page.goto(pathToFileURL(file).href)
  // The first finding takes the whole screen; folded, the others come into view.
  await page.locator('.finding > details > summary').first().click()
  await page.screenshot({ path: picture })
  const { size } = statSync(picture)
  console.log(`${picture}: ${size} bytes`)
  if (size > mostBytes) throw new Error(`the picture is larger than ${mostBytes} bytes`)
} finally {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
}
