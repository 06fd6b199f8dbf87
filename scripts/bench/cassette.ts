/** A cassette of made-up listings, bodies of 1 to 20 KB, for measurements. */
import type { JsonTree } from '../../src/json/tree.ts'
import { jsonArray, jsonLiteral, jsonObject, jsonString } from '../../src/json/tree.ts'
import { writeCompact } from '../../src/json/write.ts'
import { requestKey } from '../../src/request/key.ts'
import { CassetteStore } from '../../src/store/cassette-store.ts'

export interface MadeRequest {
  readonly query: string
  /** Length of the answer. */
  readonly bytes: number
}

export function makeCassette(dir: string, count: number): readonly MadeRequest[] {
  const store = CassetteStore.openOrCreate(dir, 'http://127.0.0.1:9/w/api.php')
  return Array.from({ length: count }, (_, index) => {
    const request = new Map([
      ['action', 'query'],
      ['apfrom', `Статья ${index}`],
      ['list', 'allpages'],
    ])
    const tree = listing(index, 10 + ((index * 37) % 200))
    const body = { kind: 'json', tree, spelling: 'ascii' } as const
    const response = { status: 200, headers: new Map<string, string>(), cookies: [], body }
    store.put({ key: requestKey(request), request, asked: new Map(), responses: [response] })
    const query = `action=query&list=allpages&apfrom=${encodeURIComponent(`Статья ${index}`)}&format=json`
    return { query, bytes: Buffer.byteLength(writeCompact(tree, 'ascii')) }
  })
}

function listing(start: number, items: number): JsonTree {
  const pages = Array.from({ length: items }, (_, index) =>
    jsonObject([
      ['pageid', jsonLiteral(start + index)],
      ['ns', jsonLiteral(0)],
      ['title', jsonString(`Статья ${start + index}`)],
    ]),
  )
  return jsonObject([
    ['batchcomplete', jsonString('')],
    ['query', jsonObject([['allpages', jsonArray(pages)]])],
  ])
}
