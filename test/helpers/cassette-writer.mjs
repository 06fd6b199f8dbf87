/** A process of its own that records into a cassette: `node cassette-writer.mjs DIR FIRST COUNT SHARED`. */
import process from 'node:process'
import { readJson } from '../../dist/recorder/json/read-json.js'
import { requestKey } from '../../dist/recorder/request/request-key.js'
import { CassetteStore } from '../../dist/recorder/store/cassette-store.js'

/** @param request its names in order */
function interactionOf(request, body) {
  const canonical = new Map(Object.entries(request))
  const { tree } = readJson(JSON.stringify(body))
  const response = {
    ...{ status: 200, headers: new Map(), cookies: [] },
    body: { kind: 'json', tree, spelling: 'ascii' }
  }
  return {
    key: requestKey(canonical),
    request: canonical,
    sentValues: new Map(),
    responses: [response]
  }
}

const [dir = '', first = '0', count = '0', shared = '0'] = process.argv.slice(2)
const store = CassetteStore.openOrCreate(dir, 'http://wiki/w/api.php')
for (let at = 0; at < Number(count); at += 1) {
  const own = { action: 'query', apfrom: `${Number(first) + at}`, list: 'allpages' }
  store.put(interactionOf(own, { query: {} }))
  const common = { action: 'query', titles: `${at % Number(shared)}` }
  store.put(interactionOf(common, { by: first, filler: 'Ы'.repeat(5000) }))
}
store.checkpoint()
