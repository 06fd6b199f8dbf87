/** What a wiki says of its settings, as cassettes keep it. */
import { describe, expect, it } from 'vitest'
import { decodeSiteinfo } from '../../../../src/recorder/wiki/site/site-facts.ts'

const siteinfo = {
  general: { generator: 'MediaWiki 1.43.9', lang: 'ru' },
  namespaces: {},
  extensions: [
    {
      type: 'other',
      name: 'Cite',
      version: '1',
      url: 'https://x/',
      'vcs-version': 'a1'.repeat(20)
    },
    { type: 'other', namemsg: 'x' }
  ],
  skins: [{ code: 'vector', name: 'Vector', default: true }],
  usergroups: [{ name: 'bot', rights: ['bot', 'edit'], number: 3 }],
  statistics: { edits: 7, pages: 3, images: 1, jobs: 5, activeusers: 2 }
}

describe('the settings of a wiki', () => {
  it('are kept in its own words, less what is long or changes by itself', () => {
    expect(decodeSiteinfo({ query: siteinfo })).toMatchObject({
      configuration: {
        extensions: [{ type: 'other', name: 'Cite', version: '1' }, { type: 'other' }],
        skins: [{ code: 'vector', default: true }],
        usergroups: [{ name: 'bot', rights: ['bot', 'edit'] }]
      },
      statistics: { edits: 7, images: 1, pages: 3 }
    })
  })

  it.each(['extensions', 'skins', 'usergroups', 'statistics'] as const)(
    'are unknown without %s',
    (name) => {
      const { [name]: _, ...rest } = siteinfo
      expect(decodeSiteinfo({ query: rest })).toEqual({
        generator: 'MediaWiki 1.43.9',
        lang: 'ru',
        namespaces: []
      })
    }
  )
})
