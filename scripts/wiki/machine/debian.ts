/** What the lab takes from Debian: PHP with its extensions, and the MediaWiki packages of three suites. */
import { access, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LabVersion } from '../lab.ts'
import { LabProblem, run } from './command.ts'
import { containerAdvice } from './containers.ts'
import type { Progress } from './progress.ts'

export const suites: Readonly<Record<LabVersion, string>> = {
  '1.35': 'bullseye',
  '1.39': 'bookworm',
  '1.43': 'trixie'
}

const always = [
  ...[
    'php-cli',
    'php-sqlite3',
    'php-mbstring',
    'php-xml',
    'php-intl',
    'php-curl',
    'php-gd'
  ],
  ...['faketime', 'xz-utils']
]

const aptAdvice = 'Run apt-get update, look at its messages, and try again.'

const forMariadb = ['mariadb-server', 'php-mysql']

/** Installs what is missing; on a machine where that cannot be done, says how to get wikis another way. */
export async function preparePhp(
  progress: Progress,
  withMariadb: boolean
): Promise<void> {
  if (!(await isDebian()))
    throw new LabProblem(`This is not Debian.\n${containerAdvice}`, 2)
  const missing = await missingPackages([...always, ...(withMariadb ? forMariadb : [])])
  if (missing.length > 0) {
    if (process.getuid?.() !== 0) {
      const install = `sudo apt-get install ${missing.join(' ')}`
      throw new LabProblem(
        `Packages are missing; run: ${install}\nOr without them:\n${containerAdvice}`,
        2
      )
    }
    progress.say(`installing ${missing.join(' ')}`)
    await installPackages(missing)
  }
  await warnOfUnknownPhp(progress)
}

async function isDebian(): Promise<boolean> {
  return access('/etc/debian_version').then(
    () => true,
    () => false
  )
}

async function missingPackages(needed: readonly string[]): Promise<readonly string[]> {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: these are dpkg's own placeholders
  const format = '${Package} ${db:Status-Status}\n'
  const listed = await run('dpkg-query', ['-W', '-f', format], { advice: aptAdvice })
  const installed = new Set(
    listed
      .split('\n')
      .flatMap((line) =>
        line.endsWith(' installed') ? [line.replace(' installed', '')] : []
      )
  )
  return needed.filter((name) => !installed.has(name))
}

async function installPackages(names: readonly string[]): Promise<void> {
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const install = ['install', '-y', '-qq', '--no-install-recommends', ...names]
  try {
    await run('apt-get', install, { env, advice: aptAdvice })
  } catch {
    // The usual reason is that this machine has no package lists yet.
    await run('apt-get', ['update', '-qq'], {
      env,
      advice: 'Is a Debian mirror reachable? See /etc/apt/sources.list*'
    })
    await run('apt-get', install, { env, advice: aptAdvice })
  }
}

async function warnOfUnknownPhp(progress: Progress): Promise<void> {
  const version = await run('php', ['-r', 'echo PHP_VERSION;'], {
    advice: 'apt-get install php-cli'
  })
  if (!version.startsWith('8.2.')) {
    progress.say(
      `PHP is ${version}: MediaWiki 1.35 and 1.39 are known to run on 8.2 (bookworm) only; 1.43 is fine`
    )
  }
}

/** Unpacks a suite's mediawiki into `folder`/usr/share/mediawiki. */
export async function unpackMediaWiki(
  downloads: string,
  version: LabVersion,
  folder: string
): Promise<void> {
  for (const file of await packageFiles(downloads, version)) {
    await run('dpkg', ['-x', file, folder], { advice: `Delete ${file} and try again.` })
  }
}

/** The .deb files of a version, downloaded once into the lab; a download that broke off leaves no folder. */
async function packageFiles(
  downloads: string,
  version: LabVersion
): Promise<readonly string[]> {
  const folder = join(downloads, 'packages', version)
  const present = await readdir(folder).catch(() => [])
  if (present.length === 0) await download(downloads, version, folder)
  const names = await readdir(folder)
  return names.filter((name) => name.endsWith('.deb')).map((name) => join(folder, name))
}

/** apt reads only this suite's list and keeps its index in the lab: the machine's own sources stay as they are. */
async function download(
  downloads: string,
  version: LabVersion,
  folder: string
): Promise<void> {
  const apt = join(downloads, 'apt', version)
  const partial = `${folder}.part-${process.pid}`
  await mkdir(join(apt, 'lists', 'partial'), { recursive: true })
  await mkdir(partial, { recursive: true })
  const list = join(apt, 'sources.list')
  await writeFile(list, `deb ${await mirror()} ${suites[version]} main\n`)
  const options = [
    ...[
      '-qq',
      '-o',
      `Dir::Etc::sourcelist=${list}`,
      '-o',
      'Dir::Etc::sourceparts=/dev/null'
    ],
    ...['-o', `Dir::State::lists=${join(apt, 'lists')}`, '-o', 'APT::Sandbox::User=root']
  ]
  await run('apt-get', [...options, 'update'], { advice: aptAdvice })
  const names = ['mediawiki', 'mediawiki-classes']
  await run('apt-get', [...options, 'download', ...names], {
    cwd: partial,
    advice: aptAdvice
  })
  await rm(folder, { recursive: true, force: true })
  await rename(partial, folder)
}

/** The mirror that this machine itself uses. */
async function mirror(): Promise<string> {
  const sites = await run('apt-get', ['indextargets', '--format', '$(SITE)'], {
    advice: aptAdvice
  })
  const found = sites.split('\n').find((site) => site.endsWith('/debian'))
  if (found === undefined)
    throw new LabProblem(
      'apt knows no mirror that ends in /debian. See /etc/apt/sources.list*'
    )
  return found
}
