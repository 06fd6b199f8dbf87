import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  parseSetCookie,
  writeSetCookie
} from '../../../../src/recorder/wiki/cookies/session-cookies.ts'
import { goldenSeeds } from '../../../helpers/golden-calls.ts'

const now = Date.parse('2026-11-21T00:00:00Z')
const day = 86_400

describe('a cookie that a wiki sets', () => {
  it('is kept with a date relative to the answer', () => {
    expect(
      parseSetCookie(
        'wikiLoggedOut=1795000000; expires=Sun, 22-Nov-2026 00:00:00 GMT; Max-Age=86400; path=/; HttpOnly',
        now
      )
    ).toEqual({
      name: 'wikiLoggedOut',
      value: '1795000000',
      attributes: ['path=/', 'HttpOnly'],
      expiresIn: day
    })
  })

  it.each([
    ['a=1; expires=Sat, 21 Nov 2026 00:00:00 GMT', 0],
    ['a=1; expires=Fri, 20-Nov-2026 00:00:00 GMT', -day],
    ['a=1; Expires=Thu, 01-Jan-1970 00:00:01 GMT; Max-Age=0', -31_536_000],
    ['a=1; Max-Age=3600', 3600],
    ['a=1; Max-Age=-1', -1],
    ['a=1; Max-Age=', undefined],
    ['a=1; Max-Age=soon', undefined],
    ['a=1; expires=never', undefined],
    ['a=1; path=/', undefined],
    ['a=1', undefined]
  ])('%s expires in %s seconds', (header, expected) => {
    expect(parseSetCookie(header, now).expiresIn).toBe(expected)
  })

  it('does not show in which second it was recorded', () => {
    const header = 'a=1; expires=Sun, 22 Nov 2026 00:00:00 GMT'
    for (const late of [0, 1000, 2300, 4900])
      expect(parseSetCookie(header, now + late).expiresIn).toBe(day)
  })
})

describe('a cookie that is written', () => {
  it('is written with a date counted from the present, bound to no host', () => {
    const cookie = parseSetCookie(
      'a=b=c; expires=Sun, 22 Nov 2026 00:00:00 GMT; path=/; Domain=wiki.org; Secure; HttpOnly; SameSite=None',
      now
    )
    expect(writeSetCookie(cookie, now)).toBe(
      'a=b=c; expires=Sun, 22 Nov 2026 00:00:00 GMT; Max-Age=86400; path=/; HttpOnly'
    )
    const muchLater = now + 365 * day * 1000
    expect(writeSetCookie(cookie, muchLater)).toContain(
      'expires=Mon, 22 Nov 2027 00:00:00 GMT'
    )
    expect(writeSetCookie({ ...cookie, attributes: ['SameSite=Lax'] }, now)).toContain(
      'SameSite=Lax'
    )
  })

  it('stays deleted', () => {
    const written = writeSetCookie(
      parseSetCookie(
        'a=deleted; expires=Thu, 01-Jan-1970 00:00:01 GMT; Max-Age=0; path=/',
        now
      ),
      now
    )
    expect(written).toBe(
      'a=deleted; expires=Fri, 21 Nov 2025 00:00:00 GMT; Max-Age=0; path=/'
    )
  })

  it('comes back from its own writing', () => {
    const token = fc.string({
      unit: fc.constantFrom('a', '1', '_', '%', '='),
      minLength: 1
    })
    fc.assert(
      fc.property(
        token,
        token,
        fc.option(
          fc.integer({ min: -3_000_000, max: 3_000_000 }).map((ten) => ten * 10),
          { nil: undefined }
        ),
        (name, value, expiresIn) => {
          fc.pre(!name.includes('='))
          const cookie = { name, value, attributes: ['path=/', 'HttpOnly'], expiresIn }
          expect(parseSetCookie(writeSetCookie(cookie, now), now)).toEqual(cookie)
        }
      )
    )
  })

  it('is one of the four that logging out of a real 1.25.4 sets', () => {
    const logouts = goldenSeeds.filter(({ q }) => q.includes('action=logout'))
    expect(logouts).toHaveLength(5)
    for (const { cookies } of logouts) {
      const parsed = cookies.map((cookie) => parseSetCookie(cookie, now))
      expect(parsed.map(({ name }) => name.replace(/^wiki125/, '')).sort()).toEqual(
        expect.arrayContaining(['LoggedOut', 'Token', 'UserID'])
      )
    }
  })
})
