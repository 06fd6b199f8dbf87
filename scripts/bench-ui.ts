/**
 * How long the pages take with a large cassette: `npm run build && npx tsx scripts/bench-ui.ts [INTERACTIONS]` makes
 * one of 100,000 interactions in a temporary folder, serves it, and measures the server's answers and, with
 * headless Chromium, the time until rows are painted.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { encodeInteraction } from '../src/cassette/format/encode-interaction.ts'
import { CassetteStore } from '../src/store/cassette-store.ts'
import { interactionOf, jsonBody, response } from '../test/helpers/recorded.ts'

const count = Number(process.argv[2] ?? 100_000)
const modules = ['allpages', 'allusers', 'recentchanges', 'search', 'logevents']
const folder = mkdtempSync(path.join(tmpdir(), 'wikitape-ui-'))
const cassette = path.join(folder, 'large')

function write(): void {
  const store = CassetteStore.openOrCreate(cassette, 'http://wiki.example/w/api.php')
  store.saveManifest()
  for (const list of modules) mkdirSync(path.join(cassette, `query.${list}`))
  for (let at = 0; at < count; at += 1) {
    const list = modules[at % modules.length] ?? ''
    const body = jsonBody(
      JSON.stringify({ query: { [list]: [{ pageid: at, title: `Страница ${at}` }] } }),
    )
    const one = interactionOf({ action: 'query', list, from: `Река ${at}` }, [response(body)])
    const file = store.pathFor(one)
    const { text } = encodeInteraction(one, path.basename(file, '.json'))
    writeFileSync(path.join(cassette, file), text)
  }
}

async function timed(what: string, work: () => Promise<string>): Promise<void> {
  const began = performance.now()
  const result = await work()
  console.log(`${what}: ${Math.round(performance.now() - began)} ms (${result})`)
}

write()
const program = fileURLToPath(new URL('../dist/cli/start.cjs', import.meta.url))
const child = spawn(process.execPath, [program, 'ui', cassette, '--port', '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const lines = createInterface({ input: child.stdout })
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  const address = await new Promise<string>((resolve) =>
    lines.once('line', (line) => resolve(/http:\S+/.exec(line)?.[0] ?? '')),
  )
  const get = async (view: string): Promise<string> => {
    const text = await (await fetch(`${address}api/${view}`)).text()
    const { total = '' } = JSON.parse(text) as { readonly total?: number }
    return `${text.length} characters, ${total} found`
  }
  await timed('the cassette, first', () => get('cassette'))
  await timed('the cassette, again', () => get('cassette'))
  await timed('first hundred rows', () => get('interactions'))
  await timed('last rows', () => get(`interactions?from=${Math.max(0, count - 50)}`))
  await timed('search', () => get(`interactions?q=${encodeURIComponent('Река 777')}`))
  await timed('a step of the search inside', () => get('inside?q=nothing'))
  const page = await browser.newPage()
  await timed('browser: from an empty page to the first rows', async () => {
    await page.goto(`${address}#/cassette`)
    await page.locator('a.row').first().waitFor()
    return `${await page.locator('*').count()} elements`
  })
  await timed('browser: from the last key to the rows found', async () => {
    await page.getByLabel('Search requests').fill('Река 77777')
    await page.getByText('found by name').waitFor()
    return (await page.locator('[role=status]').first().textContent()) ?? ''
  })
  await timed('browser: from a click to the answer', async () => {
    await page.locator('a.row').first().click()
    await page.locator('.tree').waitFor()
    return (await page.locator('.detail h2').textContent()) ?? ''
  })
  const memory = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]
  console.log(`memory of the server: ${Math.round(Number(memory) / 1000)} MB`)
} finally {
  await browser.close()
  child.kill()
  rmSync(folder, { recursive: true, force: true })
}
