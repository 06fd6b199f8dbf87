/** The packed package, and what installs and runs it in projects of their own. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root: string = fileURLToPath(new URL('../..', import.meta.url))
/** Where the projects are made, and other versions of Node.js installed; whoever imports this removes it at its end. */
export const place: string = mkdtempSync(path.join(tmpdir(), 'wikitape-peers-'))

/** Runs a program to its end, as a user's shell with CI=true would. */
export function run(
  cwd: string,
  command: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {}
): { readonly code: number; readonly text: string } {
  // What this was started with must not reach the projects: npm's variables name this project's own folders.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(?:npm_(?!config_)|NODE_OPTIONS$|WIKITAPE_|VCR_|VITEST)/.test(name)
    )
  )
  const done = spawnSync(command, args, {
    cwd,
    env: { ...env, CI: 'true', ...more },
    encoding: 'utf8',
    timeout: 900_000
  })
  return {
    code: done.status ?? 1,
    text: `${done.stdout ?? ''}${done.stderr ?? ''}${done.error?.message ?? ''}`
  }
}

/** The same for what has to succeed. @throws Error with what it printed */
export function must(cwd: string, command: string, args: readonly string[]): string {
  const { code, text } = run(cwd, command, args)
  if (code !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${text}`)
  return text
}

/** Flags of an npm that installs. */
export const quietly: readonly string[] = ['--no-audit', '--no-fund', '--loglevel=error']

/** The file that a user would install. */
export function pack(): string {
  const told = must(root, 'npm', [
    'pack',
    '--ignore-scripts',
    '--silent',
    '--pack-destination',
    place
  ])
  return path.join(place, told.trim().split('\n').at(-1) ?? '')
}

/**
 * Versions of Node.js, below this folder. Those in the folder that WIKITAPE_NODES names stay there, for the next script of
 * a run that wants them.
 */
const nodes = process.env['WIKITAPE_NODES'] ?? path.join(place, 'nodes')

/** The folder of the programs of that version. */
export const nodeFolder = (version: string): string =>
  path.join(nodes, version, 'node_modules/node/bin')

/** Installs a version, the npm package `node`, unless it is there. @returns the folder of its programs */
export function installNode(version: string): string {
  const folder = path.join(nodes, version)
  if (existsSync(folder)) return nodeFolder(version)
  // What is there is whole: another script may look at the same time.
  const partial = `${folder}.part-${process.pid}`
  mkdirSync(partial, { recursive: true })
  // Some tests start Node.js as another user.
  for (const one of [place, nodes]) chmodSync(one, 0o755)
  must(partial, 'npm', ['install', `--prefix=${partial}`, ...quietly, `node@${version}`])
  if (existsSync(folder)) rmSync(partial, { recursive: true })
  else renameSync(partial, folder)
  return nodeFolder(version)
}

export interface Sums {
  readonly passed: number
  readonly failed: number
}

/** Counts what went well and what did not, and says which. */
export class Tally implements Sums {
  passed = 0
  failed = 0

  /** @param text what was printed, told where it did not go well */
  count(name: string, went: boolean, text: string): void {
    console.log(`${name}: ${went ? 'passed' : 'FAILED'}`)
    if (!went) console.error(text)
    this.passed += Number(went)
    this.failed += Number(!went)
  }
}

/**
 * Adds up what `work` reports, removes `place`, prints the sums as the last line, and sets the exit code. An error that
 * ends the work is a failure more.
 */
export async function reportSums(
  work: (add: (sums: Sums) => void) => Promise<void>
): Promise<void> {
  let passed = 0
  let failed = 0
  try {
    await work((sums) => {
      passed += sums.passed
      failed += sums.failed
    })
  } catch (error) {
    failed += 1
    console.error(error instanceof Error ? error.message : error)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}
