/** Errors that pass by themselves: asked again in the same run, and never answers to other requests. */
import { describe, expect, it } from 'vitest'
import { type FakeAnswer, fakeWiki } from '../../../helpers/fake-wiki.ts'
import { interactionFiles } from '../../../helpers/folders.ts'
import { ask } from '../../../helpers/http-client.ts'
import { run } from '../../../helpers/program.ts'
import { type ProxyOptions, startProxy } from '../../../helpers/proxies.ts'

const query = '?action=query&format=json&list=search&srsearch=A'
const good = '{"query":{"search":[]}}'

const failed = (code: string, info: string): FakeAnswer => ({
  body: JSON.stringify({ error: { code, info } }),
  headers: { 'mediawiki-api-error': code }
})

const lagging = {
  ...(failed('maxlag', 'Waiting for db1: 7.3 seconds lagged.') as object),
  status: 200
} as FakeAnswer

/** What a client gets for each request, and what replay serves for the same requests. */
async function recordThenReplay(
  answers: FakeAnswer[],
  requests: readonly string[],
  options: ProxyOptions = {}
): Promise<{ recorded: readonly string[]; replayed: readonly string[]; files: number }> {
  const wiki = await fakeWiki(() => answers.shift() ?? good)
  const proxy = await startProxy(wiki.api, options)
  const recorded: string[] = []
  for (const request of requests) recorded.push((await ask(proxy.api + request)).text)
  await proxy.close()
  const replay = await startProxy(undefined, { cassette: proxy.cassette })
  const replayed: string[] = []
  for (const request of requests) replayed.push((await ask(replay.api + request)).text)
  return { recorded, replayed, files: interactionFiles(proxy.cassette).length }
}

const codeOf = (text: string): string =>
  (JSON.parse(text) as { error?: { code: string } }).error?.code ?? 'good'

describe('an error that passes', () => {
  it.each([
    [
      'cirrussearch-too-busy-error',
      'Search is currently too busy. Please try again later.'
    ],
    ['cirrussearch-regex-too-busy-error', 'Too many regular expression searches.'],
    [
      'mwoauth-invalid-authorization',
      'The authorization headers in your request are not valid: Nonce already used: 1f'
    ],
    ['concurrency-limit', 'A concurrency limit has been exceeded.']
  ])('%s is not recorded, so that the retry is', async (code, info) => {
    const { recorded, replayed, files } = await recordThenReplay(
      [failed(code, info)],
      [query, query]
    )
    expect(recorded.map(codeOf)).toEqual([code, 'good'])
    expect(replayed.map(codeOf)).toEqual(['good', 'good'])
    expect(files).toBe(1)
  })

  it('is known by its code without the header, in every errorformat', async () => {
    const answer = JSON.stringify({
      errors: [{ code: 'cirrussearch-too-busy-error', text: 'busy' }]
    })
    const { recorded, replayed } = await recordThenReplay([answer], [query, query])
    expect(recorded).toEqual([answer, good])
    expect(replayed).toEqual([good, good])
  })

  it('is not taken for one where the code has another cause', async () => {
    const refusal = failed('mwoauth-invalid-authorization', 'Invalid signature')
    const { replayed } = await recordThenReplay([refusal, refusal], [query])
    expect(replayed.map(codeOf)).toEqual(['mwoauth-invalid-authorization'])
  })
})

describe('an error that was recorded in this run', () => {
  it('is asked again, and what follows it is a sequence', async () => {
    const unknown = failed('someextension-hiccup', 'no')
    const { recorded, replayed } = await recordThenReplay(
      [unknown, unknown],
      [query, query, query]
    )
    expect(recorded.map(codeOf)).toEqual([
      'someextension-hiccup',
      'someextension-hiccup',
      'good'
    ])
    expect(replayed).toEqual(recorded)
  })

  it('with status 503 and --record-errors is not 503 for ever', async () => {
    const down: FakeAnswer = {
      status: 503,
      body: '{"error":{"code":"readonly","info":"later"}}'
    }
    const { recorded, replayed } = await recordThenReplay([down], [query, query], {
      recordErrors: true
    })
    expect(recorded.map(codeOf)).toEqual(['readonly', 'good'])
    expect(replayed).toEqual(recorded)
  })

  it('and was the last answer of that run is asked again by the client that retries in the next', async () => {
    let answer: FakeAnswer = failed('readonly', 'later')
    const wiki = await fakeWiki(() => answer)
    const first = await startProxy(wiki.api, { recordErrors: true })
    await ask(first.api + query)
    await first.close()
    answer = good
    const second = await startProxy(wiki.api, {
      recordErrors: true,
      cassette: first.cassette
    })
    const got = [await ask(second.api + query), await ask(second.api + query)]
    expect(got.map(({ text }) => codeOf(text))).toEqual(['readonly', 'good'])
  })

  it('that is none of those that pass is replayed in the next run as often as it is asked for', async () => {
    let answer: FakeAnswer = failed('nosuchuser', 'no')
    const wiki = await fakeWiki(() => answer)
    const first = await startProxy(wiki.api)
    await ask(first.api + query)
    await first.close()
    answer = good
    const second = await startProxy(wiki.api, { cassette: first.cassette })
    const got = [await ask(second.api + query), await ask(second.api + query)]
    expect(got.map(({ text }) => codeOf(text))).toEqual(['nosuchuser', 'nosuchuser'])
    expect(second.rack.counts().liveRequests).toBe(0)
  })
})

describe('an error of lag, recorded with --record-errors', () => {
  const options = { recordErrors: true } as const

  it('is no answer to a request without maxlag, nor to one that allows more', async () => {
    const requests = [
      `${query}&maxlag=5`,
      query,
      `${query}&maxlag=60`,
      `${query}&maxlag=5`
    ]
    const { recorded, replayed } = await recordThenReplay([lagging], requests, options)
    expect(recorded.map(codeOf)).toEqual(['maxlag', 'good', 'good', 'good'])
    expect(replayed).toEqual(recorded)
  })

  it('is not replayed to others, whichever asks first', async () => {
    const wiki = await fakeWiki((params) =>
      params.get('maxlag') === '5' ? lagging : good
    )
    const proxy = await startProxy(wiki.api, options)
    for (const end of ['&maxlag=5', '']) await ask(proxy.api + query + end)
    await proxy.close()
    for (const [end, code] of [
      ['', 'good'],
      ['&maxlag=60', 'good'],
      ['&maxlag=5', 'maxlag']
    ]) {
      const replay = await startProxy(undefined, { cassette: proxy.cassette })
      expect([end, codeOf((await ask(replay.api + query + end)).text)]).toEqual([
        end,
        code
      ])
    }
  })

  it('alone leaves other requests a miss', async () => {
    const wiki = await fakeWiki(() => lagging)
    const proxy = await startProxy(wiki.api, options)
    await ask(`${proxy.api}${query}&maxlag=5`)
    await proxy.close()
    const replay = await startProxy(undefined, { cassette: proxy.cassette })
    expect(codeOf((await ask(replay.api + query)).text)).toBe('cassette-miss')
  })

  it('comes where it came in the sequence of one client', async () => {
    const asked = `${query}&maxlag=5`
    const other = '{"query":{"search":[{"ns":0,"title":"B"}]}}'
    const answers = [good, lagging, other]
    const wiki = await fakeWiki(() => answers.shift() ?? other)
    const proxy = await startProxy(wiki.api, { ...options, mode: 'all' })
    const recorded: string[] = []
    for (let at = 0; at < 3; at += 1) recorded.push((await ask(proxy.api + asked)).text)
    await proxy.close()
    expect(recorded.map(codeOf)).toEqual(['good', 'maxlag', 'good'])
    const replay = await startProxy(undefined, { cassette: proxy.cassette })
    const replayed: string[] = []
    for (let at = 0; at < 3; at += 1) replayed.push((await ask(replay.api + asked)).text)
    expect(replayed).toEqual(recorded)
  })
})

describe('a recorded error that nobody has listed, and that says it will pass', () => {
  const hiccup = failed(
    'someextension-hiccup',
    'The backend is overloaded. Try again in a moment.'
  )

  it('is named at the end of the run and by check, which finds no fault', async () => {
    const wiki = await fakeWiki(() => hiccup)
    const proxy = await startProxy(wiki.api)
    await ask(proxy.api + query)
    await proxy.close()
    const told =
      'list search, srsearch=A: the error "someextension-hiccup"; record it again with --mode all'
    expect(proxy.reports.join('\n')).toContain(
      `1 recorded error looks as if it would pass: ${told}`
    )
    const checked = await run(['check', proxy.cassette])
    expect(checked.stdout).toMatch(
      /json: note: the error "someextension-hiccup" looks as if it would pass; record/
    )
    expect([checked.code, checked.stdout]).toEqual([
      0,
      expect.stringContaining('no faults')
    ])
    const asJson = JSON.parse(
      (await run(['check', proxy.cassette, '--json'])).stdout
    ) as {
      notes: unknown[]
    }
    expect(asJson.notes).toHaveLength(1)
  })

  it('is not named once the same request got its answer', async () => {
    const answers = [hiccup]
    const wiki = await fakeWiki(() => answers.shift() ?? good)
    const proxy = await startProxy(wiki.api)
    for (let at = 0; at < 2; at += 1) await ask(proxy.api + query)
    await proxy.close()
    expect(proxy.reports.join('\n')).not.toContain('looks as if')
    expect((await run(['check', proxy.cassette])).stdout).not.toContain('note:')
  })

  it('an error that says something of the request is not', async () => {
    const wiki = await fakeWiki(() =>
      failed('nosuchuser', 'There is no user by the name "B".')
    )
    const proxy = await startProxy(wiki.api)
    await ask(proxy.api + query)
    await proxy.close()
    expect(proxy.reports.join('\n')).not.toContain('looks as if')
    expect((await run(['check', proxy.cassette])).stdout).not.toContain('note:')
  })
})
