/** Text made to send patterns backwards and forwards: each must be done within the time that a test has. */
import { describe, it } from 'vitest'
import { scanFile } from '../../../src/recorder/privacy/detect/scan-file.ts'
import { SecretRegistry } from '../../../src/recorder/privacy/known/secret-registry.ts'
import { redactResponse } from '../../../src/recorder/privacy/redact/redact-response.ts'
import { redactUrl } from '../../../src/recorder/privacy/redact/redact-url.ts'
import { scaled } from '../../helpers/scale.ts'
import { answer, json, page } from './answers.ts'

/** Letters. What is backtracked over takes minutes at either size. */
const size = scaled(120_000, 1_000_000)
const ledger = new SecretRegistry()
ledger.learnFromRequest(
  new Map([
    ['lgpassword', 'aaaaaaaaa1'],
    ['password', 'token="token="1']
  ]),
  []
)

const units: readonly string[] = [
  ...[
    'a',
    'f',
    '=',
    '\\',
    '"',
    '\ud83d',
    '{',
    '?a=',
    '&a=b',
    'f:',
    '1.2.3.4',
    '+\\',
    '%2B%5C',
    '&quot;',
    'f+\\'
  ],
  ...[
    'token',
    'token=',
    'token="',
    '?token=',
    '&token=a1b2c3d4e5f6',
    'token="token=\'token=&quot;token=%22',
    'email=a@b'
  ],
  ...[
    '[token] => ',
    '.eyJ',
    'eyJaaaaaaaa.',
    '-----BEGIN ',
    'https://a:b',
    'basic aaaa',
    'cookie: sess=',
    '<userinfo '
  ],
  ...[
    '<input ',
    '<input name="token" value="',
    'a="b" ',
    'id="pt-anonuserpage"',
    'a:1:{',
    'a:1:{i:0;',
    's:9:"token";'
  ]
]
const texts = units.map((unit) => unit.repeat(Math.ceil(size / unit.length)))

describe('a long text of', { timeout: 30_000 }, () => {
  it.each(texts.map((text, at) => [units[at], text] as const))('%j', (_, text) => {
    redactResponse(page(text))
    if (/[a<]/.test(text)) redactResponse(page(`<?xml?>${text}`))
    if (/[as]:/.test(text)) redactResponse(page(`a:9:{${text}`))
    redactResponse(
      answer(json({ x: text, token: text.slice(0, 5000) }), { location: text })
    )
    scanFile('a.json', text)
    scanFile(text, JSON.stringify({ name: 'token', value: text }))
    ledger.findLeaks(text)
    ledger.learnFromRequest(new Map([['lgpassword', text]]), [
      ['Cookie', text],
      ['Authorization', `OAuth ${text}`]
    ])
    redactUrl(text)
  })
})

/** V8's stack for going back in a pattern ends at some 5 million characters of a run. */
it.each(['ab1', 'eyJaaaaaaaa', 'a-', '%41', '%25'])('one run of 12 MB of %s', (unit) => {
  const text = unit.repeat(Math.ceil(12_000_000 / unit.length))
  scanFile('a.json', text)
  ledger.findLeaks(text)
  ledger.learnFromRequest(new Map([['text', text]]), [])
})

it('many different secrets in one answer', () => {
  const tokens = Array.from({ length: 5_000 }, (_, at) => ({
    token: `f3a9c0de11b24cd5e6f708192a${String(at).padStart(6, '0')}`
  }))
  const { secrets } = redactResponse(answer(json({ tokens })))
  ledger.learnFromResponse(secrets)
})
