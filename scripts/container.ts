/**
 * `npm run test:container`: the steps of the Dockerfile, where no base image can be had: they run in a root folder of this
 * machine's own programs, and what comes of them is started as a container would be. Needs root, the namespaces and
 * the overlay file system of Linux, `ip`, and the npm registry.
 */
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { contextFilter, stagesOf } from './container/dockerfile.ts'
import { type Built, buildStage } from './container/image-root.ts'
import { type Container, startContainer, type Volume } from './container/run-image.ts'
import { installNode, must, place, reportSums, root, Tally } from './peers/project.ts'
import { standIn } from './peers/stand-in.ts'

const text = readFileSync(path.join(root, 'Dockerfile'), 'utf8')
/** Files of a developer that no image may have. */
const secrets = ['.env', '.npmrc', 'scripts/.env.local', 'docs/key.pem', 'test/x.ts']

/** A clone as a developer has it, with those files, as a build gets it. */
function makeContext(): string {
  const reaches = contextFilter(readFileSync(path.join(root, '.dockerignore'), 'utf8'))
  const files = must(root, 'git', ['ls-files', '-z'])
    .split('\0')
    .filter((file) => file !== '')
  const folder = path.join(place, 'context')
  for (const file of files.filter(reaches))
    cpSync(path.join(root, file), path.join(folder, file))
  for (const file of secrets.filter(reaches))
    cpSync(path.join(root, 'LICENSE'), path.join(folder, file))
  return folder
}

function build(tally: Tally): Built {
  const version = /NODE_IMAGE=node:(\d+)-/.exec(text)?.[1] ?? ''
  installNode(version)
  const context = makeContext()
  const roots = new Map<string, string>()
  let built: Built | undefined
  for (const stage of stagesOf(text)) {
    const folder = path.join(place, `stage-${stage.name}`)
    built = buildStage(stage, folder, version, context, roots)
    roots.set(stage.name, folder)
  }
  if (built === undefined) throw new Error('the Dockerfile has no stage')
  tally.count('the steps of the Dockerfile', true, '')
  const source = path.join(roots.get('packed') ?? '', 'src')
  const there = secrets.filter((file) => existsSync(path.join(source, file)))
  tally.count(
    'no secret of whoever builds reaches the build',
    there.length === 0,
    there.join()
  )
  const differing = differsFromLockfile(path.join(built.root, 'opt/wikitape'))
  tally.count(
    'what is installed is the lockfile, without what develops',
    differing === '',
    differing
  )
  return built
}

interface Locked {
  readonly packages: Readonly<
    Record<string, { version: string; dev?: true; peer?: true }>
  >
}

/** @returns the packages that are there in place of others, one a line */
function differsFromLockfile(folder: string): string {
  const read = (name: string): Locked =>
    JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Locked
  const versions = ({ packages }: Locked): readonly string[] =>
    Object.entries(packages)
      .filter(([name, { dev, peer }]) => name !== '' && dev !== true && peer !== true)
      .map(([name, { version }]) => `${name} ${version}`)
  const wanted = versions(read('package-lock.json'))
  const found = versions(read('node_modules/.package-lock.json'))
  const differing = [
    ...wanted.filter((one) => !found.includes(one)),
    ...found.filter((one) => !wanted.includes(one))
  ]
  return wanted.length === 0 ? 'the lockfile names nothing' : differing.join('\n')
}

/** Waits for the health check, as who starts the container does. */
async function isHealthy(container: Container, built: Built): Promise<string> {
  for (let tries = 0; tries < 50; tries++) {
    if (container.exec(built.health).code === 0) return ''
    await sleep(200)
  }
  return container.exec(built.health).text || 'the health check never went well'
}

async function ends(
  tally: Tally,
  container: Container,
  signal: NodeJS.Signals,
  name: string
): Promise<void> {
  const { code, seconds, text: said } = await container.stop(signal)
  const label = `${name}: ${signal} ends it in ${seconds.toFixed(1)} s with ${code}`
  tally.count(label, code === 0 && seconds < 4, said)
}

/** As any user, with a root and a cassette that nobody may write to. */
async function replays(tally: Tally, built: Built): Promise<void> {
  const ask = `fetch('http://127.0.0.1:4050/w/api.php?action=query&list=allpages&apfrom=B&format=json').then(async (answer) => console.log(await answer.text()))`
  const volume: Volume = {
    from: path.join(root, 'cassettes/ru-1.43'),
    to: '/work/cassettes/mine',
    mode: 'ro'
  }
  for (const [user, signal] of [
    ['4321:4321', 'SIGTERM'],
    [built.user, 'SIGINT']
  ] as const) {
    const name = `replay as ${user}`
    const container = await startContainer(built, { user, volume })
    const why = await isHealthy(container, built)
    tally.count(`${name}: healthy`, why === '', why)
    const { text: answer } = container.exec(['node', '-e', ask])
    tally.count(`${name}: answers`, answer.includes('"allpages"'), answer)
    const written = container.exec([
      '/bin/sh',
      '-c',
      'echo x >/work/cassettes/mine/x || echo x >/x'
    ])
    tally.count(`${name}: nothing can be written`, written.code !== 0, written.text)
    await ends(tally, container, signal, name)
  }
}

/** Into a folder of that user's, on a port of its own, which the health check asks, too. */
async function records(tally: Tally, built: Built): Promise<void> {
  const user = 4321
  const folder = path.join(place, 'recorded')
  mkdirSync(folder)
  chownSync(folder, user, user)
  const wiki = await standIn()
  const volume: Volume = { from: folder, to: '/work/cassettes', mode: 'rw' }
  const port = '4093'
  const container = await startContainer(
    built,
    { user: `${user}:${user}`, volume, network: 'host' },
    ['record', wiki.api, '--cassette', 'cassettes/new', '--port', port]
  )
  const why = await isHealthy(container, built)
  tally.count('record on another port: healthy', why === '', why)
  await (
    await fetch(
      `http://127.0.0.1:${port}/w/api.php?action=query&list=allpages&format=json`
    )
  ).text()
  await ends(tally, container, 'SIGTERM', 'record')
  await wiki.close()
  const { uid } = statSync(path.join(folder, 'new/cassette.json'))
  tally.count('record: the cassette is of that user', uid === user, `${uid}`)
}

/** With no server on its port the health check fails. */
async function isUnhealthy(tally: Tally, built: Built): Promise<void> {
  const volume: Volume = {
    from: path.join(root, 'cassettes'),
    to: '/work/cassettes',
    mode: 'ro'
  }
  const sleeping = { ...built, entry: ['/bin/sleep'] }
  const container = await startContainer(sleeping, { volume }, ['600'])
  const { code } = container.exec(built.health)
  tally.count('without a server: not healthy', code === 1, `ended with ${code}`)
  await container.stop('SIGKILL')
}

await reportSums(async (add) => {
  const tally = new Tally()
  try {
    const built = build(tally)
    await isUnhealthy(tally, built)
    await replays(tally, built)
    await records(tally, built)
  } finally {
    add(tally)
    // Mounted folders cannot be removed.
    for (const line of readFileSync('/proc/self/mounts', 'utf8').split('\n').reverse()) {
      const [, folder = ''] = line.split(' ')
      if (folder.startsWith(place)) must('/', 'umount', ['--lazy', folder])
    }
  }
})
