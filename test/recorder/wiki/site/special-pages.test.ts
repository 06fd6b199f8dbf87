/** Special pages by their names in every language, and by those that the wiki itself has for them. */
import { expect, it } from 'vitest'
import {
  decodeManifest,
  encodeManifest,
  newManifest
} from '../../../../src/recorder/cassette/format/manifest.ts'
import { toPlain } from '../../../../src/recorder/json/plain-json.ts'
import { decodeSiteinfo } from '../../../../src/recorder/wiki/site/site-facts.ts'
import { specialPageOf } from '../../../../src/recorder/wiki/site/special-pages.ts'

const site = decodeSiteinfo({
  query: {
    general: { generator: 'MediaWiki 1.99.0', lang: 'de' },
    namespaces: { '-1': { id: -1, name: 'Sonder', canonical: 'Special' } },
    specialpagealiases: [
      { realname: 'Preferences', aliases: ['Vorlieben', 'Einstellungen'] },
      { realname: 'AccountSecurity', aliases: ['Kontosicherheit'] },
      { realname: 'Version', aliases: ['Fassung'] }
    ]
  }
})

it('names of the wiki alone are kept, and those of other pages are not', () => {
  expect([...(site?.specialPages ?? [])]).toEqual([
    ['vorlieben', 'Preferences'],
    ['kontosicherheit', 'OATHManage']
  ])
  expect(specialPageOf('Sonder:vorlieben/x', site)).toBe('Preferences')
  expect(specialPageOf('Special:Kontosicherheit', site)).toBe('OATHManage')
  expect(specialPageOf('Sonder:Fassung', site)).toBe('fassung')
  expect(specialPageOf('Sonder:Constructor', site)).toBe('constructor')
})

it('the cassette keeps them', () => {
  const file = toPlain(
    encodeManifest({ ...newManifest('http://wiki.test/w/api.php'), site })
  )
  const reading = decodeManifest(file)
  expect(reading.kind === 'manifest' && reading.manifest.site).toEqual(site)
})
