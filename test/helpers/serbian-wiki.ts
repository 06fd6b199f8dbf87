/** A wiki of the lab served once more, its content in Serbian: a language of two scripts, so that titles have variants. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { type LabVersion, labPortBase, wikiAnswering } from '../../scripts/wiki/lab.ts'
import { labOf, wikiPlace } from '../../scripts/wiki/machine/place.ts'

export interface SerbianWiki {
  readonly url: string
  readonly stop: () => void
}

/** @param folder for its settings and caches; the lab's own stay as they are */
export async function startSerbianWiki(version: LabVersion, folder: string): Promise<SerbianWiki> {
  const { web, install } = wikiPlace(labOf('natural', labPortBase(), process.env), version)
  const settings = path.join(folder, 'SerbianSettings.php')
  const cache = JSON.stringify(folder)
  const lines = [
    '<?php',
    `require ${JSON.stringify(path.join(install, 'LocalSettings.php'))};`,
    `$wgLanguageCode = 'sr'; $wgCacheDirectory = ${cache};`,
  ]
  writeFileSync(settings, lines.join('\n'))
  const before = path.join(folder, 'before.php')
  writeFileSync(before, `<?php define('MW_CONFIG_FILE', ${JSON.stringify(settings)});`)
  const port = await freePort()
  const server = spawn(
    'php',
    ['-d', 'opcache.enable_cli=1', '-d', `auto_prepend_file=${before}`, '-S', `127.0.0.1:${port}`, '-t', web],
    { stdio: 'ignore', env: { ...process.env, WIKITAPE_LAB_SERVER: `http://127.0.0.1:${port}` } },
  )
  const url = `http://127.0.0.1:${port}/w/api.php`
  for (let tries = 0; tries < 100 && server.exitCode === null; tries += 1) {
    if ((await wikiAnswering(url, 20_000)) !== undefined) return { url, stop: () => void server.kill() }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  server.kill()
  throw new Error(`MediaWiki ${version} in Serbian does not answer; is the lab built? npm run wiki -- up`)
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}
