/** A cassette of made-up listings, bodies of 1 to 20 KB and one of 2 MB, for measurements. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { encodeInteraction } from '../../src/recorder/cassette/format/encode-interaction.ts'
import type { JsonTree } from '../../src/recorder/json/json-tree.ts'
import {
  jsonArray,
  jsonLiteral,
  jsonObject,
  jsonString
} from '../../src/recorder/json/json-tree.ts'
import { writeCompact } from '../../src/recorder/json/write-json.ts'
import { requestKey } from '../../src/recorder/request/request-key.ts'
import { CassetteStore } from '../../src/recorder/store/cassette-store.ts'

export interface MadeRequest {
  readonly query: string
  /** Length of the answer. */
  readonly bytes: number
}

/** Where the large answer is asked for. */
const largeAt = -1
const largeItems = 20_000

export const madeQuery = (index: number): string =>
  `action=query&list=allpages&apfrom=${encodeURIComponent(titleAt(index))}&format=json`

/** The answer as a wiki would send it. */
export const madeAnswer = (index: number): string => writeCompact(treeAt(index), 'ascii')

export const madeRequest = (index: number): MadeRequest => ({
  query: madeQuery(index),
  bytes: madeAnswer(index).length
})

/** Every index: the large one first. */
export const madeIndices = (count: number): readonly number[] =>
  Array.from({ length: count + 1 }, (_, at) => at + largeAt)

/** @param rows of each answer; 10 to 209 unless given */
export function makeCassette(dir: string, count: number, rows?: number): void {
  const store = CassetteStore.openOrCreate(dir, 'http://127.0.0.1:9/w/api.php')
  store.saveManifest()
  mkdirSync(path.join(dir, 'query.allpages'))
  for (const index of madeIndices(count)) {
    const request = new Map([
      ['action', 'query'],
      ['apfrom', titleAt(index)],
      ['list', 'allpages']
    ])
    const body = { kind: 'json', tree: treeAt(index, rows), spelling: 'ascii' } as const
    const response = {
      status: 200,
      headers: new Map<string, string>(),
      cookies: [],
      body
    }
    const one = {
      key: requestKey(request),
      request,
      sentValues: new Map(),
      responses: [response]
    } as const
    const file = store.pathFor(one)
    writeFileSync(
      path.join(dir, file),
      encodeInteraction(one, path.basename(file, '.json')).text
    )
  }
}

const titleAt = (index: number): string => `Статья ${index}`

function treeAt(start: number, rows = 10 + ((start * 37) % 200)): JsonTree {
  const items = start === largeAt ? largeItems : rows
  const pages = Array.from({ length: items }, (_, index) =>
    jsonObject([
      ['pageid', jsonLiteral(start + index)],
      ['ns', jsonLiteral(0)],
      ['title', jsonString(titleAt(start + index))]
    ])
  )
  return jsonObject([
    ['batchcomplete', jsonString('')],
    ['query', jsonObject([['allpages', jsonArray(pages)]])]
  ])
}
