/** Content is never altered: what only looks like a secret stays, byte for byte, and `check` does not complain of it. */
import path from 'node:path'
import { expect, it } from 'vitest'
import {
  apiAnswer,
  redactResponse
} from '../../../src/recorder/privacy/redact/redact-response.ts'
import type { AnswerSource } from '../../../src/recorder/privacy/sources/answer-source.ts'
import { CassetteStore } from '../../../src/recorder/store/cassette-store.ts'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { temporaryFolder } from '../../helpers/folders.ts'
import { ask } from '../../helpers/http-client.ts'
import { startProxy } from '../../helpers/proxies.ts'
import { articles } from '../../helpers/public-content.ts'
import { secretIssues } from '../../helpers/secret-issues.ts'
import { answer, article, json, page, rawContent } from './answers.ts'

const text = articles(7, 20_000).next().value ?? ''
const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

it.each([
  [
    'wikitext',
    answer(json({ query: { pages: { 1: { revisions: [{ '*': text }] } } } })),
    apiAnswer
  ],
  [
    'a parsed page',
    answer(json({ parse: { title: 'A', text: { '*': `<p>${escaped}</p>` } } })),
    apiAnswer
  ],
  ['search results', answer(json({ query: { search: [{ snippet: text }] } })), apiAnswer],
  [
    'JSON kept as it is spelled',
    answer({ kind: 'text', text: `{ "a": ${JSON.stringify(text)} }`, spelling: 'utf8' }),
    apiAnswer
  ],
  [
    'XML',
    page(`<?xml version="1.0"?><api><query><rev>${escaped}</rev></query></api>`),
    apiAnswer
  ],
  ['PHP', page(`a:1:{s:1:"x";s:${Buffer.byteLength(text)}:"${text}";}`), apiAnswer],
  [
    'an article',
    page(`<!DOCTYPE html><html><body><p>${escaped}</p></body></html>`),
    article
  ],
  ['a raw page', page(text), rawContent],
  ['a file', answer({ kind: 'binary', bytes: Buffer.from(text) }), rawContent]
] satisfies readonly (readonly [string, ReturnType<typeof answer>, AnswerSource])[])(
  '%s',
  (_, response, source) => {
    const {
      response: kept,
      secrets: found,
      bodyCounts: inBody
    } = redactResponse(response, [], source)
    expect(kept.body).toBe(response.body)
    expect([...inBody]).toEqual([])
    expect(found).toEqual([])
  }
)

it('is recorded, and told as check tells it', async () => {
  const wiki = await fakeWiki((params) =>
    params.get('title') === 'A'
      ? {
          body: `<p>${escaped}</p>`,
          headers: { 'content-type': 'text/html; charset=utf-8' }
        }
      : JSON.stringify({ query: { pages: { 1: { revisions: [{ '*': text }] } } } })
  )
  const recording = await startProxy(wiki.api, {
    cassette: path.join(temporaryFolder(), 'tape')
  })
  const live = await ask(`${recording.api}?action=query&titles=A&format=json`)
  await ask(`${recording.api.replace('api.php', 'index.php')}?title=A`)
  await recording.close()
  expect(live.text).toContain(JSON.stringify(text).slice(1, -1).slice(0, 2000))
  expect(recording.rack.counts().recorded).toBe(2)
  // `check` says what the recorder has said, and calls none of it a secret for certain.
  const doubtful = recording.rack.doubtful().length
  expect(doubtful).toBeGreaterThan(0)
  const issues = [...secretIssues(CassetteStore.open(recording.cassette))]
  expect(issues).toHaveLength(doubtful)
  for (const { judgeable } of issues) expect(judgeable).toBeDefined()
})

it.each([
  'one api_key=sk_live_51HGabcdefghijklmnop x',
  'one api_key=ghp_51HGabcdefghijklmnopqrstuvwxyz012345 x'
])('that a client posts passes check, if it is no random text: %s', async (posted) => {
  const wiki = await fakeWiki(() => JSON.stringify({ edit: { result: 'Success' } }))
  const recording = await startProxy(wiki.api)
  const body = new URLSearchParams({
    action: 'parse',
    format: 'json',
    text: posted
  }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  await ask(recording.api, { method: 'POST', headers, body })
  await recording.close()
  expect(recording.rack.doubtful()).toEqual([])
  expect([...secretIssues(CassetteStore.open(recording.cassette))]).toEqual([])
})
