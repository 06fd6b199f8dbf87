/** A project of its own that has wikitape as built for a dependency and runs vitest, and what became of its tests. */
import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../../helpers/folders.ts'

const repository = fileURLToPath(new URL('../../..', import.meta.url))

export interface TestResult {
  readonly status: string
  /** Each error's text, the first one first. */
  readonly errors: readonly string[]
}

export interface Ran {
  /** By title, `describe` names before it. */
  readonly tests: Readonly<Record<string, TestResult>>
  /** What went wrong outside of any test, by file. */
  readonly files: Readonly<Record<string, string>>
  readonly stderr: string
  readonly code: number
}

export interface Project {
  readonly folder: string
  readonly cassettes: string
  write(files: Readonly<Record<string, string>>): void
  run(env?: Readonly<Record<string, string>>, args?: readonly string[]): Promise<Ran>
}

/** @param config more of vitest's configuration, as source */
export function project(config = ''): Project {
  const folder = temporaryFolder()
  const modules = path.join(folder, 'node_modules')
  mkdirSync(modules)
  for (const name of ['vitest', 'nock'])
    symlinkSync(path.join(repository, 'node_modules', name), path.join(modules, name))
  symlinkSync(repository, path.join(modules, 'wikitape'))
  const write = (files: Readonly<Record<string, string>>): void => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
      writeFileSync(path.join(folder, name), text)
    }
  }
  // A linked package is no dependency in vitest's eyes, and would be transformed like a test.
  const linked = 'server: { deps: { external: [/\\/dist\\//] } }'
  write({
    'package.json': '{"type":"module"}',
    'vitest.config.ts': `export default { test: { testTimeout: 300000, maxWorkers: 2, ${linked}, ${config} } }`
  })
  return {
    folder,
    cassettes: path.join(folder, 'cassettes'),
    write,
    run: (env, args) => run(folder, env, args)
  }
}

/** A process that runs vitest in whatever project it is told; it ends with the one that began it, and keeps nobody waiting. */
class Host {
  readonly #child: ChildProcess
  #stderr = ''

  constructor() {
    const { CI: _ci, VITEST: _vitest, NODE_OPTIONS: _options, ...inherited } = process.env
    this.#child = fork(fileURLToPath(new URL('nested-host.mjs', import.meta.url)), {
      env: { ...inherited, WIKITAPE_MODE: '', VCR_MODE: '' },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc']
    })
    this.#child.stderr?.setEncoding('utf8').on('data', (part: string) => {
      this.#stderr += part
    })
    this.#child.unref()
    this.#child.channel?.unref()
  }

  /** One run at a time. */
  async run(
    folder: string,
    env: Readonly<Record<string, string>>,
    args: readonly string[]
  ): Promise<Pick<Ran, 'code' | 'stderr'>> {
    const end = `-- ${randomUUID()}\n`
    this.#stderr = ''
    this.#child.send({ folder, env, args, end })
    const [code] = (await once(this.#child, 'message')) as [number]
    while (!this.#stderr.includes(end))
      await once(this.#child.stderr ?? this.#child, 'data')
    return { code, stderr: this.#stderr.slice(0, this.#stderr.indexOf(end)) }
  }
}

/** Files of tests that share a process share it. */
let host: Host | undefined

async function run(
  folder: string,
  env: Readonly<Record<string, string>> = {},
  args: readonly string[] = []
): Promise<Ran> {
  const output = path.join(folder, 'results.json')
  host ??= new Host()
  const ran = await host.run(folder, env, [
    '--reporter=json',
    `--outputFile=${output}`,
    ...args
  ])
  return { ...resultsOf(readFileSync(output, 'utf8'), folder), ...ran }
}

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[] | null
    }[]
  }[]
}

function resultsOf(text: string, folder: string): Pick<Ran, 'tests' | 'files'> {
  const { testResults } = JSON.parse(text) as Report
  const tests = testResults.flatMap((file) =>
    file.assertionResults.map(
      (one) =>
        [
          one.fullName.trim(),
          { status: one.status, errors: one.failureMessages ?? [] }
        ] as const
    )
  )
  const files = testResults.map(
    (file) => [path.relative(folder, file.name), file.message] as const
  )
  return { tests: Object.fromEntries(tests), files: Object.fromEntries(files) }
}
