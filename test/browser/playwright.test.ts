/** `wikitape/playwright` with a real browser: pages of a wiki, redirects, and requests of other sites, recorded and replayed. */
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cassetteFixture } from '../../src/integrations/playwright/cassette-fixture.ts'
import type { UsedCassette } from '../../src/integrations/testing/cassette-handle.ts'
import type { TestCassetteOptions } from '../../src/integrations/testing/test-cassette-options.ts'
import { type FakeAnswer, type FakeWiki, fakeWiki } from '../helpers/fake-wiki.ts'
import { interactionFiles, temporaryFolder } from '../helpers/folders.ts'
import { run } from '../helpers/program.ts'
import { launchChromium } from './chromium.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

/** As `mw.Api` asks: by XMLHttpRequest, a form of the same origin. */
const page = `<img src="/w/moved.svg" onload="add('image')" onerror="add('no image')"><script>
function add(text) { document.title += '/' + text }
const request = new XMLHttpRequest()
request.open('POST', '/w/api.php')
request.setRequestHeader('content-type', 'application/x-www-form-urlencoded; charset=UTF-8')
request.onload = () => add(JSON.parse(request.responseText).query.echo)
request.send('action=query&list=allpages&apfrom=' + new URLSearchParams(location.search).get('from') + '&format=json')
</script>`

/** Redirects a page to another with a cookie, and an image to another; answers the API. */
const wikiWithPages = (): Promise<FakeWiki> =>
  fakeWiki((params, { target, headers }) => {
    const redirect = (location: string, more = {}): FakeAnswer => ({
      status: 302,
      headers: { location, 'content-type': 'text/html', ...more },
      body: ''
    })
    const [place = ''] = target.split('?')
    const cookie = 'wiki_session=0123456789abcdef; path=/; HttpOnly'
    const answers: Readonly<Record<string, FakeAnswer>> = {
      '/w/index.php': redirect(`/wiki/Main?from=${params.get('from')}`, {
        'set-cookie': [cookie]
      }),
      '/wiki/Main': { headers: { 'content-type': 'text/html' }, body: page },
      '/w/moved.svg': redirect('/w/here.svg'),
      '/w/here.svg': {
        headers: { 'content-type': 'image/svg+xml' },
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
      }
    }
    const hasCookie = headers.cookie?.includes('wiki_session') === true
    const echo = `${params.get('apfrom')}, ${hasCookie ? 'with' : 'no'} cookie`
    return answers[place] ?? JSON.stringify({ batchcomplete: '', query: { echo } })
  })

/** Runs a test's body as Playwright would. @returns the error of its fixture, if any */
async function runTest(
  options: TestCassetteOptions,
  body: (context: BrowserContext, cassette: UsedCassette) => Promise<void>
): Promise<string> {
  const context = await browser.newContext()
  context.setDefaultTimeout(300_000)
  const file = path.resolve('tests/wiki.spec.ts')
  try {
    const info = { file, titlePath: ['wiki.spec.ts', 'reads'], status: 'passed' }
    const fixtures = cassetteFixture(options)
    await fixtures.cassette(
      {},
      (cassette) =>
        fixtures.context({ context, cassette }, (routed) => body(routed, cassette)),
      info
    )
    return ''
  } catch (error) {
    return String(error)
  } finally {
    await context.close()
  }
}

const visit =
  (api: string, from: string, seen: string[]) =>
  async (context: BrowserContext): Promise<void> => {
    const tab = await context.newPage()
    await tab.goto(`${new URL(api).origin}/w/index.php?from=${from}`)
    await tab.waitForFunction(
      'document.title.includes("image") && document.title.includes("cookie")'
    )
    seen.push(
      `${new URL(tab.url()).pathname} ${(await tab.title()).split('/').sort().join(' ')}`
    )
  }

describe('a page of the wiki', () => {
  it('is recorded with its redirects and requests, and replayed without the wiki', async () => {
    const wiki = await wikiWithPages()
    const [root, seen]: [string, string[]] = [temporaryFolder(), []]
    const options = { apiUrl: wiki.api, root }
    expect(await runTest({ ...options, mode: 'once' }, visit(wiki.api, 'B', seen))).toBe(
      ''
    )
    await wiki.close()
    expect(await runTest({ ...options, mode: 'none' }, visit(wiki.api, 'B', seen))).toBe(
      ''
    )
    expect(seen).toEqual(Array(2).fill('/wiki/Main  B, with cookie image'))
    expect(interactionFiles(path.join(root, 'tests/wiki.spec/reads')).length).toBe(5)
  })

  it('gives its test the cassette, with values that are kept', async () => {
    const wiki = await wikiWithPages()
    const options = { apiUrl: wiki.api, root: temporaryFolder() }
    const made: string[] = []
    const body = async (
      context: BrowserContext,
      cassette: UsedCassette
    ): Promise<void> => {
      made.push(cassette.variable('title', () => `B${randomUUID()}`))
      made.push(cassette.recordedAt.toISOString())
      await visit(wiki.api, made.at(-2) ?? '', [])(context)
    }
    expect(await runTest({ ...options, mode: 'once' }, body)).toBe('')
    await wiki.close()
    expect(await runTest({ ...options, mode: 'none' }, body)).toBe('')
    expect(made.slice(2)).toEqual(made.slice(0, 2))
  })

  it('fails its test for a request that was not recorded, in words', async () => {
    const wiki = await wikiWithPages()
    const options = { apiUrl: wiki.api, root: temporaryFolder() }
    await runTest({ ...options, mode: 'once' }, visit(wiki.api, 'B', []))
    await wiki.close()
    const failed = runTest({ ...options, mode: 'none' }, async (context) => {
      const tab = await context.newPage()
      await tab.goto(`${wiki.origin}/w/index.php?from=D`)
    })
    expect(await failed).toMatch(
      /1 request missed:[\s\S]*from=D[\s\S]*WIKITAPE_MODE=update/
    )
  })
})

describe('a HAR file of wikitape', () => {
  it('answers routeFromHAR at the address as it was asked, and names what it lacks', async () => {
    const wiki = await fakeWiki()
    const query = '?format=json&list=allpages&action=query&origin=*&maxlag=5'
    const root = temporaryFolder()
    await runTest({ apiUrl: wiki.api, root, mode: 'once' }, async (context) => {
      const tab = await context.newPage()
      await tab.goto(wiki.api + query)
    })
    await wiki.close()
    const [asked, har] = ['asked.txt', 'mine.har'].map((name) => path.join(root, name))
    writeFileSync(
      asked ?? '',
      `${wiki.api}${query}\naction=query&list=alllinks&format=json\n`
    )
    const cassette = path.join(root, 'tests/wiki.spec/reads')
    const args = [
      'export',
      cassette,
      '--to',
      'har',
      '--requests',
      asked ?? '',
      '--output',
      har ?? ''
    ]
    const { code, stderr } = await run(args)
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('list=alllinks&format=json: no-module')
    ])
    const tab = await browser.newPage()
    await tab.routeFromHAR(har ?? '', { notFound: 'abort' })
    expect(await (await tab.goto(wiki.api + query))?.text()).toContain('list=allpages')
    await tab.close()
  })
})

describe('a page of another site', () => {
  it('asks the wiki by CORS, with its own routes first, and no other wiki with CI=true', async () => {
    const wiki = await fakeWiki((params) => ({
      headers: params.get('origin') === '*' ? { 'access-control-allow-origin': '*' } : {},
      body: JSON.stringify({ query: { echo: params.get('list') } })
    }))
    const other = await fakeWiki()
    const site = http
      .createServer((_, response) => response.end('<p>'))
      .listen(0, '127.0.0.1')
    await new Promise((resolve) => site.once('listening', resolve))
    const { port } = site.address() as { readonly port: number }
    const asked = `${wiki.api}?action=query&list=allpages&format=json&origin=*`
    const visitSite = async (context: BrowserContext): Promise<void> => {
      const tab = await context.newPage()
      await tab.route('**/mine*', (route) => route.fulfill({ json: { mine: true } }))
      await tab.goto(`http://127.0.0.1:${port}/`)
      const get = (address: string): Promise<unknown> =>
        tab.evaluate((url) => fetch(url).then((one) => one.json()), address)
      expect(await get(asked)).toHaveProperty('query.echo')
      await expect(get(asked.replace('&origin=*', ''))).rejects.toThrow('Failed to fetch')
      expect(await get(`${wiki.origin}/mine`)).toEqual({ mine: true })
      const others = [other.api, other.api.replace('.php', '%2Ephp')]
      for (const one of process.env['CI'] === 'true' ? others : [])
        await get(`${one}?action=query&origin=*`).catch(() => undefined)
    }
    const options = { apiUrl: wiki.api, root: temporaryFolder() }
    expect(await runTest({ ...options, mode: 'once' }, visitSite)).toBe('')
    process.env['CI'] = 'true'
    try {
      expect(await runTest(options, visitSite)).toMatch(
        /was not sent: CI=true, and no cassette answers it/
      )
    } finally {
      process.env['CI'] = ''
      site.close()
    }
    expect(other.asked()).toEqual([])
  })
})
