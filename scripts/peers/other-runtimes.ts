/**
 * Bun and Deno: their own tests with a cassette around them, `record` and `replay` run by them, and the import that is refused
 * there, since nothing would be intercepted.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { must, place, quietly, type Sums, Tally } from './project.ts'
import { runBeside, standIn } from './stand-in.ts'

interface Runtime {
  readonly name: string
  readonly test: readonly string[]
  readonly run: readonly string[]
}

const runtimes: readonly Runtime[] = [
  { name: 'bun', test: ['test', './wiki.test.mjs'], run: [] },
  {
    name: 'deno',
    test: ['test', '--allow-all', '--no-check', './wiki.test.mjs'],
    run: ['run', '--allow-all', '--no-check']
  }
]

/** By fetch and by node:http. */
const suite = `import http from 'node:http'
const url = process.env.WIKI + '?action=query&list=allpages&format=json'
const ask = (more) => new Promise((resolve, reject) => {
  http.get(url + more, (answer) => {
    let text = ''
    answer.on('data', (data) => (text += data))
    answer.on('end', () => resolve(text))
  }).on('error', reject)
})
const check = (text) => {
  if (!text.includes('allpages')) throw new Error(text)
}
const tests = {
  fetch: async () => check(await (await fetch(url)).text()),
  http: async () => check(await ask('&apfrom=B'))
}
const test = globalThis.Deno ? Deno.test : (await import('bun:test')).test
for (const [name, run] of Object.entries(tests)) test(name, run)
`
const refusedSuite = `import 'wikitape/testing'\nawait fetch(process.env.WIKI)\n`
const server = `import { startRecording, startReplay } from 'wikitape'
const { WIKI: apiUrl, MODE } = process.env
const serving = MODE === 'record' ? await startRecording({ apiUrl, cassette: 'own' }) : await startReplay({ cassette: 'own' })
const answer = await fetch(serving.apiUrl + '?action=query&list=allpages&format=json')
console.log(answer.headers.get('x-cassette-status'))
await serving.close()
`

export async function runOtherRuntimes(tarball: string): Promise<Sums> {
  const tally = new Tally()
  for (const runtime of runtimes) {
    const folder = projectFor(runtime, tarball)
    const wiki = await standIn()
    const WIKI = wiki.api
    const isDone = { code: 0 }
    const tried = async (
      title: string,
      words: readonly string[],
      expected: { readonly code?: number; readonly text?: RegExp },
      env: Readonly<Record<string, string>> = {}
    ): Promise<void> => {
      const [command = '', ...args] = words
      const { code, text } = await runBeside(folder, command, args, { WIKI, ...env })
      const isRight =
        (expected.code === undefined ? code !== 0 : code === expected.code) &&
        (expected.text?.test(text) ?? true)
      tally.count(`${runtime.name}, ${title}`, isRight, text)
    }
    const program = path.join(folder, 'node_modules/.bin', runtime.name)
    const wikitape = path.join(folder, 'node_modules/.bin/wikitape')
    const tests = ['--intercept', '--cassette', 'mine', '--', program, ...runtime.test]
    const serves = [program, ...runtime.run, 'server.mjs']
    await tried('its tests recorded', [wikitape, 'record', WIKI, ...tests], isDone)
    const recorded = { ...isDone, text: /\brecorded\b/ }
    await tried('a recording server', serves, recorded, { MODE: 'record' })
    const isRefused = { text: new RegExp(`wikitape exec -- ${runtime.name} test`) }
    await tried('interception', [program, ...runtime.run, 'refused.mjs'], isRefused)
    await wiki.close()
    const offline = { CI: 'true' }
    await tried('its tests replayed', [wikitape, 'exec', ...tests], isDone, offline)
    const replayed = { ...isDone, text: /\breplayed\b/ }
    await tried('a replaying server', serves, replayed, { MODE: 'replay', ...offline })
  }
  return tally
}

function projectFor({ name }: Runtime, tarball: string): string {
  const folder = path.join(place, name)
  mkdirSync(folder)
  writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({ name: 'user', private: true, type: 'module' })
  )
  const files = {
    'wiki.test.mjs': suite,
    'refused.mjs': refusedSuite,
    'server.mjs': server
  }
  for (const [file, text] of Object.entries(files))
    writeFileSync(path.join(folder, file), text)
  const version = { bun: 'bun@1', deno: 'deno@2' }[name] ?? name
  must(folder, 'npm', ['install', ...quietly, tarball, version])
  return folder
}
