/** Narrower keys of one request, and how keys are read and sorted. */
import { describe, expect, it } from 'vitest'
import { derive } from '../../../src/recorder/request/derive.ts'
import {
  digest,
  keyedRequest,
  parseRequestKey,
  requestKey
} from '../../../src/recorder/request/request-key.ts'
import {
  keyForAnonymous,
  keyForEpoch,
  keyForExactOrder,
  keyForRefusedOrigin,
  keyForSession,
  keyForTokenKind
} from '../../../src/recorder/request/scoped-keys.ts'
import { apiRequest } from '../../helpers/api-requests.ts'
import { factsOfWiki } from '../../helpers/described-wikis.ts'

const facts = factsOfWiki('1.43')
const of = (query: string) => derive(apiRequest(query, { identity: 'user:Bob' }), facts)
const request = of('action=query&titles=Б|А')

describe('the same request', () => {
  it.each([
    [
      'after writes',
      keyForEpoch(request, 'aaaaaaaaaaaa'),
      { 'after writes': 'aaaaaaaaaaaa' }
    ],
    ['of one session', keyForSession(request, 'mine'), { 'in session': 'mine' }],
    [
      'of a session without a name',
      keyForSession(request, undefined),
      { 'in session': '(another)' }
    ],
    [
      'at a refused origin',
      keyForRefusedOrigin(request, 'https://x'),
      { 'refused origin': 'https://x' }
    ],
    [
      'with another token',
      keyForTokenKind(request, 'token', '(token)'),
      { token: '(token)' }
    ],
    ['in its order', keyForExactOrder(request), { 'titles in order': 'Б|А' }]
  ])('%s has one name more, and a key of its own', (_, place, more) => {
    expect(Object.fromEntries(place.canonical)).toEqual({
      ...Object.fromEntries(request.canonical),
      ...more
    })
    expect(place.key).toBe(requestKey(place.canonical))
    expect(place.key).not.toBe(request.key)
  })

  it.each([
    'action=query&titles=А',
    'action=query&titles=А&a=1&b=2',
    'action=query&titles=А&b=1&a=2',
    'action=query&titles=Б|А&b=1&a=2',
    'action=query&titles=а&b=1&a=2'
  ])(
    'in its order has a key of its own, whatever else the plain one tells apart: %s',
    (query) => {
      const one = of(query)
      expect(keyForExactOrder(one).key).not.toBe(one.key)
    }
  )

  it('in one session and in another are two', () => {
    const asked = of('action=query&titles=А')
    const [mine, yours, again] = ['mine', 'yours', 'mine'].map(
      (name) => keyForSession(asked, name).key
    )
    expect(mine).not.toBe(yours)
    expect(again).toBe(mine)
    expect(keyForSession(asked, undefined).canonical.get('in session')).toBe('(another)')
    expect(keyForExactOrder(asked).key).toBe(
      keyForExactOrder(of('action=query&titles=А')).key
    )
  })

  it('before any write is the request itself', () => {
    expect(keyForEpoch(request, '')).toBe(request)
  })

  it('of anybody has no name in it', () => {
    expect(keyForAnonymous(request).key).toBe(
      derive(apiRequest('action=query&titles=Б|А'), facts).key
    )
  })

  it('says so where it was sent in the order of its key', () => {
    const folded = keyForExactOrder(of('action=query&titles=А|Б'))
    expect(folded.canonical.get('all in order')).toBe('as folded')
  })
})

describe('a key', () => {
  it('is twelve hex digits, no more and no fewer', () => {
    const read = [
      '0123456789ab',
      '0123456789abc',
      '0123456789a',
      '0123456789AB',
      'x0123456789ab'
    ].map(parseRequestKey)
    expect(read).toEqual(['0123456789ab', ...Array(4).fill(undefined)])
    expect(digest('text', 12)).toBe('982d9e3eb996')
  })

  it('is made of parameters in the order of their names', () => {
    const sorted = new Map([
      ['', '0'],
      ['a', '1'],
      ['b', '2']
    ])
    expect([...keyedRequest(sorted).canonical]).toEqual([...sorted])
    const turned = keyedRequest(new Map([...sorted].reverse())).canonical
    expect([...turned.keys()]).toEqual(['', 'a', 'b'])
  })
})
