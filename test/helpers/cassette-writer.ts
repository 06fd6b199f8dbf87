/** A process of its own that records into a cassette: `tsx cassette-writer.ts DIR FIRST COUNT SHARED`. */
import { CassetteStore } from '../../src/store/cassette-store.ts'
import { interactionOf, jsonBody, response } from './recorded.ts'

const [dir = '', first = '0', count = '0', shared = '0'] = process.argv.slice(2)
const store = CassetteStore.openOrCreate(dir, 'http://wiki/w/api.php')
for (let at = 0; at < Number(count); at += 1) {
  store.put(interactionOf({ action: 'query', list: 'allpages', apfrom: `${Number(first) + at}` }))
  const body = response(jsonBody(JSON.stringify({ by: first, filler: 'Ы'.repeat(5000) })))
  store.put(interactionOf({ action: 'query', titles: `${at % Number(shared)}` }, [body]))
}
store.checkpoint()
