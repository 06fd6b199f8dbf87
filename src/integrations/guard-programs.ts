/**
 * Programs and worker threads that a test starts: interception in this process does not see their requests. Those that
 * run on Node.js get a preload that refuses connections to the wikis of the test's cassettes.
 */
import { syncBuiltinESMExports } from 'node:module'
import { fileURLToPath } from 'node:url'
import vm from 'node:vm'
import workerThreads, { type WorkerOptions } from 'node:worker_threads'
import { errorText } from '../recorder/text/error-text.ts'

const preload = fileURLToPath(
  new URL('../../dist/commonjs/refuse-wikis.cjs', import.meta.url)
)
/** In NODE_OPTIONS a path may have spaces in quotes. */
const option = `--require=${JSON.stringify(preload)}`
/** The environment that programs inherit: jest gives its tests a copy of `process`. */
const { env } = vm.runInThisContext('process') as NodeJS.Process

const guardWorker: ProxyHandler<typeof workerThreads.Worker> = {
  construct(target, [script, options = {}]: [string | URL, WorkerOptions?], made) {
    if (env['WIKITAPE_GUARDED'] === undefined)
      return Reflect.construct(target, [script, options], made)
    const { execArgv = process.execArgv, env: own } = options
    const guarded = { WIKITAPE_GUARDED: env['WIKITAPE_GUARDED'] }
    const start = (flags: readonly string[]): object =>
      Reflect.construct(
        target,
        [
          script,
          {
            ...options,
            execArgv: [...flags, `--require=${preload}`],
            ...(typeof own === 'object' ? { env: { ...own, ...guarded } } : {})
          }
        ],
        made
      )
    try {
      return start(execArgv)
    } catch (error) {
      if (options.execArgv) throw error
      // Node.js names the flags that are for the whole process: a thread inherits them in any case.
      const text = errorText(error)
      return start(execArgv.filter((flag) => !text.includes(flag)))
    }
  }
}

// When the package is loaded, since tests keep `Worker` in a name of their own. jest loads it again for each file.
const isGuarded = Symbol.for('wikitape.guarded')
if (!Reflect.has(workerThreads, isGuarded)) {
  workerThreads.Worker = new Proxy(workerThreads.Worker, guardWorker)
  Reflect.set(workerThreads, isGuarded, true)
  syncBuiltinESMExports()
}

/** Replaces what was guarded before. @param origins none to guard nothing */
export function guardPrograms(origins: readonly string[]): void {
  const others = (env['NODE_OPTIONS'] ?? '').replace(option, '').trim()
  const variables = {
    NODE_OPTIONS: origins.length > 0 ? `${others} ${option}`.trim() : others,
    WIKITAPE_GUARDED: origins.join(' ')
  }
  for (const [name, value] of Object.entries(variables))
    if (value === '') delete env[name]
    else env[name] = value
}
