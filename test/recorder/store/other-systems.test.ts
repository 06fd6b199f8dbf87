/** Cassettes as other systems hand them on: line ends, folders and names, as far as it can be seen here. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { interactionPath } from '../../../src/recorder/cassette/interaction-path.ts'
import { folderOfFile, slugOf } from '../../../src/recorder/cassette/test-names.ts'
import { parseRequestKey } from '../../../src/recorder/request/request-key.ts'
import { CassetteStore } from '../../../src/recorder/store/cassette-store.ts'
import { shellQuote } from '../../../src/recorder/store/command-name.ts'
import { character } from '../../helpers/any-text.ts'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { filesIn, temporaryFolder } from '../../helpers/folders.ts'
import { ask } from '../../helpers/http-client.ts'
import { run } from '../../helpers/program.ts'
import { startProxy } from '../../helpers/proxies.ts'

const list = '?action=query&list=allpages&format=json'

async function recorded(): Promise<string> {
  const proxy = await startProxy((await fakeWiki()).api)
  for (const query of [list, `${list}&apfrom=Волга`]) await ask(proxy.api + query)
  await ask(`${proxy.origin}/w/a.txt`)
  await proxy.close()
  return proxy.cassette
}

async function replayed(cassette: string): Promise<readonly string[]> {
  const proxy = await startProxy(undefined, { cassette })
  const addresses = [
    proxy.api + list,
    `${proxy.api}${list}&apfrom=Волга`,
    `${proxy.origin}/w/a.txt`
  ]
  const replies = await Promise.all(addresses.map((one) => ask(one)))
  await proxy.close()
  return replies.map(({ headers, text }) => `${headers['x-cassette-status']} ${text}`)
}

describe('a cassette that git has given the line ends of Windows', () => {
  it('is served as before, has no faults, and is made as it was by normalize', async () => {
    const cassette = await recorded()
    const before = filesIn(cassette)
    const answers = await replayed(cassette)
    for (const name of before.keys()) {
      const text = readFileSync(path.join(cassette, name), 'utf8')
      writeFileSync(path.join(cassette, name), `\ufeff${text.replaceAll('\n', '\r\n')}`)
    }
    expect(await replayed(cassette)).toEqual(answers)
    expect(answers.map((one) => one.split(' ', 1)[0])).toEqual([
      'replayed',
      'replayed',
      'replayed'
    ])
    expect(await run(['check', cassette])).toMatchObject({ code: 0 })
    expect(await run(['normalize', cassette])).toMatchObject({ code: 0 })
    for (const [name, text] of filesIn(cassette))
      if (!name.startsWith('paraminfo/') && name !== 'cassette.json')
        expect(text).toBe(before.get(name))
  })

  it('is asked for by a file of requests with them', async () => {
    const wiki = await fakeWiki()
    const folder = temporaryFolder()
    const calls = path.join(folder, 'calls.txt')
    writeFileSync(
      calls,
      '# two\r\naction=query&list=allpages\r\n\r\naction=query&list=allpages&apfrom=B\r\n'
    )
    const { code, stderr } = await run([
      'capture',
      wiki.api,
      '--requests',
      calls,
      '--cassette',
      path.join(folder, 'tape')
    ])
    expect([code, stderr]).toEqual([0, expect.stringContaining('2 of 2 requests done')])
    expect(wiki.asked().some((query) => /\r|%0D/i.test(query))).toBe(false)
  })
})

describe('where case is not told apart', () => {
  const keys = fc
    .array(fc.constantFrom(...'0123456789abcdef'), { minLength: 12, maxLength: 12 })
    .map((letters) => parseRequestKey(letters.join('')))
    .filter((key) => key !== undefined)

  it('no two recordings have one file, whatever was asked', () => {
    const requests = fc
      .tuple(
        fc.string({ unit: character }),
        fc.constantFrom('parse', 'Parse', 'query', 'QUERY')
      )
      .map(
        ([title, action]) =>
          new Map([
            ['action', action],
            ['titles', title]
          ])
      )
    fc.assert(
      fc.property(requests, requests, keys, keys, (one, other, keyOne, keyOther) => {
        fc.pre(keyOne !== keyOther)
        const a = interactionPath(one, keyOne)
        const b = interactionPath(other, keyOther)
        expect(a.normalize('NFC').toLowerCase()).not.toBe(
          b.normalize('NFC').toLowerCase()
        )
      })
    )
  })

  it('a module is not described by the file of another that differs in case', async () => {
    const cassette = await recorded()
    const described = path.join(cassette, 'paraminfo')
    // As the file system would find it.
    copyFileSync(
      path.join(described, 'query+allpages.json'),
      path.join(described, 'query+AllPages.json')
    )
    const store = CassetteStore.open(cassette)
    expect(store.module('query+allpages')?.path).toBe('query+allpages')
    expect([store.module('query+AllPages'), store.moduleText('query+AllPages')]).toEqual([
      undefined,
      undefined
    ])
  })
})

describe('on Windows', () => {
  it('folders in commands are written so that every shell takes them', () => {
    expect(shellQuote(path.win32.join('cassettes', 'mine'), path.win32.sep)).toBe(
      'cassettes/mine'
    )
    expect(shellQuote('C:\\Users\\Anna Müller\\tape', path.win32.sep)).toBe(
      "'C:/Users/Anna Müller/tape'"
    )
    expect(shellQuote('a\\b', path.posix.sep)).toBe("'a\\b'")
  })

  it('the cassette of a test is the same as elsewhere', () => {
    expect(folderOfFile(path.win32.join('test', 'unit', 'pages.test.ts'))).toBe(
      'test/unit/pages.test'
    )
    expect(slugOf('con')).not.toBe('con')
  })
})
