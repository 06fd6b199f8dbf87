import fc from 'fast-check'
import { expect, it } from 'vitest'
import { redactUrl } from '../../../../src/recorder/privacy/redact/redact-url.ts'

it.each([
  ['https://u:p@wiki.test/w/api.php', 'https://wiki.test/w/api.php'],
  ['https://u:p@ss@wiki.test', 'https://wiki.test'],
  ['  https:\\\\u:p@wiki.test\\w', '  https:\\\\wiki.test\\w'],
  ['https:u:p@wiki.test/w', 'https:wiki.test/w'],
  ['//u@wiki.test/w', '//wiki.test/w'],
  ['u:p@wiki.test/w', 'wiki.test/w'],
  ['http://wiki.test/w/@me?x=a@b', 'http://wiki.test/w/@me?x=a@b'],
  [
    'http://wiki.test/w/api.php?access_token=abc&x=1',
    'http://wiki.test/w/api.php?access_token=redacted-token&x=1'
  ],
  ['not a url', 'not a url'],
  ['/~@pwb/w/api.php?lgpassword=S', '/~@pwb/w/api.php?lgpassword=redacted-password'],
  ['/~tape@pwb/w/api.php', '/~tape@pwb/w/api.php']
])('%s becomes %s', (url, expected) => {
  expect(redactUrl(url)).toBe(expected)
})

it('leaves no credentials that the platform can read', () => {
  const part = fc.string({ unit: fc.constantFrom(...'ab1:@/\\?#%&+ é[]'), maxLength: 12 })
  fc.assert(
    fc.property(
      fc.constantFrom('http', 'https', 'HTTPS'),
      fc.constantFrom('://', ':', ':\\\\', ':///'),
      part,
      part,
      (scheme, sep, user, rest) => {
        const url = `${scheme}${sep}${user}@wiki.test/${rest}`
        const bare = redactUrl(url)
        if (!URL.canParse(url) || !URL.canParse(bare)) return
        expect(new URL(bare).username + new URL(bare).password).toBe('')
        expect(new URL(bare).host).toBe(new URL(url).host)
      }
    )
  )
})
