/** Runs an image as `docker run --read-only --user … --volume …` would: process 1 of its own, nothing writable, few rights. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Built } from './image-root.ts'

export interface Volume {
  readonly from: string
  readonly to: string
  readonly mode: 'ro' | 'rw'
}

export interface RunOptions {
  readonly user?: string
  readonly volume: Volume
  /** Without: only the loopback of its own. */
  readonly network?: 'host'
}

export interface Ended {
  readonly code: number | null
  readonly seconds: number
  readonly text: string
}

export interface Container {
  /** A command beside the first one. @returns its exit code and what it printed */
  readonly exec: (words: readonly string[]) => { code: number | null; text: string }
  readonly stop: (signal: NodeJS.Signals) => Promise<Ended>
}

const setUp = `set -e
ip link set lo up
mount --rbind "$ROOT" "$ROOT"
mount -t proc proc "$ROOT/proc"
mount --bind "$FROM" "$ROOT$TO"
mount -o "remount,bind,$MODE" "$ROOT$TO"
mount -o remount,bind,ro "$ROOT"
mount -o remount,bind,ro "$ROOT/usr"
exec chroot --userspec="$IDS" --groups= "$ROOT" /bin/sh -c 'cd "$0" && exec "$@"' "$FOLDER" "$@"
`

/** What is left of the environment, beside what the image says. */
const env = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', HOME: '/' }

/** @param args in place of CMD */
export async function startContainer(
  built: Built,
  { user = built.user, volume, network }: RunOptions,
  args: readonly string[] = built.command
): Promise<Container> {
  mkdirSync(path.join(built.root, volume.to), { recursive: true })
  const spaces = ['--mount', '--pid', '--fork', '--kill-child']
  if (network === undefined) spaces.push('--net')
  const words = ['/bin/sh', '-c', setUp, 'sh', ...built.entry, ...args]
  const child = spawn('unshare', [...spaces, ...words], {
    env: {
      ...{ ...env, ROOT: built.root, FOLDER: built.folder, IDS: user },
      ...{ FROM: volume.from, TO: volume.to, MODE: volume.mode }
    },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      text += data.toString('utf8')
    })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const pid = await firstProcess(child.pid ?? 0)
  return {
    exec: ([command = '', ...rest]) => {
      const into = ['--target', `${pid}`, '--mount', '--net', '--pid', '--', 'chroot']
      const all = [...into, `--userspec=${user}`, built.root, command, ...rest]
      const done = spawnSync('nsenter', all, { env, encoding: 'utf8', timeout: 60_000 })
      return { code: done.status, text: `${done.stdout}${done.stderr}` }
    },
    stop: async (signal) => {
      const from = performance.now()
      process.kill(pid, signal)
      const late = sleep(15_000, 'late' as const, { ref: false })
      const code = await Promise.race([ended, late])
      if (code === 'late') child.kill('SIGKILL')
      const seconds = (performance.now() - from) / 1000
      return { code: code === 'late' ? null : code, seconds, text }
    }
  }
}

/** The process that `unshare` has begun, which is process 1 in there. */
async function firstProcess(parent: number): Promise<number> {
  for (let tries = 0; tries < 200; tries++) {
    const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8')
    if (children.trim() !== '') return Number(children.trim())
    await sleep(20)
  }
  throw new Error('the container did not start')
}
