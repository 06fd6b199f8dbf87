/** What an edit is based on decides whether it conflicts: the answer to a stale edit is not that to a fresh one. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { fakeWiki } from '../../../helpers/fake-wiki.ts'
import { startProxy } from '../../../helpers/proxies.ts'
import { Client } from '../../../helpers/stateful-wiki.ts'

type Params = Readonly<Record<string, string>>

const latest = '2026-11-28T10:00:00Z'
const md5 = (text: string): string => createHash('md5').update(text).digest('hex')
const edit = (more: Params): Params => ({
  action: 'edit',
  title: 'A',
  text: 'new',
  token: '+\\',
  ...more
})
const stale = edit({ basetimestamp: '2026-11-28T09:00:00Z' })
const fresh = edit({ basetimestamp: latest })
const falsified = edit({ md5: md5('old') })
const right = edit({ md5: md5('new') })

async function guardedWiki(): Promise<string> {
  const wiki = await fakeWiki((params) => {
    const sum = params.get('md5')
    if ((params.get('basetimestamp') ?? latest) < latest)
      return JSON.stringify({ error: { code: 'editconflict', info: 'Edit conflict' } })
    return sum !== undefined && sum !== md5(params.get('text') ?? '')
      ? JSON.stringify({ error: { code: 'badmd5', info: 'a wrong checksum' } })
      : JSON.stringify({ edit: { result: 'Success', title: 'A' } })
  })
  return wiki.api
}

async function recorded(
  program: readonly Params[],
  again: readonly Params[]
): Promise<string[]> {
  const recording = await startProxy(await guardedWiki())
  const client = new Client(recording.api, { cookie: `wiki_session=${'5'.repeat(32)}` })
  for (const one of program) await client.post(one)
  await recording.close()
  const replay = await startProxy(undefined, { cassette: recording.cassette })
  const other = new Client(replay.api, { cookie: `wiki_session=${'6'.repeat(32)}` })
  const texts: string[] = []
  for (const one of again) texts.push((await other.post(one)).text)
  return texts.map(
    (one) => /editconflict|badmd5|Success|cassette-miss/.exec(one)?.[0] ?? one
  )
}

describe('an edit', () => {
  it('that is stale or fresh is answered in the recorded order', async () => {
    const all = [stale, fresh, falsified, right]
    const answers = ['editconflict', 'Success', 'badmd5', 'Success']
    expect(await recorded(all, all)).toEqual(answers)
  })

  it('that is fresh does not get the conflict of a stale one, nor the other way round', async () => {
    expect((await recorded([stale, fresh], [fresh]))[0]).not.toBe('editconflict')
    expect((await recorded([fresh, stale], [stale]))[0]).not.toBe('Success')
  })

  it('with a right checksum does not get the refusal of a wrong one, nor the other way round', async () => {
    expect((await recorded([falsified, right], [right]))[0]).not.toBe('badmd5')
    expect((await recorded([right, falsified], [falsified]))[0]).not.toBe('Success')
  })

  it('with a right checksum is the same as without one', async () => {
    expect(await recorded([right], [edit({})])).toEqual(['Success'])
  })
})
