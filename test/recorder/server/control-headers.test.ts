/** Control headers and the path prefix: obeyed, checked, never forwarded, never recorded. */
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { isCassetteName } from '../../../src/recorder/server/control-headers.ts'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import {
  allTextIn,
  filesIn,
  interactionFiles,
  temporaryFolder
} from '../../helpers/folders.ts'
import { ask, sendBytes } from '../../helpers/http-client.ts'
import { startProxy } from '../../helpers/proxies.ts'

const query = '?action=query&format=json&list=allpages&apfrom=A'

describe('a cassette by name', () => {
  it.each([
    ['header', '/w/api.php', { 'x-cassette': 'other' }],
    ['path prefix', '/~other/w/api.php', {}],
    ['escaped path prefix', '/~%6fther/w/api.php', {}]
  ])(
    'by %s lies beside the one named at the start, and nothing of it reaches wiki or file',
    async (_, at, headers) => {
      const root = temporaryFolder()
      const wiki = await fakeWiki()
      const proxy = await startProxy(wiki.api, { cassette: path.join(root, 'tape') })
      const reply = await ask(proxy.origin + at + query, {
        headers: { ...headers, 'x-cassette-session': 'one', 'x-cassette-mode': 'all' }
      })
      await proxy.close()
      expect(reply.headers['x-cassette-status']).toBe('recorded')
      expect(interactionFiles(path.join(root, 'other')).length).toBe(1)
      // So that a replay finds what its flag names.
      const ofFlag = [...filesIn(root).keys()].filter((name) => name.startsWith('tape/'))
      expect(ofFlag).toEqual(['tape/cassette.json'])
      expect(allTextIn(root).toLowerCase()).not.toMatch(/x-cassette|~other|%6fther/)
      for (const { target, rawHeaders } of wiki.seen) {
        expect(`${target} ${rawHeaders.join(' ')}`.toLowerCase()).not.toMatch(
          /x-cassette|~|%6f/
        )
        expect(target).toMatch(/^\/w\/api\.php\?/)
      }
    }
  )

  it('is replayed under its name', async () => {
    const root = temporaryFolder()
    const wiki = await fakeWiki()
    const proxy = await startProxy(wiki.api, { cassette: path.join(root, 'tape') })
    await ask(
      `${proxy.origin}/~волга/w/api.php${query}`.replace(
        'волга',
        encodeURIComponent('волга')
      )
    )
    await ask(proxy.api + query)
    await proxy.close()
    const replay = await startProxy(undefined, { cassette: path.join(root, 'tape') })
    const byHeader = await ask(replay.api + query, {
      headers: { 'x-cassette': Buffer.from('волга').toString('latin1') }
    })
    const byPath = await ask(
      `${replay.origin}/~${encodeURIComponent('волга')}/w/api.php${query}`
    )
    expect([byHeader, byPath].map(({ headers }) => headers['x-cassette-status'])).toEqual(
      ['replayed', 'replayed']
    )
  })

  it('that does not exist is said to be missing, with the command that records it', async () => {
    const root = temporaryFolder()
    const wiki = await fakeWiki()
    const proxy = await startProxy(wiki.api, { cassette: path.join(root, 'tape') })
    await ask(proxy.api + query)
    await proxy.close()
    const replay = await startProxy(undefined, { cassette: path.join(root, 'tape') })
    const reply = await ask(`${replay.origin}/~nosuch/w/api.php${query}`)
    expect(reply.status).toBe(404)
    expect(reply.text).toContain('wikitape record <api-url> --cassette')
    expect((await ask(replay.api + query)).status).toBe(200)
  })
})

describe('a cassette by a bad name', () => {
  it.each([
    '/~..',
    '/~%2e%2e',
    '/~.',
    '/~.hidden',
    '/~a%2fb',
    '/~a%5cb',
    '/~a%00b',
    '/~',
    '/~%',
    '/~a b',
    '/~%ff'
  ])('is refused where it is no plain folder name: %s', async (prefix) => {
    const root = temporaryFolder()
    const wiki = await fakeWiki()
    const proxy = await startProxy(wiki.api, { cassette: path.join(root, 'in', 'tape') })
    const reply = await sendBytes(
      proxy.origin,
      `GET ${prefix}/w/api.php${query} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
    )
    expect(reply).toMatch(/^HTTP\/1\.1 400 /)
    expect(wiki.seen.length).toBe(0)
    expect([...filesIn(root).keys()]).toEqual([])
  })

  it.each([
    '..',
    '../x',
    '/etc',
    'a/b',
    'a\\b',
    '.x',
    'a'.repeat(81),
    'a:b',
    'con',
    'NUL',
    'aux.tape',
    'lpt1',
    'com¹',
    'tape.',
    'a..',
    '%2e%2e'
  ])('is refused in a header too: %s', async (name) => {
    const wiki = await fakeWiki()
    const proxy = await startProxy(wiki.api)
    const reply = await ask(proxy.api + query, { headers: { 'x-cassette': name } })
    expect([reply.status, reply.headers['mediawiki-api-error']]).toEqual([
      400,
      'bad-control'
    ])
    expect(reply.text).toContain('is not a plain folder name')
  })

  it('is a folder name in any script', () => {
    expect(['a', 'ru-1.43', 'волга', '日本', 'a_b.c-d'].every(isCassetteName)).toBe(true)
  })
})
