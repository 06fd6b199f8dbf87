/** Servers begun from a program: `startRecording` reaches a wiki on the same ways as `wikitape record`, and what is closed ends. */
import { once } from 'node:events'
import net from 'node:net'
import path from 'node:path'
import { expect, it } from 'vitest'
import { startRecording, startReplay } from '../../../src/index.ts'
import { temporaryFolder } from '../../helpers/folders.ts'
import { ask } from '../../helpers/http-client.ts'
import { shipped } from '../../helpers/shipped.ts'
import { authority, proxyTo, tlsWiki } from '../../helpers/tls.ts'

const apiUrl = 'https://wiki.test/w/api.php'

it('goes through a proxy to a wiki with an authority of its own', async () => {
  const { port, lines } = await proxyTo(await tlsWiki('wiki'))
  const cassette = path.join(temporaryFolder(), 'tape')
  const options = { apiUrl, cassette, proxy: `http://127.0.0.1:${port}` }
  const serving = await startRecording({ ...options, cacert: authority })
  const reply = await ask(`${serving.apiUrl}?action=query&list=allpages&format=json`)
  await serving.close()
  expect([reply.headers['x-cassette-status'], lines[0]]).toEqual([
    'recorded',
    'CONNECT wiki.test:443'
  ])
})

it('tells at once what cannot be used', () => {
  const cassette = path.join(temporaryFolder(), 'tape')
  expect(() => startRecording({ apiUrl, cassette, proxy: 'socks5://a:1' })).toThrow(
    'the proxy socks5://a:1 cannot be used'
  )
})

it('whoever closes it hears the counts, also twice at once, with a client that asks nothing', async () => {
  const serving = await startReplay({ cassette: shipped('1.43') })
  const silent = net.connect(Number(new URL(serving.apiUrl).port), '127.0.0.1')
  await once(silent, 'connect')
  const closed = await Promise.all([serving.close(), serving.close()])
  expect([...closed, await serving.close()]).toEqual(
    Array.from({ length: 3 }, () => serving.counts())
  )
})
