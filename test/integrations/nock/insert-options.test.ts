/** What the options mean, and what is said of wrong ones. */
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type InsertOptions,
  resolveInsertOptions
} from '../../../src/integrations/in-process/insert-options.ts'
import { mayAskWiki, modes } from '../../../src/recorder/playback/decide.ts'
import { chooseMode } from '../../../src/recorder/settings/choose-mode.ts'
import { temporaryFolder } from '../../helpers/folders.ts'
import { shipped } from './inserted.ts'

const api = 'http://wiki.example/w/api.php'
const usual = { usual: 'once', inCi: 'none' } as const
const options = (more: InsertOptions = {}): InsertOptions => ({
  root: shipped,
  apiUrl: api,
  moved: true,
  ...more
})

describe('the mode', () => {
  it.each([
    ['none', { WIKITAPE_MODE: 'all', VCR_MODE: 'all' }, 'none'],
    [undefined, { WIKITAPE_MODE: 'update', VCR_MODE: 'all' }, 'update'],
    [undefined, { VCR_MODE: 'all' }, 'all'],
    [undefined, { WIKITAPE_MODE: '', VCR_MODE: 'all' }, 'all'],
    [undefined, {}, 'once'],
    [undefined, { CI: 'true' }, 'none'],
    [undefined, { CI: 'true', VCR_MODE: 'none' }, 'none'],
    [undefined, { CI: '0' }, 'once']
  ] as const)('option %s with %o is %s', (mode, env, chosen) => {
    const given = mode === undefined ? {} : { mode }
    expect(chooseMode(given, env, usual)).toBe(chosen)
  })

  it('that goes out needs allowLive with CI=true, wherever it comes from', () => {
    for (const mode of modes.filter(mayAskWiki)) {
      expect(() => chooseMode({ mode }, { CI: 'true' }, usual)).toThrow(
        /CI=true.*allowLive/
      )
      expect(() => chooseMode({}, { CI: 'true', WIKITAPE_MODE: mode }, usual)).toThrow(
        /allowLive/
      )
      expect(chooseMode({ mode, allowLive: true }, { CI: 'true' }, usual)).toBe(mode)
    }
  })

  it('that the project settles comes after the environment, and needs allowLive in CI as well', () => {
    const settled = { settled: 'all', usual: 'new_episodes' } as const
    expect(chooseMode({}, {}, settled)).toBe('all')
    expect(chooseMode({}, { VCR_MODE: 'none' }, settled)).toBe('none')
    expect(chooseMode({ mode: 'once' }, {}, settled)).toBe('once')
    expect(() => chooseMode({}, { CI: 'true' }, settled)).toThrow(/CI=true, and mode all/)
  })

  it('that nobody knows is told with those that are known', () => {
    expect(() => chooseMode({}, { WIKITAPE_MODE: 'fresh' }, usual)).toThrow(
      /"fresh".*new_episodes/
    )
  })
})

describe('the name', () => {
  it('is a folder below the root', () => {
    expect(resolveInsertOptions('ru-1.43', options()).folder).toBe(
      path.join(shipped, 'ru-1.43')
    )
    expect(resolveInsertOptions('Страницы/Волга', options()).folder).toBe(
      path.join(shipped, 'Страницы', 'Волга')
    )
  })

  it('never leads out of the root', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '.', '/', '\\', '~', 'Ж', ' ', '-') }),
        (name) => {
          let folder = ''
          try {
            folder = resolveInsertOptions(name, options()).folder
          } catch (error) {
            expect(String(error)).toContain('not a plain folder name')
            return
          }
          expect(path.relative(shipped, folder)).not.toMatch(/^(?:\.\.|$)|^[\\/]/)
        }
      )
    )
  })
})

describe('the wiki', () => {
  it('is the one that was recorded, unless another address is given', () => {
    expect(resolveInsertOptions('ru-1.43', { root: shipped }).api.href).toBe(
      'http://127.0.0.1:8143/w/api.php'
    )
    expect(resolveInsertOptions('ru-1.43', options()).api.origin).toBe(
      'http://wiki.example'
    )
  })

  it('has to be known', () => {
    const root = temporaryFolder()
    expect(() => resolveInsertOptions('new', { root })).toThrow(
      /which wiki\?.*pass apiUrl/
    )
    expect(() =>
      resolveInsertOptions('new', { root, apiUrl: 'ru.wikipedia.org' })
    ).toThrow(/apiUrl: .*http/)
  })
})
