/** A wiki of the lab served once more, its content in Serbian: a language of two scripts, so that titles have variants. */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { type LabVersion, labPortBase, wikiAnswering } from '../../scripts/wiki/lab.ts'
import { labOf, wikiPlace } from '../../scripts/wiki/machine/place.ts'
import { deadOrigin } from './upstreams.ts'

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
  // Where nothing listens, this wiki can.
  const origin = await deadOrigin()
  const server = spawn(
    'php',
    [
      '-d',
      'opcache.enable_cli=1',
      '-d',
      `auto_prepend_file=${before}`,
      '-S',
      new URL(origin).host,
      '-t',
      web,
    ],
    { stdio: 'ignore', env: { ...process.env, WIKITAPE_LAB_SERVER: origin } },
  )
  const url = `${origin}/w/api.php`
  for (let tries = 0; tries < 100 && server.exitCode === null; tries += 1) {
    if ((await wikiAnswering(url)) !== undefined) return { url, stop: () => void server.kill() }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  server.kill()
  throw new Error(
    `MediaWiki ${version} in Serbian does not answer; is the lab built? npm run wiki -- up`,
  )
}
