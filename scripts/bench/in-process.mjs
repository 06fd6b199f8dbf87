/**
 * One suite in this process: `testing | nock | mocks | msw CASSETTE ANSWERS [FOLDER]`. Prints the milliseconds, and those of processor time, from inserting
 * the cassette, or from making mocks, to the last of the different answers by `fetch`, one after another. msw is that of FOLDER.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const [kind, cassette, answers, folder = '.'] = process.argv.slice(2)
const origin = 'http://wiki.example'
const names = readdirSync(answers).filter((name) => !name.includes('-1'))
const targetOf = (name) => `/w/api.php?action=query&list=allpages&apfrom=${name}&format=json`
const options = {
  root: path.dirname(cassette),
  apiUrl: `${origin}/w/api.php`,
  moved: true,
  mode: 'none',
}

async function ask() {
  for (const name of names) {
    const reply = await fetch(origin + targetOf(name))
    await reply.arrayBuffer()
    if (/testing|nock/.test(kind) && reply.headers.get('x-cassette-status') !== 'replayed')
      throw new Error(name)
  }
}

const suites = {
  async testing() {
    const { withCassette } = await import('../../dist/integrations/testing/with-cassette.js')
    await withCassette({ ...options, name: path.basename(cassette), unused: 'ignore' }, ask)()
  },
  async nock() {
    const { insertCassette } = await import('../../dist/integrations/nock/insert-cassette.js')
    const inserted = insertCassette(path.basename(cassette), { ...options, quiet: true })
    await ask()
    await inserted.close()
  },
  async mocks() {
    const { default: nock } = await import('nock')
    for (const name of names) {
      const body = readFileSync(path.join(answers, name))
      nock(origin).get(targetOf(name)).reply(200, body, { 'content-type': 'application/json' })
    }
    await ask()
  },
  async msw() {
    const { resolve } = createRequire(path.resolve(folder, 'package.json'))
    const [{ http, HttpResponse }, { setupServer }] = await Promise.all(
      ['msw', 'msw/node'].map((name) => import(resolve(name))),
    )
    const bodies = new Map(
      names.map((name) => [targetOf(name), readFileSync(path.join(answers, name))]),
    )
    const headers = { 'content-type': 'application/json' }
    const answer = ({ request }) =>
      HttpResponse.arrayBuffer(bodies.get(request.url.slice(origin.length)), { headers })
    const server = setupServer(http.get(`${origin}/w/api.php`, answer))
    server.listen({ onUnhandledRequest: 'error' })
    await ask()
    server.close()
  },
}

const [began, used] = [performance.now(), process.cpuUsage()]
await suites[kind]()
const ms = performance.now() - began
const { user, system } = process.cpuUsage(used)
console.log(ms, (user + system) / 1000)
