/** Values that differ in each run: kept with the recording, and told where they are not. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { project } from './nested.ts'

const head = (api: string): string => `
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { useCassette } from 'wikitape/vitest'
const ask = async (title) => {
  const answer = await fetch('${api}?action=query&prop=info&format=json&titles=' + encodeURIComponent(title))
  expect(answer.headers.get('x-cassette-status')).not.toBe('miss')
}
`

it('a variable and the moment of the recording are the same on replay, and new with update', async () => {
  const wiki = await fakeWiki()
  const { cassettes, run, write } = project()
  write({
    'a.test.ts': `${head(wiki.api)}
it('asks', async () => {
  const cassette = useCassette({ apiUrl: '${wiki.api}' })
  await ask(cassette.variable('title', () => 'A ' + randomUUID()))
  await ask('At ' + cassette.recordedAt.toISOString())
})`
  })
  const kept = (): Record<string, string> =>
    JSON.parse(readFileSync(path.join(cassettes, 'a.test/asks/cassette.json'), 'utf8'))
      .variables
  const first = await run()
  expect(first.tests['asks']?.errors).toEqual([])
  const recorded = kept()
  expect(recorded).toEqual({
    title: expect.stringMatching(/^A [\da-f-]{36}$/),
    recordedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  })
  expect((await run({ CI: 'true' })).tests['asks']?.errors).toEqual([])
  expect((await run({ WIKITAPE_MODE: 'update' })).code).toBe(0)
  expect(kept()['title']).not.toBe(recorded['title'])
})

it('a variable that was not recorded fails its test', async () => {
  const wiki = await fakeWiki()
  const { run, write } = project()
  const file = (more: string) => ({
    'a.test.ts': `${head(wiki.api)}
it('asks', async () => {
  const cassette = useCassette({ apiUrl: '${wiki.api}' })
  await ask('A')
  ${more}
})`
  })
  write(file(''))
  await run()
  write(file(`cassette.variable('later', () => 1)`))
  expect((await run()).tests['asks']?.errors.join()).toMatch(
    /has no variable "later"; record this test again with WIKITAPE_MODE=update/
  )
})

it('a miss that looks like a clock or a random value never advises to record again', async () => {
  const wiki = await fakeWiki()
  const { run, write } = project()
  write({
    'a.test.ts': `${head(wiki.api)}
for (const [name, make] of Object.entries({ time: () => Date.now(), random: randomUUID }))
  it(name, async () => {
    useCassette({ apiUrl: '${wiki.api}' })
    await ask('A ' + make())
  })`
  })
  await run()
  const { tests } = await run()
  for (const [name, kind] of [
    ['time', 'a clock'],
    ['random', 'a random value']
  ] as const) {
    const text = tests[name]?.errors.join('\n') ?? ''
    expect(text).toContain(`differs only in what looks like ${kind}`)
    expect(text).toContain('cassette.variable(name, make)')
    expect(text).not.toContain('WIKITAPE_MODE')
  }
})
