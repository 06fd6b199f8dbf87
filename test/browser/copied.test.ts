/** Requests that the pages copied, run by other programs: the same answers. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseMultipart } from '../../src/recorder/wiki/parameters/multipart.ts'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { startProxy } from '../helpers/proxies.ts'
import type { Seen } from '../helpers/upstreams.ts'
import { copyingBrowser } from './any-browser.ts'
import { newPage } from './chromium.ts'

let browser: Browser

beforeAll(async () => {
  browser = await copyingBrowser()
})

const utf8 = (text: string): string => Buffer.from(text, 'latin1').toString()

/** Says back what the wiki was sent, by whatever encoding. */
function sayBack(params: ReadonlyMap<string, string>, { body, headers }: Seen): string {
  const type = headers['content-type'] ?? ''
  const parts = parseMultipart(type, body.toString('latin1'))
  const pairs =
    typeof parts === 'string'
      ? [...params]
      : parts.map(({ name, content }) => [name, utf8(content)] as const)
  const got = pairs.filter(([name]) => name !== 'token')
  return JSON.stringify({ [params.get('action') ?? 'upload']: { got } })
}

const hard = 'line *one*\r\n\u202e|"q" \\ \'\t$x `id` !h %41 😀\n\u001b[1m::error::\n'
const titles = Array.from({ length: 50 }, (_, at) => `Статья с длинным названием ${at}`)

const cases: readonly (readonly [
  what: string,
  method: 'GET' | 'POST' | 'upload',
  params: Readonly<Record<string, string>>
])[] = [
  ['a query', 'GET', { action: 'query', list: 'allpages', apfrom: 'Б&c=d' }],
  ['hard text by GET', 'GET', { action: 'parse', text: hard }],
  ['a line break by POST', 'POST', { action: 'parse', text: 'one\ntwo\n' }],
  ['hard text by POST', 'POST', { action: 'parse', text: hard }],
  ['50 titles by GET', 'GET', { action: 'query', titles: titles.join('|') }],
  ['50 titles by POST', 'POST', { action: 'query', titles: titles.join('|') }],
  [
    'an edit',
    'POST',
    { action: 'edit', title: 'Б', text: hard, token: `${'0a1b2c3d'.repeat(5)}+\\` }
  ],
  [
    'an upload',
    'upload',
    { action: 'upload', filename: 'Б.txt', text: 'one\ntwo', token: '+\\' }
  ]
]

const file = 'content of the file\r\n\u0000\n'

async function send(
  api: string,
  method: 'GET' | 'POST' | 'upload',
  params: Readonly<Record<string, string>>
): Promise<string> {
  const all = new URLSearchParams({ ...params, format: 'json' })
  if (method === 'GET') return (await ask(`${api}?${all}`)).text
  const form = new FormData()
  for (const [name, value] of all) form.append(name, value)
  form.append('file', new Blob([file]), 'FILE')
  const body = method === 'POST' ? all : form
  return (await fetch(api, { method: 'POST', body })).text()
}

/** Each form of the shown request, as its button copies it. */
async function copied(page: Page): Promise<ReadonlyMap<string, string>> {
  await page.getByRole('tab', { name: 'Copy' }).click()
  const sections = page.getByRole('region', { name: 'details' }).locator('section')
  await sections.first().waitFor()
  const forms = new Map<string, string>()
  for (const section of await sections.all()) {
    await section.getByRole('button', { name: 'Copy' }).click()
    await section.getByText('Copied').waitFor()
    await page.evaluate(
      "document.body.append(document.createElement('textarea')); document.body.lastElementChild.focus()"
    )
    await page.keyboard.press('Control+V')
    const text = await page.locator('body > textarea').inputValue()
    await page.evaluate('document.body.lastElementChild.remove()')
    forms.set(await section.getByRole('heading').innerText(), text)
  }
  return forms
}

/** Runs it where the file lies. @returns the answer */
async function runForm(name: string, text: string, api: string): Promise<string> {
  const cwd = temporaryFolder()
  writeFileSync(path.join(cwd, 'FILE'), file)
  const start = (program: string, ...args: readonly string[]) =>
    promisify(execFile)(program, args, { cwd }).then(({ stdout }) => stdout)
  const printed = '\nimport json\nprint(json.dumps(answer))'
  switch (name) {
    case 'curl':
      return start('sh', '-c', text)
    case 'Query string':
      return start('curl', '-s', api, '--data-binary', text)
    case 'URL':
      return start('curl', '-s', '-g', text)
    case 'fetch': {
      const code = `${text}\nconsole.log(JSON.stringify(answer))`
      return start(process.execPath, '--input-type=module', '-e', code)
    }
    default:
      return start('/usr/bin/python3', '-c', text + printed)
  }
}

/** A form that says only a part of the request: an address has no body, and a query no file. */
const isPart = (name: string, isPost: boolean, method: string): boolean =>
  (name === 'URL' && isPost) || (name === 'Query string' && method === 'upload')

describe('a copied request gets the same answer', () => {
  it.each(cases)('of %s, from Live and from Cassette', async (_, method, params) => {
    const wiki = await fakeWiki(sayBack)
    const recording = await startProxy(wiki.api)
    const recorded = await send(recording.api, method, params)
    await recording.close()
    const { cassette } = recording
    const { api, origin } = await startProxy(undefined, { cassette })
    expect(await send(api, method, params)).toBe(recorded)
    const page = await newPage(browser, { viewport: { width: 1360, height: 800 } })
    for (const view of ['live', 'cassette']) {
      await page.goto(`${origin}/__wikitape/#/${view}`)
      await page.locator('a.row').first().click()
      const forms = await copied(page)
      expect([...forms.keys()]).toEqual([
        ...['curl', 'Query string', 'URL', 'fetch'],
        ...['Python, requests', 'Python, mwclient']
      ])
      const isPost = !forms.get('curl')?.startsWith('curl -G')
      for (const [name, code] of forms) {
        if (isPart(name, isPost, method)) continue
        // A write has another answer the second time.
        const fresh = await startProxy(undefined, { cassette })
        const there = code.replaceAll(new URL(api).host, new URL(fresh.api).host)
        const got = await runForm(name, there, fresh.api)
        expect([view, name, JSON.parse(got)]).toEqual([view, name, JSON.parse(recorded)])
        await fresh.close()
      }
    }
  })
})
