/** A wiki without latency for measurements: COUNT made answers from FROM on, ready in a Map, and what it says of itself. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { bundledModule } from '../../src/recorder/wiki/modules/module-descriptions.ts'
import { madeAnswer, madeQuery } from './cassette.ts'

const [from = 0, count = 0] = process.argv.slice(2).map(Number)
const answers = new Map<string, Buffer>()
for (let index = from; index < from + count; index += 1)
  answers.set(`/w/api.php?${madeQuery(index)}`, Buffer.from(madeAnswer(index)))

const site = {
  query: {
    general: { generator: 'MediaWiki 1.43.0', lang: 'en', dbtype: 'sqlite' },
    namespaces: { '0': { id: 0, case: 'first-letter', name: '' } },
    namespacealiases: []
  }
}

/** What `action=paraminfo` says of modules, as far as wikitape itself knows them. */
const described = (paths: string): unknown => ({
  paraminfo: {
    modules: paths
      .split('|')
      .flatMap((path) => bundledModule(path, site.query.general.generator) ?? [])
  }
})

function ownAnswer(target: string): Buffer {
  const params = new URL(target, 'http://wiki').searchParams
  return Buffer.from(
    JSON.stringify(params.has('meta') ? site : described(params.get('modules') ?? ''))
  )
}

const server = http.createServer((request, response) => {
  const target = (request.url ?? '').replace(/&maxlag=\d+$/, '')
  const body = answers.get(target) ?? ownAnswer(target)
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length
  })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  console.log(
    `listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/w/api.php`
  )
})
