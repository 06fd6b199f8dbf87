/** Programs and threads that a test starts without the environment of its cassette: nothing of theirs reaches the wiki unseen. */
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it, test, vi } from 'vitest'
import { interceptDirectly } from '../../src/integrations/in-process/direct-interceptor.ts'
import {
  type Interceptor,
  refuseOtherRuntimes
} from '../../src/integrations/in-process/interceptors.ts'
import { fakeWiki } from '../helpers/fake-wiki.ts'

const refused = /a program or thread that a test started asked http:\/\/127\.0\.0\.1:\d+/

let inserted: Interceptor | undefined
afterEach(() => {
  inserted?.release()
  vi.unstubAllEnvs()
})

const insert = (api: string): void => {
  inserted = interceptDirectly({
    label: 'the cassette mine',
    origin: new URL(api).origin,
    apiUrl: api,
    answer: async () => [200, Buffer.from('{"recorded":1}'), []],
    warn: () => undefined
  })
}

/** The text of each client, or its error. */
const script = (api: string): string => `
  const http = require('node:http')
  const url = ${JSON.stringify(`${api}?action=query`)}
  const show = (name) => (value) => console.log(name, value?.cause?.message ?? value?.message ?? value)
  fetch(url).then((answer) => answer.text()).then(show('fetch'), show('fetch'))
  http.get(url, (answer) => answer.on('data', show('http'))).on('error', show('http'))
`

/** What a program says on both of its outputs. */
const said = (args: readonly string[], env?: NodeJS.ProcessEnv): Promise<string> =>
  new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (_, out, errors) => resolve(out + errors))
  })

describe('a wiki of an inserted cassette', () => {
  it('is out of reach of a program on Node.js, whose client is told why', async () => {
    const wiki = await fakeWiki()
    insert(wiki.api)
    const own = { ...process.env, MINE: '1' }
    for (const text of [
      await said(['--eval', script(wiki.api)]),
      await said(['--eval', script(wiki.api)], own)
    ]) {
      expect(text).toMatch(new RegExp(`fetch wikitape: ${refused.source}`))
      expect(text).toMatch(new RegExp(`http wikitape: ${refused.source}`))
      expect(text).toContain('cassette.env()')
    }
    const hidden = `fetch('${wiki.api}').catch(() => undefined)`
    expect(spawnSync(process.execPath, ['--eval', hidden]).stderr.toString()).toMatch(
      refused
    )
    expect(wiki.seen).toEqual([])
  })

  it('is out of reach of a worker thread, with an environment of its own or without', async () => {
    const wiki = await fakeWiki()
    insert(wiki.api)
    const asks = `fetch('${wiki.api}').then(() => 'sent', (error) => error.cause.message).then((text) => require('node:worker_threads').parentPort.postMessage(text))`
    for (const options of [{}, { env: { MINE: '1' } }, { execArgv: [] }]) {
      const worker = new Worker(asks, { eval: true, stderr: true, ...options })
      expect(await once(worker, 'message')).toEqual([expect.stringMatching(refused)])
      await worker.terminate()
    }
    expect(wiki.seen).toEqual([])
  })

  it('is in reach again afterwards, and other servers always are', async () => {
    const wiki = await fakeWiki()
    const other = await fakeWiki()
    vi.stubEnv('NODE_OPTIONS', '--no-deprecation')
    insert(wiki.api)
    expect(process.env['NODE_OPTIONS']).toMatch(/^--no-deprecation --require=/)
    expect(await said(['--eval', script(other.api)])).not.toMatch(refused)
    inserted?.release()
    expect(process.env['NODE_OPTIONS']).toBe('--no-deprecation')
    expect(process.env['WIKITAPE_GUARDED']).toBeUndefined()
    expect(await said(['--eval', script(wiki.api)])).not.toMatch(refused)
    expect(wiki.seen).not.toEqual([])
    const worker = new Worker('process.exit(process.execArgv.length)', { eval: true })
    expect(await once(worker, 'exit')).toEqual([process.execArgv.length])
  })
})

test.each(['bun', 'deno'])('%s is refused, with what to run', (name) => {
  const versions = { ...process.versions, [name]: '1.0.0' }
  expect(() => refuseOtherRuntimes(versions)).toThrow(`wikitape exec -- ${name} test`)
})
