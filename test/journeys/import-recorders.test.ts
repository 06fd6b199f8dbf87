/**
 * Recordings that vcrpy, VCR and talkback made of one real MediaWiki (scripts/recorders/), imported and replayed: each
 * answer is what the wiki said to a client without any of them (answers.json), byte for byte.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { run, serving } from '../helpers/program.ts'

const recordings = path.resolve('test/fixtures/recorders')

interface Answer {
  readonly path: string
  readonly form?: string
  readonly status: number
  readonly base64: string
}

const answers: readonly Answer[] = JSON.parse(readFileSync(path.join(recordings, 'answers.json'), 'utf8'))

const isPicture = (one: Answer): boolean => one.path.endsWith('.png')
/** Of two pages by number, which talkback moves. */
const isMoved = (one: Answer): boolean => one.path.includes('%7C') && one.path.endsWith('format=json')

it.each([
  ['vcrpy.yaml', () => true],
  ['vcrpy-decoded.yaml', () => true],
  ['vcrpy.json', (one: Answer) => !isPicture(one)],
  ['vcr.yml', () => true],
  ['vcr-exact.yml', () => true],
  ['vcr-readable.yml', () => true],
  ['vcr.json', (one: Answer) => !isPicture(one)],
  ['talkback', (one: Answer) => !isMoved(one)],
] as const)('%s replays what the wiki said', async (name, isKept) => {
  const dir = path.join(temporaryFolder(), 'tape')
  const imported = await run(['import', path.join(recordings, name), '--cassette', dir])
  const kept = answers.filter(isKept)
  expect(imported.stderr).toContain(`taken ${kept.length}, same 0, left out ${name === 'talkback' ? 1 : 0}`)
  if (name === 'talkback') expect(imported.stderr).toContain('its JSON has members by number ("2")')
  const replay = await serving(['replay', '--cassette', dir])
  for (const one of kept) {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const asked = one.form === undefined ? {} : { method: 'POST', headers: form, body: one.form }
    const reply = await ask(new URL(one.path, replay.api).href, asked)
    expect([one.path, reply.status, reply.body.toString('base64')]).toEqual([
      one.path,
      one.status,
      one.base64,
    ])
  }
  expect((await replay.stop()).stderr).toContain('missed 0')
})
