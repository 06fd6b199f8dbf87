/** Which cookies are MediaWiki's own, by the names that public wikis and their edges have set. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  identifiesSession,
  parseSetCookie,
  selectSessionCookies,
  withoutCookiePrefix
} from '../../../../src/recorder/wiki/cookies/session-cookies.ts'
import { goldenCalls } from '../../../helpers/golden-calls.ts'

const counting = (...names: string[]): readonly string[] =>
  selectSessionCookies(names.map((name) => ({ name }))).map(({ name }) => name)

/** Of 1,454 recordings of public wikis, and of edges in use elsewhere. */
const ofEdges: readonly string[] = [
  ...[
    'WMF-Last-Access',
    'WMF-Last-Access-Global',
    'WMF-Uniq',
    'WMF-DP',
    'GeoIP',
    'NetworkProbeLimit'
  ],
  ...[
    'wikia_beacon_id',
    'wikia_session_id',
    'Geo',
    'b2t',
    'tracking_session_id',
    'fandom_mwuuid'
  ],
  ...[
    '__cf_bm',
    '__cflb',
    'cf_clearance',
    '_cfuvid',
    'AWSALB',
    'AWSALBCORS',
    'SERVERID',
    'JSESSIONID'
  ],
  ...[
    'UseDC',
    'UseCDNCache',
    'cpPosIndex',
    'loginnotify_prevlogins',
    'XSRF-TOKEN',
    'csrfToken'
  ],
  ...['mf_useformat', 'stopMobileRedirect', 'enwikimwuser-sessionId', 'ruwikiBlockID']
]

const ofLogins: readonly (readonly string[])[] = [
  ['ruwiki_session', 'ruwikiUserID', 'ruwikiUserName', 'ruwikiToken', 'forceHTTPS'],
  ['enwikiSession', 'enwikiUserID', 'enwikiUserName', 'enwikiToken', 'forceHTTPS'],
  ['centralauth_User', 'centralauth_Token', 'centralauth_Session'],
  ['ss0-enwikiSession', 'ss0-enwikiUserID', 'ss0-enwikiToken', 'ss0-centralauth_Token'],
  ['my_wiki_BPsession', 'my_wiki_session', 'my_wikiUserID', 'my_wikiUserName'],
  ['wiki125LoggedOut', 'wiki125Token', 'wiki125UserID']
]

describe('cookies of MediaWiki’s sessions', () => {
  it.each(ofLogins)('%s count, all of the answer', (...names) => {
    expect(counting(...names)).toEqual(names)
  })

  it.each(ofEdges)('%s does not', (name) => {
    expect(counting(name)).toEqual([])
  })

  it('are told from an edge’s in whatever company and order they come', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ofLogins),
        fc.shuffledSubarray([...ofEdges]),
        fc.infiniteStream(fc.nat()),
        (login, edge, lots) => {
          const mixed = [...login, ...edge]
            .map((name) => [name, lots.next().value ?? 0] as const)
            .sort((a, b) => a[1] - b[1])
            .map(([name]) => name)
          expect([...counting(...mixed)].sort()).toEqual([...login].sort())
        }
      )
    )
  })

  it('are all that a real 1.25.4 sets', () => {
    for (const { cookies } of goldenCalls) {
      const parsed = cookies.map((one) => parseSetCookie(one, 0))
      expect(selectSessionCookies(parsed)).toEqual(parsed)
    }
  })

  it('are joined by those that the operator keeps', () => {
    const kept = { name: 'mf_useformat', optedIn: true } as const
    const other = { name: 'GeoIP' }
    expect(selectSessionCookies([kept, other])).toEqual([kept])
  })
})

describe('names of cookies', () => {
  it.each([
    ['ruwiki_session', true],
    ['enwikiSession', true],
    ['ruwiki_BPsession', true],
    ['ruwikiToken', true],
    ['ruwikiUserID', false],
    ['ruwikiLoggedOut', false],
    ['wikia_session_id', false]
  ])('%s proves a session: %s', (name, proves) => {
    expect(identifiesSession(name)).toBe(proves)
  })

  it('are compared without the wiki’s prefix', () => {
    expect(
      ['ruwiki_session', 'enwikiToken', 'centralauth_Token', 'GeoIP'].map(
        withoutCookiePrefix
      )
    ).toEqual(['_session', 'Token', 'centralauth_Token', 'GeoIP'])
  })
})
