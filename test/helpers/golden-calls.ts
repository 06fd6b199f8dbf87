/** What a real MediaWiki 1.25.4 answered to the spec's calls (test/fixtures/mw-1.25.4.ndjson.gz). */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { WikiAnswer } from '../../src/recorder/wiki/answers/wiki-answer.ts'
import { paramsOf } from './api-requests.ts'

export interface GoldenCall {
  /** `seed` is a call of the spec in one of five spellings, `page` a debugging page. */
  readonly kind: 'seed' | 'page'
  readonly q: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: readonly string[]
  readonly body: string
}

const file = new URL('../fixtures/mw-1.25.4.ndjson.gz', import.meta.url)

export const goldenCalls: readonly GoldenCall[] = gunzipSync(readFileSync(file))
  .toString('utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as GoldenCall)

export const goldenSeeds: readonly GoldenCall[] = goldenCalls.filter(
  ({ kind }) => kind === 'seed'
)
export const goldenPages: readonly GoldenCall[] = goldenCalls.filter(
  ({ kind }) => kind === 'page'
)

export const answerOf = (call: GoldenCall): WikiAnswer => ({
  status: call.status,
  headers: new Map(Object.entries(call.headers)),
  setCookies: call.cookies,
  body: Buffer.from(call.body)
})

/** The query string with its escapes undone, for test names. */
export const readable = ({ q }: GoldenCall): string =>
  [...paramsOf(q)].map(([name, value]) => `${name}=${value}`).join('&')
