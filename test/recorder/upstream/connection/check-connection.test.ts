import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  toUpstreamError,
  whyUnreachable
} from '../../../../src/recorder/upstream/connection/connection-errors.ts'
import { fakeWiki } from '../../../helpers/fake-wiki.ts'
import { authority, proxyTo, tlsWiki } from '../../../helpers/tls.ts'
import { deadOrigin, socketStandIn } from '../../../helpers/upstreams.ts'

const timeout = 20_000

it('a wiki that answers is connected to, and asked nothing', async () => {
  const wiki = await fakeWiki()
  expect(
    await whyUnreachable({ origin: new URL(wiki.api).origin, timeout })
  ).toBeUndefined()
  expect(wiki.seen).toEqual([])
})

it('nobody there, a dead proxy, a certificate that is not believed: each by its name', async () => {
  const dead = await deadOrigin()
  expect((await whyUnreachable({ origin: dead, timeout }))?.message).toBe(
    `${dead} cannot be reached (ECONNREFUSED)`
  )
  const behind = await whyUnreachable({
    origin: 'https://wiki.test',
    proxy: dead,
    timeout
  })
  expect(behind?.message).toContain(`through the proxy ${dead}`)
  const origin = `https://127.0.0.1:${await tlsWiki('wiki')}`
  expect((await whyUnreachable({ origin, timeout }))?.fault).toBe('untrusted')
  expect(
    await whyUnreachable({ origin, timeout, ca: [readFileSync(authority, 'utf8')] })
  ).toBeUndefined()
  expect(await whyUnreachable({ origin, timeout, insecure: true })).toBeUndefined()
})

it('a proxy is connected to for a name that only it knows, and is asked for nothing', async () => {
  const proxy = await proxyTo(1)
  const way = {
    origin: 'https://wiki.test',
    proxy: `http://127.0.0.1:${proxy.port}`,
    timeout
  }
  expect(await whyUnreachable(way)).toBeUndefined()
  expect(proxy.lines).toEqual([])
})

it('a port where TLS never begins counts as silent', async () => {
  const mute = await socketStandIn(() => undefined)
  const why = await whyUnreachable({
    origin: mute.origin.replace('http:', 'https:'),
    timeout: 50
  })
  expect(why?.fault).toBe('timeout')
})

it('nock 15 on Node 20, which every connection fails with', () => {
  const error = new TypeError('Promise.withResolvers is not a function')
  const { message } = toUpstreamError(error, undefined, {
    origin: 'https://wiki.test',
    timeout
  })
  expect(message).toContain(
    'https://wiki.test: request not sent: the installed nock needs Node.js 22 or newer'
  )
})
