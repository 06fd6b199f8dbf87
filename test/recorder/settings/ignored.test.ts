/** `ignore` in wikitape.config.json: texts that go with a write, and are not compared. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { countsText } from '../../../src/recorder/engine/run-summary.ts'
import { readProjectSettings } from '../../../src/recorder/settings/project-settings.ts'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { temporaryFolder } from '../../helpers/folders.ts'
import { type RunningProxy, startProxy } from '../../helpers/proxies.ts'
import { Client } from '../../helpers/stateful-wiki.ts'

let project = ''
const settle = (settings: object): void =>
  writeFileSync(path.join(project, 'wikitape.config.json'), JSON.stringify(settings))

beforeEach(() => {
  project = temporaryFolder()
  mkdirSync(path.join(project, '.git'))
  vi.spyOn(process, 'cwd').mockReturnValue(project)
  return () => vi.restoreAllMocks()
})

const ignoring = (module: string, param: string) => ({ ignore: [{ module, param }] })

describe('the setting', () => {
  it('takes texts that go with a write, in every module', () => {
    for (const param of ['text', 'summary', 'appendtext', 'sectiontitle']) {
      settle(ignoring('edit', param))
      expect(readProjectSettings(project)?.ignore).toEqual([{ module: 'edit', param }])
    }
    for (const [module, param] of [
      ['delete', 'reason'],
      ['upload', 'comment'],
      ['block', 'reason']
    ] as const) {
      settle(ignoring(module, param))
      expect(readProjectSettings(project)).toBeDefined()
    }
  })

  it.each([
    ['edit', 'title', 'edit.title chooses what is asked or done'],
    ['edit', 'basetimestamp', 'chooses'],
    ['edit', 'section', 'chooses'],
    ['edit', 'bot', 'chooses'],
    ['edit', 'token', 'chooses'],
    ['upload', 'filename', 'chooses'],
    ['query+recentchanges', 'rcstart', 'chooses'],
    ['query+recentchanges', 'rclimit', 'chooses'],
    ['parse', 'text', 'chooses'],
    ['compare', 'totext', 'chooses'],
    ['edti', 'summary', '"edti" is unknown (did you mean edit?)'],
    ['edit', 'sumary', 'edit has no parameter "sumary" (did you mean summary?)']
  ])('refuses %s.%s', (module, param, why) => {
    settle(ignoring(module, param))
    expect(() => readProjectSettings(project)).toThrow(why)
  })

  it.each([[{ module: 'edit' }], ['edit.summary'], [{ module: 'edit', param: 3 }]])(
    'refuses %j',
    (one) => {
      settle({ ignore: [one] })
      expect(() => readProjectSettings(project)).toThrow('"ignore" lacks one of')
      settle({ ignore: one })
      expect(() => readProjectSettings(project)).toThrow('"ignore" is not a list')
    }
  )
})

describe('a recording', () => {
  const edit = async ({ api }: RunningProxy, more: Readonly<Record<string, string>>) => {
    const client = new Client(api)
    const write = { action: 'edit', title: 'A', text: 'b', token: '+\\', ...more }
    const { headers } = await client.post(write)
    const read = await client.get({ action: 'query', titles: 'A', prop: 'revisions' })
    return [headers['x-cassette-status'], read.headers['x-cassette-status']]
  }
  const editingWiki = () =>
    fakeWiki((params) =>
      params.get('action') === 'edit'
        ? '{"edit":{"result":"Success","title":"A","newrevid":7}}'
        : '{"query":{"pages":[{"title":"A"}]}}'
    )

  it('with the setting answers every value, and what comes after it, also without the setting', async () => {
    const wiki = await editingWiki()
    settle(ignoring('edit', 'summary'))
    const first = await startProxy(wiki.api)
    expect(await edit(first, { summary: 'run 1' })).toEqual(['recorded', 'recorded'])
    await first.close()
    settle({})
    const replay = await startProxy(undefined, { cassette: first.cassette })
    expect(await edit(replay, { summary: 'run 2' })).toEqual(['replayed', 'replayed'])
    expect(replay.rack.counts()).toMatchObject({ ignored: 1 })
    expect(countsText(replay.rack.counts())).toContain(', values not compared: 1')
    // Its absence is told apart, and all other parameters are.
    const others = await startProxy(undefined, { cassette: first.cassette })
    expect((await edit(others, {}))[0]).toBe('miss')
    expect((await edit(others, { summary: 'run 2', text: 'c' }))[0]).toBe('miss')
    expect((await edit(others, { summary: 'run 2', bot: '' }))[0]).toBe('miss')
  })

  it('of before the setting keeps its keys until it is recorded anew', async () => {
    const wiki = await editingWiki()
    const first = await startProxy(wiki.api)
    const { cassette } = first
    await edit(first, { summary: 'run 1' })
    await first.close()
    settle(ignoring('edit', 'summary'))
    const manifest = () => readFileSync(path.join(cassette, 'cassette.json'), 'utf8')
    const more = await startProxy(wiki.api, { cassette })
    expect(await edit(more, { summary: 'run 1' })).toEqual(['replayed', 'replayed'])
    await more.close()
    expect(manifest()).not.toContain('ignore')
    const anew = await startProxy(wiki.api, { cassette, mode: 'update' })
    await edit(anew, { summary: 'run 2' })
    await anew.close()
    expect(JSON.parse(manifest()).ignore).toEqual([{ module: 'edit', param: 'summary' }])
    const replay = await startProxy(undefined, { cassette })
    expect(await edit(replay, { summary: 'run 3' })).toEqual(['replayed', 'replayed'])
  })
})
