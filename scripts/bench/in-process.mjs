/**
 * One suite in this process: `testing | nock | mocks COUNT CASSETTE`. Prints the milliseconds from inserting the cassette, or
 * from making a mock for each request, to the last of COUNT different answers by `fetch`, one after another.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const [kind, cassette, answers] = process.argv.slice(2)
const origin = 'http://wiki.example'
const names = readdirSync(answers).filter((name) => !name.includes('-1'))
const targetOf = (name) => `/w/api.php?action=query&list=allpages&apfrom=${name}&format=json`
const options = { root: path.dirname(cassette), apiUrl: `${origin}/w/api.php`, moved: true, mode: 'none' }

async function ask() {
  for (const name of names) {
    const reply = await fetch(origin + targetOf(name))
    await reply.arrayBuffer()
    if (kind !== 'mocks' && reply.headers.get('x-cassette-status') !== 'replayed') throw new Error(name)
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
}

const began = performance.now()
await suites[kind]()
console.log(performance.now() - began)
