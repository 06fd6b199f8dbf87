/** Checks of this machine: Node.js, packages that wikitape works with, a port, the cassettes. */
import { existsSync, readdirSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { CassetteStore } from '../../store/cassette-store.ts'
import { commandName } from '../../store/command-name.ts'
import { StoreError } from '../../store/store-error.ts'
import { plural } from '../../text/plural.ts'
import { versionIn } from '../package-version.ts'
import { type DoctorFinding, fine, warning, wrong } from './doctor-finding.ts'

/** The oldest Node.js, as in package.json. */
const minNode: readonly [number, number] = [20, 19]

export function checkNode(version: string): DoctorFinding {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  const enough = major > minNode[0] || (major === minNode[0] && minor >= minNode[1])
  return enough
    ? fine('Node.js', version)
    : wrong('Node.js', `${version} is too old`, `install Node.js ${minNode.join('.')} or newer`)
}

/** Packages that wikitape works with: from major version `newer` on they need Node.js `node`. */
const companionPackages = [
  { name: 'nock', newer: 15, node: 22 },
  { name: 'vitest', newer: 5, node: 22 },
]

/** @param dir of the project. @param node the version that runs, such as `v20.19.0` */
export function checkCompanions(dir: string, node: string): readonly DoctorFinding[] {
  return companionPackages.flatMap(({ name, newer, node: needed }) => {
    const version = versionIn(path.join(dir, 'node_modules', name, 'package.json'))
    if (version === undefined) return []
    const isTooNew = Number.parseInt(version, 10) >= newer && Number.parseInt(node.slice(1), 10) < needed
    const fault = `${version} needs Node.js ${needed}, and this is ${node}`
    return [
      isTooNew ? wrong(name, fault, `npm install --save-dev ${name}@${newer - 1}`) : fine(name, version),
    ]
  })
}

export function checkPort(port: number): Promise<DoctorFinding> {
  return new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      const fault = code === 'EADDRINUSE' ? 'something listens there already' : `cannot be used: ${code}`
      resolve(warning(`port ${port}`, fault, 'stop it, or serve with --port N (0 takes any free one)'))
    })
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(fine(`port ${port}`, 'free'))))
  })
}

/** Opens each cassette of a folder; `wikitape check` reads its files. */
export function checkCassettes(dir: string): readonly DoctorFinding[] {
  if (!existsSync(dir)) return [fine('cassettes', `none under ${dir}/ yet`)]
  return readdirSync(dir, { withFileTypes: true })
    .filter((one) => one.isDirectory() && existsSync(path.join(dir, one.name, 'cassette.json')))
    .map((one) => checkCassette(path.join(dir, one.name)))
}

function checkCassette(dir: string): DoctorFinding {
  try {
    const { size, manifest } = CassetteStore.open(dir)
    return fine(dir, `${plural(size, 'interaction')} of ${manifest.upstream}`)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return wrong(dir, error.message, `${commandName} check ${dir} names every file that is damaged`)
  }
}
