/** The overview of a cassette: what its sessions did, and which recordings are the oldest. */
import { utimesSync } from 'node:fs'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { CassetteStore } from '../../src/recorder/store/cassette-store.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { startProxy } from '../helpers/proxies.ts'
import { interactionOf, jsonBody, response } from '../helpers/recorded.ts'
import { anyBrowser } from './any-browser.ts'
import { type Opened, openPage } from './chromium.ts'

let browser: Browser

beforeAll(async () => {
  browser = await anyBrowser()
})

const body = jsonBody('{"query":{}}')
const login = interactionOf({ action: 'login', lgname: 'Алиса@bot', lgtoken: '(token)' })
const edit = interactionOf(
  {
    ...{ action: 'edit', title: 'Волга', text: 'a', token: '(token)' },
    'as user': 'user:Алиса'
  },
  [response(jsonBody('{"edit":{"result":"Success","pageid":1,"title":"Волга"}}'))]
)
const read = { action: 'query', prop: 'info', titles: 'Волга' }
const readAfter = interactionOf({
  ...read,
  'as user': 'user:Алиса',
  'after writes': edit.key
})
const seen = interactionOf({ ...read, 'as user': 'user:Bob' }, [
  response(body),
  response(body, { afterOthers: [edit.key] })
])

async function open(): Promise<Opened> {
  const cassette = path.join(temporaryFolder(), 'tape')
  const store = CassetteStore.openOrCreate(cassette, 'http://wiki.example/w/api.php')
  for (const one of [login, edit, readAfter, seen]) store.put(one)
  const day = new Date('2026-10-01T12:00:00Z')
  utimesSync(path.join(cassette, new Map(store.paths()).get(login.key) ?? ''), day, day)
  const { origin } = await startProxy(undefined, { cassette })
  return openPage(browser, `${origin}/__wikitape/#/cassette`)
}

it('tells the story of each session that wrote, or was answered again after writes of others', async () => {
  const { page } = await open()
  const story = (name: string) => page.getByRole('list', { name }).locator('a')
  await expect
    .poll(() => story('Алиса').allInnerTexts())
    .toEqual(['login', 'edit of Волга', '1 read'])
  expect(await story('Bob').allInnerTexts()).toEqual(['info of Волга: 2 answers'])
  await story('Bob').click()
  await page
    .getByRole('heading', { name: 'Answer 2 of 2, after the edit of Волга by Алиса' })
    .waitFor()
})

it('names the oldest recordings, and leads to all by age and to those before a day', async () => {
  const { page } = await open()
  const oldest = page.locator('.overview h3', { hasText: 'Oldest' })
  const first = oldest.locator('xpath=following-sibling::ul[1]/li[1]')
  expect(await first.innerText()).toMatch(/^login .*2026-10-01$/s)
  await oldest.getByRole('link', { name: 'all by age' }).click()
  await page.getByText('4 requests found').waitFor()
  expect(await page.locator('a.row').first().innerText()).toMatch(/^login/)
  await page.getByLabel('Search requests').fill('before:2026-11-01')
  await page.getByText('1 request found').waitFor()
})
