/** What a request does beside answering, where nobody described its module. */
import { expect, it } from 'vitest'
import { effectOf } from '../../../../src/recorder/wiki/effects/request-effect.ts'
import { parseUrlencoded } from '../../../../src/recorder/wiki/parameters/request-params.ts'

it.each([
  ['action=parse&text=x&token=abc', 'read'],
  ['action=expandtemplates&text=x&token=abc', 'read'],
  ['action=edit&title=A&token=abc', 'write'],
  ['action=wbeditentity&id=Q1&token=abc', 'write'],
  ['action=somethingnew&token=abc', 'write'],
  ['action=somethingnew', 'read']
])('%s is a %s', (query, effect) => {
  const params = parseUrlencoded(query)
  const path = params.get('action') ?? ''
  expect(effectOf([{ path, prefix: '', description: undefined }], params)).toBe(effect)
})
