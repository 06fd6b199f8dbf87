/** `--match strict`: what counts is how a request is written, not only what it asks for. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { echo, fakeWiki } from '../helpers/fake-wiki.ts'
import { filesIn, temporaryFolder } from '../helpers/folders.ts'
import { ask, post } from '../helpers/http-client.ts'
import { preload, spawnServing } from '../helpers/processes.ts'
import { run, serving } from '../helpers/program.ts'

const call = 'action=query&format=json&list=allpages&aplimit=2&maxlag=5'
const offline = { preload: [preload('./no-outbound.mjs')] }
const signIn = 'action=login&format=json&lgname=Bob&lgpassword=hunter22&lgtoken=abc%2B%5C'

/** A cassette recorded strictly. */
async function strictCassette(): Promise<{
  readonly cassette: string
  readonly api: string
}> {
  const wiki = await fakeWiki((params, ...rest) =>
    params.get('action') === 'login'
      ? '{"login":{"result":"NeedToken"}}'
      : echo(params, ...rest)
  )
  const cassette = path.join(temporaryFolder(), 'tape')
  const recording = await serving([
    'record',
    wiki.api,
    '--cassette',
    cassette,
    '--match',
    'strict'
  ])
  await ask(`${recording.api}?${call}`)
  await post(recording.api, signIn)
  expect((await recording.stop()).code).toBe(0)
  return { cassette, api: wiki.api }
}

describe('--match strict', () => {
  it('is exported in the same words; a POST is more than a URL', async () => {
    const { cassette, api } = await strictCassette()
    const { code, stdout, stderr } = await run(['export', cassette, '--to', 'har'])
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('1 exchanges written; skipped 1 ')
    ])
    expect(stdout).toContain(JSON.stringify(`${api}?${call}`))
  })

  it('serves what was sent in the same words, and nothing else', async () => {
    const { cassette } = await strictCassette()
    const manifest: unknown = JSON.parse(
      readFileSync(path.join(cassette, 'cassette.json'), 'utf8')
    )
    expect(manifest).toMatchObject({ match: 'strict' })
    // The cassette knows how it was recorded: the flag may be left out.
    const replay = await spawnServing(['replay', '--cassette', cassette], offline)
    const statusOf = async (query: string): Promise<unknown> =>
      (await ask(`${replay.api}?${query}`)).headers['x-cassette-status']
    expect(await statusOf(call)).toBe('replayed')
    for (const other of [
      'format=json&action=query&list=allpages&aplimit=2&maxlag=5',
      call.replace('&maxlag=5', ''),
      call.replace('maxlag=5', 'maxlag=6'),
      call.replace('aplimit=2', 'aplimit=1'),
      `${call}&requestid=7`
    ])
      expect([other, await statusOf(other)]).toEqual([other, 'miss'])
    expect((await post(replay.api, call)).headers['x-cassette-status']).toBe('miss')
    expect((await post(replay.api, signIn)).headers['x-cassette-status']).toBe('replayed')
    expect((await replay.stop()).code).toBe(1)
  })

  it('keeps no secret in what it remembers of a request', async () => {
    const { cassette } = await strictCassette()
    const text = [...filesIn(cassette).values()].join('\n')
    expect(text).toContain('"as sent": "POST action=login')
    expect(text).not.toContain('hunter22')
    expect(text).not.toContain('abc+')
    expect(text).not.toContain('abc%2B')
  })

  it('goes on strictly in the same cassette, without the flag', async () => {
    const { cassette, api } = await strictCassette()
    const recording = await serving(['record', api, '--cassette', cassette])
    const again = await ask(`${recording.api}?${call.replace('&maxlag=5', '')}`)
    expect(again.headers['x-cassette-status']).toBe('recorded')
    expect((await ask(`${recording.api}?${call}`)).headers['x-cassette-status']).toBe(
      'replayed'
    )
    expect((await recording.stop()).code).toBe(0)
  })

  it('is refused for a cassette that was recorded otherwise, and for what only the client can ask again', async () => {
    const wiki = await fakeWiki()
    const cassette = path.join(temporaryFolder(), 'tape')
    const recording = await serving(['record', wiki.api, '--cassette', cassette])
    await ask(`${recording.api}?${call}`)
    await recording.stop()
    for (const verb of [['record', wiki.api], ['replay']]) {
      const { code, stderr } = await run([
        ...verb,
        '--cassette',
        cassette,
        '--match',
        'strict',
        '--',
        'true'
      ])
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining('was not recorded with --match strict')
      ])
    }
    const odd = await run([
      'replay',
      '--cassette',
      cassette,
      '--match',
      'exactly',
      '--',
      'true'
    ])
    expect([odd.code, odd.stderr]).toEqual([
      2,
      expect.stringContaining('--match is "exactly"; expected strict')
    ])
    const strict = await strictCassette()
    const refreshed = await run(['refresh', strict.cassette])
    expect([refreshed.code, refreshed.stderr]).toEqual([
      2,
      expect.stringContaining('so only its client can send its requests')
    ])
  })
})
