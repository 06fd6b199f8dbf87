/** A walk of one listing, as `capture --follow` records it, for measurements. */

import { wikiFactsOf } from '../../src/recorder/engine/call.ts'
import {
  jsonArray,
  jsonLiteral,
  jsonObject,
  jsonString
} from '../../src/recorder/json/json-tree.ts'
import { readJson } from '../../src/recorder/json/read-json.ts'
import { derive } from '../../src/recorder/request/derive.ts'
import { CassetteStore } from '../../src/recorder/store/cassette-store.ts'
import { envelopeOf } from '../../src/recorder/wiki/answers/envelope.ts'

const described = {
  main: { path: 'main', parameters: [{ name: 'action' }] },
  json: {
    path: 'json',
    parameters: [{ name: 'formatversion', default: '1', type: ['1', '2'] }]
  },
  query: {
    path: 'query',
    parameters: [
      {
        name: 'list',
        multi: true,
        type: ['allpages'],
        submodules: { allpages: 'query+allpages' }
      },
      { name: 'continue', type: 'string' },
      { name: 'rawcontinue', type: 'boolean' }
    ]
  },
  'query+allpages': {
    path: 'query+allpages',
    prefix: 'ap',
    group: 'list',
    generator: true,
    parameters: [
      { name: 'from', type: 'string' },
      { name: 'continue', type: 'string' },
      { name: 'limit', type: 'limit', default: 10, max: 500, highmax: 5000 }
    ]
  }
}

const titleOf = (index: number): string => `Page ${String(index).padStart(7, '0')}`

export function makeListing(dir: string, batches: number, perBatch: number): void {
  const store = CassetteStore.openOrCreate(dir, 'http://127.0.0.1:9/w/api.php')
  for (const [path, module] of Object.entries(described)) {
    const reading = readJson(JSON.stringify(module))
    if (reading.ok) store.putModule(path, reading.tree)
  }
  for (let batch = 0; batch < batches; batch += 1) {
    const start = batch * perBatch
    const params = new Map([
      ['action', 'query'],
      ['list', 'allpages'],
      ['format', 'json']
    ])
    if (batch > 0)
      params.set('apcontinue', titleOf(start).replace(' ', '_')).set('continue', '-||')
    const request = {
      kind: 'api',
      params,
      files: [],
      envelope: envelopeOf(params),
      identity: 'anonymous',
      posted: false
    } as const
    const { key, canonical } = derive(request, wikiFactsOf(store))
    const items = Array.from({ length: perBatch }, (_, at) =>
      jsonObject([
        ['pageid', jsonLiteral(start + at + 1)],
        ['ns', jsonLiteral(0)],
        ['title', jsonString(titleOf(start + at))]
      ])
    )
    const next = jsonObject([
      ['apcontinue', jsonString(titleOf(start + perBatch).replace(' ', '_'))],
      ['continue', jsonString('-||')]
    ])
    const tree = jsonObject([
      ['batchcomplete', jsonString('')],
      ...(batch === batches - 1 ? [] : ([['continue', next]] as const)),
      ['query', jsonObject([['allpages', jsonArray(items)]])]
    ])
    const body = { kind: 'json', tree, spelling: 'ascii' } as const
    const response = {
      status: 200,
      headers: new Map<string, string>(),
      cookies: [],
      body
    }
    store.put({ key, request: canonical, sentValues: new Map(), responses: [response] })
  }
}
