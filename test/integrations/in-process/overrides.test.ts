/** Answers that a test gives itself: which requests they answer, in which formats, and what becomes of unused ones. */
import { describe, expect, it } from 'vitest'
import {
  type OverrideParams,
  type OverrideReply,
  Overrides
} from '../../../src/integrations/in-process/overrides.ts'
import { TestCassette } from '../../../src/integrations/testing/test-cassette.ts'
import { temporaryFolder } from '../../helpers/folders.ts'

const asked = (query: string): Parameters<Overrides['answer']>[0] => ({
  method: 'GET',
  target: `/w/api.php?action=query&${encodeURI(query)}`,
  headers: {},
  body: Buffer.alloc(0)
})

function answered(
  params: OverrideParams,
  query: string,
  reply: OverrideReply = { json: {} }
): unknown {
  const overrides = new Overrides()
  overrides.add(params, reply)
  return overrides.answer(asked(query))?.[0]
}

describe('an answer of the test', () => {
  it('is for its parameters, with several values in any order', () => {
    for (const titles of ['Волга|Ёжик', ['Ёжик', 'Волга']])
      expect(answered({ titles }, 'format=json&titles=Ёжик|Волга')).toBe(200)
    expect(answered({ titles: 'Волга' }, 'format=json&titles=Ёжик|Волга')).toBeUndefined()
    expect(answered({ titles: '' }, 'format=json')).toBeUndefined()
    expect(answered({ titles: false }, 'format=json&titles=')).toBeUndefined()
  })

  it('needs parameters, not a query string', () => {
    const overrides = new Overrides()
    for (const wrong of ['list=allpages', ['list'], null, {}])
      expect(() => overrides.add(wrong as never, { error: 'readonly' })).toThrow(
        new TypeError(
          "answer: expected parameters of the request, e.g. { action: 'edit' }"
        )
      )
  })

  it('is JSON, and says so where the request is for another format', () => {
    const error = { error: 'readonly' }
    expect(answered({ action: 'query' }, 'format=json&callback=f', error)).toBe(200)
    for (const [query, format] of [
      ['format=xml', 'xml'],
      ['format=php', 'php']
    ] as const)
      expect(() => answered({ action: 'query' }, query, error)).toThrow(
        `cannot be sent in the format of the request (${format}): such answers are JSON; ask with format=json`
      )
    expect(answered({ action: 'query' }, 'format=xml', { status: 503 })).toBe(503)
  })
})

describe('an answer of the test that no request asked for', () => {
  const finished = async (
    unused: 'fail' | 'warn',
    lines: string[] = []
  ): Promise<void> => {
    const apiUrl = ['http://127.0.0.1:9/w/api.php', 'http://127.0.0.2:9/w/api.php']
    const options = {
      apiUrl,
      root: temporaryFolder(),
      unused,
      report: (line: string) => void lines.push(line)
    }
    const cassette = new TestCassette('mine', options, { owner: {}, isDefault: false })
    cassette.overrides.add({ list: 'allpage', nonsense: false }, { error: 'readonly' })
    cassette.overrides.add({ titles: 'волга' }, { error: 'readonly' })()
    cassette.overrides.add({ titles: 'Волга' }, { error: 'readonly' })
    cassette.overrides.answer(asked('format=json&titles=Волга'))
    await cassette.finish({ passed: true, complete: true })
  }

  it('fails the test once, or is warned of', async () => {
    const failure = await finished('fail').catch((error: Error) => error.message)
    expect(failure?.split('not used')).toHaveLength(2)
    expect(failure).toMatch(
      /2 answers given by cassette\.answer\(…\) not used, since no request had these parameters:\n {4}list=allpage&no nonsense\n {4}titles=волга$/
    )
    const lines: string[] = []
    await finished('warn', lines)
    expect(lines.join('\n')).toContain('2 answers given by cassette.answer(…) not used')
  })
})
