/**
 * The root folder of one stage of an image, made of this machine's own programs in place of the base image: /usr with
 * what is written into it kept apart, /etc, and nothing else of this machine. Needs a mount namespace of its own, as root.
 */
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { must, nodeFolder, run } from '../peers/project.ts'
import { type Stage, wordsOf } from './dockerfile.ts'

export interface Built {
  readonly root: string
  readonly user: string
  readonly folder: string
  readonly health: readonly string[]
  readonly entry: readonly string[]
  readonly command: readonly string[]
}

/** @param node the version of Node.js, installed, that stands at /usr/local/bin as in the base */
function makeRoot(root: string, node: string): void {
  const kept = `${root}.usr`
  for (const name of ['usr', 'etc', 'proc', 'dev', 'tmp', 'root', 'opt'])
    mkdirSync(path.join(root, name), { recursive: true })
  for (const name of ['upper/local/bin', 'work'])
    mkdirSync(path.join(kept, name), { recursive: true })
  cpSync(path.join(nodeFolder(node), 'node'), path.join(kept, 'upper/local/bin/node'))
  for (const name of ['bin', 'sbin', 'lib', 'lib64'])
    symlinkSync(`usr/${name}`, path.join(root, name))
  const layers = `lowerdir=/usr,upperdir=${kept}/upper,workdir=${kept}/work`
  mount('-t', 'overlay', 'overlay', '-o', layers, path.join(root, 'usr'))
  mount('--bind', '-o', 'ro', '/etc', path.join(root, 'etc'))
  // One by one: whatever removes this folder must not find the devices of this machine in it.
  for (const name of ['null', 'zero', 'random', 'urandom']) {
    writeFileSync(path.join(root, 'dev', name), '')
    mount('--bind', `/dev/${name}`, path.join(root, 'dev', name))
  }
  mount('-t', 'proc', 'proc', path.join(root, 'proc'))
  // How npm reaches the registry from here.
  const settings = path.join(homedir(), '.npmrc')
  if (existsSync(settings)) cpSync(settings, path.join(root, 'root/.npmrc'))
}

export const mount = (...args: readonly string[]): string => must('/', 'mount', args)

/** Runs the steps. @param context the folder that a build gets @throws Error with what a step printed */
export function buildStage(
  stage: Stage,
  root: string,
  node: string,
  context: string,
  earlier: ReadonlyMap<string, string>
): Built {
  makeRoot(root, node)
  let built: Built = {
    ...{ root, user: '0:0', folder: '/' },
    ...{ health: [], entry: [], command: [] }
  }
  for (const { word, rest } of stage.steps) {
    const [first = ''] = rest.split(' ')
    if (word === 'RUN') shell(built, rest)
    else if (word === 'COPY') copy(built, rest.split(' '), context, earlier)
    else if (word === 'USER') built = { ...built, user: first }
    else if (word === 'WORKDIR') {
      mkdirSync(path.join(root, first), { recursive: true })
      built = { ...built, folder: first }
    } else if (word === 'HEALTHCHECK')
      built = { ...built, health: wordsOf(rest.slice(rest.indexOf('['))) }
    else if (word === 'ENTRYPOINT') built = { ...built, entry: wordsOf(rest) }
    else if (word === 'CMD') built = { ...built, command: wordsOf(rest) }
    else if (!['FROM', 'EXPOSE'].includes(word))
      throw new Error(`the Dockerfile has ${word}, which this script does not know`)
  }
  return built
}

function shell({ root, folder, user }: Built, line: string): void {
  const inside = `cd ${folder} && ${line}`
  const args = ['chroot', `--userspec=${user}`, root, '/bin/sh', '-e', '-c', inside]
  const { code, text } = run(root, 'env', [
    'PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin',
    ...args
  ])
  if (code !== 0) throw new Error(`RUN ${line}: ended with ${code}:\n${text}`)
}

function copy(
  { root, folder }: Built,
  words: readonly string[],
  context: string,
  earlier: ReadonlyMap<string, string>
): void {
  const stage = words.find((word) => word.startsWith('--from='))?.slice(7)
  const from = stage === undefined ? context : (earlier.get(stage) ?? '')
  const places = words.filter((word) => !word.startsWith('--'))
  const target = path.join(root, path.resolve(folder, places.at(-1) ?? ''))
  for (const place of places.slice(0, -1)) {
    const source = path.join(from, place)
    // A folder gives what it holds, a file stays in the folder that is named.
    const isWhole = stage !== undefined || place === '.'
    cpSync(source, isWhole ? target : path.join(target, place), {
      recursive: true,
      verbatimSymlinks: true
    })
  }
}
