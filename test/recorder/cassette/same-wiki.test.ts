/** Whether two addresses, and what is known of the wikis there, are of one wiki. */
import { describe, expect, it } from 'vitest'
import {
  compareWikis,
  type WikiIdentity
} from '../../../src/recorder/cassette/wiki-identity.ts'

const wiki = (upstream: string, wikiId?: string, lang = ''): WikiIdentity => ({
  upstream,
  site: { lang, ...(wikiId === undefined ? {} : { wikiId }) }
})
const here = 'http://wiki.example/w/api.php'

describe('by address alone', () => {
  it.each([
    ['same', here, here],
    ['same', here, 'HTTP://WIKI.example:80/w/api.php'],
    ['same', here, 'http://wiki.example./w/api.php'],
    ['same', 'http://localhost:8080/w/api.php', 'http://127.0.0.1:8080/w/api.php'],
    ['same', 'http://[::1]:8080/w/api.php', 'http://127.0.0.1:8080/w/api.php'],
    ['same', '', here],
    ['moved', here, 'https://wiki.example/w/api.php'],
    ['unproven', here, 'http://wiki.example:8080/w/api.php'],
    ['unproven', 'http://127.0.0.1:8080/w/api.php', 'http://127.0.0.1:8081/w/api.php'],
    ['unproven', 'http://127.0.0.1:8080/w/api.php', 'http://127.0.0.2:8080/w/api.php'],
    ['unproven', 'http://wiki.example/en/api.php', 'http://wiki.example/de/api.php'],
    ['unproven', here, 'http://wiki.example/W/api.php'],
    ['unproven', 'https://en.wiki.example/w/api.php', 'https://de.wiki.example/w/api.php']
  ])('%s: %s, %s', (match, recorded, asked) => {
    expect(compareWikis(wiki(recorded), wiki(asked))).toBe(match)
    expect(
      compareWikis(wiki(recorded, 'mywiki'), { upstream: asked, site: undefined })
    ).toBe(match)
  })
})

describe('by what the wikis say of themselves', () => {
  const there = 'https://moved.example/api.php'
  it.each([
    ['same', wiki(here, 'mywiki'), wiki(here, 'mywiki')],
    ['moved', wiki(here, 'mywiki'), wiki(there, 'mywiki')],
    ['moved', wiki(here, 'mywiki', 'en'), wiki(there, 'mywiki', 'de')],
    ['other', wiki(here, 'enwiki'), wiki(there, 'dewiki')],
    ['other', wiki(here, 'enwiki'), wiki(here, 'dewiki')],
    ['other', wiki(here, undefined, 'en'), wiki(there, 'dewiki', 'de')],
    ['unproven', wiki(here, undefined, 'en'), wiki(there, 'enwiki', 'en')],
    ['same', wiki(here, undefined, 'en'), wiki(here, 'enwiki', 'en')]
  ] as const)('%s', (match, recorded, asked) => {
    expect(compareWikis(recorded, asked)).toBe(match)
  })
})
