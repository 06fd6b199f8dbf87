/** Much public-like content through the redaction: `npx tsx scripts/security/content.ts [MEGABYTES]` (500 by default). */
import { performance } from 'node:perf_hooks'
import { sameTree } from '../../src/recorder/json/json-tree.ts'
import {
  apiAnswer,
  redactResponse
} from '../../src/recorder/privacy/redact/redact-response.ts'
import { articles } from '../../test/helpers/public-content.ts'
import { answer, json, page, rawContent } from '../../test/recorder/privacy/answers.ts'

const wanted = Number(process.argv[2] ?? 500) * 1024 * 1024
const shapes = [
  (text: string) =>
    answer(json({ query: { pages: { 1: { revisions: [{ '*': text }] } } } })),
  (text: string) => answer(json({ parse: { text: { '*': escaped(text) } } })),
  (text: string) => page(`<?xml version="1.0"?><api><rev>${escaped(text)}</rev></api>`),
  (text: string) => page(`<!DOCTYPE html><p>${escaped(text)}</p>`),
  (text: string) => answer({ kind: 'binary', bytes: Buffer.from(text) })
] as const
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

let bytes = 0
let answers = 0
let changed = 0
const started = performance.now()
for (const text of articles(1, 64 * 1024)) {
  const response = (shapes[answers % shapes.length] ?? page)(text)
  const { body } = redactResponse(
    response,
    [],
    answers % shapes.length < 3 ? apiAnswer : rawContent
  ).response
  const same =
    body === response.body ||
    (body.kind === 'json' &&
      response.body.kind === 'json' &&
      sameTree(body.tree, response.body.tree))
  if (!same) changed += 1
  answers += 1
  bytes += Buffer.byteLength(text)
  if (bytes >= wanted) break
}
const seconds = (performance.now() - started) / 1000
console.log(
  `${Math.round(bytes / 1024 / 1024)} MB in ${answers} answers: ${changed} changed; ${seconds.toFixed(0)} s with their making`
)
process.exitCode = changed === 0 ? 0 : 1
