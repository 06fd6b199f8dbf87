/** Large answers are looked through aside: with the same outcome, in the same order, and while others are served. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { RecordedResponse } from '../../../src/cassette/interaction.ts'
import { decompress } from '../../../src/engine/redaction/decompress.ts'
import { isLargeInteraction } from '../../../src/engine/redaction/pending-write.ts'
import { RedactionGate } from '../../../src/engine/redaction/redaction-gate.ts'
import {
  fromTransfer,
  redactAnswer,
  runScanJob,
  type ScanJob,
  toTransfer,
} from '../../../src/engine/redaction/scan-job.ts'
import { largeScanSize } from '../../../src/engine/redaction/scan-pool.ts'
import { RunSummary } from '../../../src/engine/run-summary.ts'
import { SecretRegistry } from '../../../src/privacy/known/secret-registry.ts'
import { CassetteStore } from '../../../src/store/cassette-store.ts'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { interactionFiles, temporaryFolder } from '../../helpers/folders.ts'
import { ask, post } from '../../helpers/http-client.ts'
import { spawnServing } from '../../helpers/processes.ts'
import { startProxy } from '../../helpers/proxies.ts'
import { articles } from '../../helpers/public-content.ts'
import { answer, cookie, fileOf, json, page } from '../../privacy/answers.ts'

const prose = articles(1, 128 * 1024).next().value ?? ''
const secret = { kind: 'token', value: '0123456789abcdef0123456789abcdef01234567', source: 'sent' } as const
const call = '?action=query&format=json&list=allpages'

describe('a job for another thread has the outcome that it has here', () => {
  const responses: readonly (readonly [string, RecordedResponse])[] = [
    ['JSON without a secret', answer(json({ query: { pages: [{ content: prose }] } }))],
    ['JSON with one', answer(json({ query: { tokens: { csrftoken: `${secret.value}+\\` }, a: prose } }))],
    ['JSON with a known one', answer(json({ a: `${prose} ${secret.value}` }))],
    ['a page', page(`<input name="wpEditToken" value="${secret.value}+\\">${prose}`)],
    ['bytes', answer({ kind: 'binary', bytes: Buffer.from(`\0\xff${prose}`, 'latin1') })],
    ['a cookie', answer(json({ a: prose }), { location: '/?token=abc' }, [cookie('ru_session', 'abcdefgh')])],
    ['half of a surrogate pair', answer(json({ a: `\ud800${prose}` }))],
  ]

  it.each(responses)('%s', (_, response) => {
    const ledger = new SecretRegistry({ inflate: decompress })
    ledger.learn([secret])
    const job: ScanJob = {
      kind: 'redact',
      secrets: ledger.secrets(),
      response: toTransfer(response),
      fromApi: true,
    }
    const outcome = runScanJob(structuredClone(job))
    const here = redactAnswer(ledger, response, true)
    if (outcome.kind !== 'redact') throw new Error('another job')
    expect(fileOf(fromTransfer(structuredClone(outcome.response), response.body))).toBe(fileOf(here.response))
    expect([outcome.secrets, outcome.bodyCounts]).toEqual([here.secrets, here.bodyCounts])
  })

  it('and the file that is looked through is the one that is written', async () => {
    const wiki = await fakeWiki(() => JSON.stringify({ query: { pages: [{ content: prose }] } }))
    const proxy = await startProxy(wiki.api)
    expect((await ask(proxy.api + call)).headers['x-cassette-status']).toBe('recorded')
    const [file = ''] = interactionFiles(proxy.cassette)
    const text = readFileSync(path.join(proxy.cassette, file), 'utf8')
    const store = CassetteStore.open(proxy.cassette)
    const [[key] = []] = [...store.paths()]
    const found = key && store.get(key)
    if (found?.kind !== 'found') throw new Error('not recorded')
    store.put(found.interaction)
    expect(readFileSync(path.join(proxy.cassette, file), 'utf8')).toBe(text)
    expect(found.interaction.falseAlarms?.length).toBeGreaterThan(0)
  })
})

it('a posted text counts as what is to be looked through', () => {
  const request = new Map([['text', 'x'.repeat(largeScanSize)]])
  const [sentValues, responses] = [new Map(), [page('')]] as const
  expect(isLargeInteraction(largeScanSize, { request, sentValues, responses })).toBe(true)
  expect(isLargeInteraction(largeScanSize, { request: new Map(), sentValues, responses })).toBe(false)
})

describe('what comes meanwhile', () => {
  it('a secret that becomes known during a look is looked for before anything is written', async () => {
    const ledger = new SecretRegistry({ inflate: decompress })
    const censor = new RedactionGate(ledger, new RunSummary(), () => undefined)
    const responses = [answer(json({ a: `${prose} ${secret.value}` }))] as const
    const draft = { file: 'query/a.json', request: new Map(), sentValues: new Map(), responses }
    const before = await censor.scanInWorker(draft)
    expect([before.leaks.length, censor.isUpToDate(draft, before)]).toEqual([0, true])
    ledger.learn([secret])
    expect(censor.isUpToDate(draft, before)).toBe(false)
    const after = await censor.scanInWorker(draft)
    expect([after.leaks.length, censor.isUpToDate(draft, after)]).toEqual([1, true])
  })

  it('another answer in the same place is not overwritten unseen', async () => {
    const ledger = new SecretRegistry({ inflate: decompress })
    const censor = new RedactionGate(ledger, new RunSummary(), () => undefined)
    const draft = {
      file: 'query/a.json',
      request: new Map(),
      sentValues: new Map(),
      responses: [page(prose)] as const,
    }
    const looked = await censor.scanInWorker(draft)
    const again = { ...draft, responses: [page(prose)] as const }
    const other = { ...draft, responses: [page(`${prose} `)] as const }
    const longer = { ...draft, responses: [page(prose), page(prose)] as const }
    expect([again, other, longer].map((one) => censor.isUpToDate(one, looked))).toEqual([true, false, false])
  })

  it('is recorded whole, however many large answers come at once', async () => {
    const wiki = await fakeWiki((params) =>
      JSON.stringify({ query: { from: params.get('apfrom'), content: prose } }),
    )
    const proxy = await startProxy(wiki.api)
    const names = Array.from({ length: 12 }, (_, at) => `P${at % 6}`)
    const replies = await Promise.all(names.map((name) => ask(`${proxy.api + call}&apfrom=${name}`)))
    await proxy.close()
    expect(interactionFiles(proxy.cassette)).toHaveLength(6)
    const replay = await startProxy(undefined, { cassette: proxy.cassette })
    for (const [at, name] of names.entries())
      expect((await ask(`${replay.api + call}&apfrom=${name}`)).text).toBe(replies[at]?.text)
  })

  it('what a client sent while a large answer of another was under way does not stand in it', async () => {
    const password = 'correct-horse-battery'
    const wiki = await fakeWiki(() => JSON.stringify({ query: { content: `${prose} ${password}` } }))
    const proxy = await startProxy(wiki.api)
    const large = ask(proxy.api + call)
    await post(proxy.api, `action=login&lgname=A&lgpassword=${password}&format=json`)
    await large
    await proxy.close()
    for (const file of interactionFiles(proxy.cassette))
      if (readFileSync(path.join(proxy.cassette, file), 'utf8').length > largeScanSize)
        expect.fail('the large answer was written')
  })
})

it('others are answered while a large answer is looked through', async () => {
  let content = ''
  for (const one of articles(2, 64 * 1024)) {
    content += one
    if (content.length > 4_000_000) break
  }
  const wiki = await fakeWiki((params) =>
    JSON.stringify({ query: { a: params.has('apfrom') ? 'b' : content } }),
  )
  const recorder = await spawnServing([
    'record',
    wiki.api,
    '--cassette',
    path.join(temporaryFolder(), 'tape'),
  ])
  const short = `${recorder.api + call}&apfrom=B`
  await ask(short)
  const began = performance.now()
  let whole = 0
  const large = ask(recorder.api + call).then((reply) => {
    whole = performance.now() - began
    return reply
  })
  let longest = 0
  while (whole === 0) {
    const sent = performance.now()
    await ask(short)
    longest = Math.max(longest, performance.now() - sent)
    await setTimeout(10)
  }
  expect((await large).headers['x-cassette-status']).toBe('recorded')
  // In one turn it would be nearly all of it.
  expect(longest / whole).toBeLessThan(0.5)
})

it('the thread at rest does not keep a process alive, one that is waited for does', () => {
  const dist = (name: string): string =>
    JSON.stringify(new URL(`../../../dist/engine/redaction/${name}`, import.meta.url))
  const script = `
    const { runInWorker } = await import(${dist('scan-pool.js')})
    const { toTransfer } = await import(${dist('scan-job.js')})
    const response = { status: 200, headers: new Map(), cookies: [], body: { kind: 'text', text: 'a' } }
    const ports = () => process.getActiveResourcesInfo().filter((one) => one === 'MessagePort').length
    const before = ports()
    const job = runInWorker({ kind: 'redact', secrets: [], response: toTransfer(response), fromApi: true })
    console.log(ports() > before)
    await job
    await new Promise((resolve) => setImmediate(resolve))
    console.log(ports() > before)`
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  expect([status, stdout, stderr]).toEqual([0, 'true\nfalse\n', ''])
})
