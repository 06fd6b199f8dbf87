/** A page of a browser through the proxy that stays: wikis behind TLS by their names, recorded, then offline. */
import { createHash, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../helpers/folders.ts'
import { page as apiPage, family } from '../helpers/named-wikis.ts'
import { start } from '../helpers/program.ts'
import { launchChromium, newPage } from './chromium.ts'

it('shows the wikis that it names, recorded and then offline', async () => {
  const { cwd, env, cacert, en, commons } = await family()
  const ca = path.join(temporaryFolder(), 'ca')
  const shown = async (verb: string, flags: readonly string[]): Promise<string[]> => {
    const args = [verb, '--port', '0', '--ca', ca, ...flags]
    const proxy = start(args, { cwd, env })
    const [, address = ''] = await proxy.printed(/HTTPS_PROXY='(.*)'/, 'stdout')
    const { origin, username, password } = new URL(address)
    const authority = new X509Certificate(readFileSync(path.join(ca, 'authority.pem')))
    const key = authority.publicKey.export({ type: 'spki', format: 'der' })
    const hash = createHash('sha256').update(key).digest('base64')
    const browser = await launchChromium(`--ignore-certificate-errors-spki-list=${hash}`)
    onTestFinished(() => browser.close())
    const page = await newPage(browser, {
      proxy: { server: origin, username, password }
    })
    await page.goto(apiPage('en.wiki.test', 'Box'))
    const own = await page.innerText('body')
    const asked = await page.evaluate(
      async (url) => (await fetch(url)).text(),
      apiPage('en.wiki.test', 'Fox')
    )
    await page.goto(apiPage('commons.wiki.test', 'Cat'))
    const other = await page.innerText('body')
    proxy.kill('SIGTERM')
    await proxy.ended
    return [own, asked, other]
  }

  const recorded = await shown('record', ['--cacert', cacert, '--others', 'refuse'])
  expect(recorded).toEqual([
    expect.stringContaining('titles=Box'),
    expect.stringContaining('titles=Fox'),
    expect.stringContaining('{"commons":"Cat"}')
  ])
  const seen = en.seen.length + commons.seen.length
  expect(await shown('replay', [])).toEqual(recorded)
  expect(en.seen.length + commons.seen.length).toBe(seen)
})
