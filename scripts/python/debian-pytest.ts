/** The pytest of a release of Debian, whichever release this machine has: its packages, unpacked into a folder. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { must, place } from '../peers/project.ts'

export interface Release {
  readonly name: string
  readonly pytest: string
  /** pytest, and what it needs; all are written in Python alone. */
  readonly packages: readonly string[]
}

const always = ['pytest', 'pluggy', 'iniconfig', 'packaging']

export const releases: readonly Release[] = [
  { name: 'bookworm', pytest: '7.2', packages: [...always, 'attr'] },
  { name: 'trixie', pytest: '8.3', packages: always }
]

/** Lists of a release's packages in a folder of their own: those of the system stay as they are. */
function aptOptions(release: string): readonly string[] {
  const folder = path.join(place, `apt-${release}`)
  for (const name of ['lists/partial', 'cache/archives/partial', 'sources'])
    mkdirSync(path.join(folder, name), { recursive: true })
  const source = `Types: deb
URIs: ${debianAddress()}
Suites: ${release}
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
`
  writeFileSync(path.join(folder, 'sources/debian.sources'), source)
  const settings = {
    'Dir::State::lists': path.join(folder, 'lists'),
    'Dir::State::status': '/dev/null',
    'Dir::Cache': path.join(folder, 'cache'),
    'Dir::Etc::sourcelist': '/dev/null',
    'Dir::Etc::sourceparts': path.join(folder, 'sources'),
    // No other user may read a folder of root's.
    'APT::Sandbox::User': 'root'
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
}

/** Where this machine has its own packages from, in either form of apt's settings. */
function debianAddress(): string {
  const settings = '/etc/apt'
  const more = path.join(settings, 'sources.list.d')
  const files = readdirSync(more).map((name) => path.join(more, name))
  files.push(path.join(settings, 'sources.list'))
  for (const file of files) {
    const text = read(file)
    const found = /^(?:URIs:|deb(?: \[[^\]]*\])?)\s+(\S+\/debian)\/?(?:\s|$)/m.exec(text)
    if (found?.[1] !== undefined) return found[1]
  }
  return 'http://deb.debian.org/debian'
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** @returns the folder of its modules */
export function unpackPytest(release: Release): string {
  const options = aptOptions(release.name)
  const folder = path.join(place, `debs-${release.name}`)
  mkdirSync(folder)
  must(folder, 'apt-get', [...options, '-qq', 'update'])
  const names = release.packages.map((name) => `python3-${name}`)
  must(folder, 'apt-get', [...options, '-qq', 'download', ...names])
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.deb')))
    must(folder, 'dpkg-deb', ['-x', file, 'unpacked'])
  return path.join(folder, 'unpacked/usr/lib/python3/dist-packages')
}
