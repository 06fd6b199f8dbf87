/** A request that stops on its way keeps a connection for a minute at most. */
import { expect, it } from 'vitest'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { sendBytes } from '../../helpers/http-client.ts'
import { startProxy } from '../../helpers/proxies.ts'

it('a head that is not whole after 60 seconds is closed within 5 more', async () => {
  const proxy = await startProxy((await fakeWiki()).api)
  const begun = performance.now()
  const reply = await sendBytes(proxy.origin, 'GET /w/api.php HTTP/1.1\r\nHost: local')
  const seconds = (performance.now() - begun) / 1000
  expect(reply).toMatch(/^HTTP\/1\.1 40[08] /)
  expect(seconds).toBeGreaterThan(59)
  expect(seconds).toBeLessThan(66)
})
