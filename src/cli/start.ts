#!/usr/bin/env node
/** What `wikitape` runs: it loads the built command line, compiled by an earlier call where that can be believed. */
import { channel } from 'node:diagnostics_channel'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { cacheFolder } from '../store/own-folder.ts'
import { Compiled } from './compiled.ts'

const here = path.dirname(fileURLToPath(import.meta.url))
const require: NodeJS.Require = createRequire(import.meta.url)
const main = './part-main.cjs'
/** Milliseconds after the first answer, in which further ones may have come. */
const afterAnswer = 500

/** Node.js that can require ES modules, as some of the packages are: the built command line is CommonJS. */
if (process.features.require_module !== true) void import('./main.ts')
else startCompiled()

function startCompiled(): void {
  const { env } = process
  const isOff = [env['NODE_DISABLE_COMPILE_CACHE'], env['NODE_V8_COVERAGE']].some(Boolean)
  const compiled = new Compiled(isOff ? undefined : cacheFolder(env))
  const parts = new Map<string, { exports: unknown }>()
  const load = (name: string): unknown => {
    if (!name.startsWith('./')) return require(name)
    const known = parts.get(name)
    if (known !== undefined) return known.exports
    const part = { exports: {} }
    parts.set(name, part)
    const file = path.join(here, name)
    compiled.script(file).runInThisContext()(part.exports, load, part, file, here)
    return part.exports
  }
  load(main)
  keepLater(compiled)
}

/** Once a server has answered, since an answer compiles what it needs; else when the process ends. */
function keepLater(compiled: Compiled): void {
  const answers = channel('http.server.response.finish')
  let hasAnswered = false
  const answered = (): void => {
    hasAnswered = true
    answers.unsubscribe(answered)
    setTimeout(() => compiled.keep(true), afterAnswer).unref()
  }
  answers.subscribe(answered)
  process.once('exit', () => compiled.keep(hasAnswered))
}
