/** Who may use the forward proxy. */
import { spawn } from 'node:child_process'
import { expect, it } from 'vitest'
import { ask } from '../../../helpers/http-client.ts'
import { connectThrough, proxiedServer } from '../../../helpers/proxied.ts'

const target = 'https://en.wiki.test/w/api.php?action=query&format=json'

it('refuses a wrong token, in tunnels and without', async () => {
  const proxied = await proxiedServer()
  const headers = { 'proxy-authorization': 'Basic d2lraXRhcGU6bm8=' }
  const line = `proxy-authorization: ${headers['proxy-authorization']}`
  const tunnel = await connectThrough(proxied, 'en.wiki.test:443', [line])
  expect([tunnel.status, tunnel.text]).toEqual([
    407,
    expect.stringMatching(/proxy-authenticate/i)
  ])
  const reply = await ask(`http://127.0.0.1:${proxied.port}/`, { target, headers })
  expect([reply.status, reply.text]).toEqual([
    407,
    expect.stringContaining('HTTPS_PROXY')
  ])
})

it('takes the token that stands in its address', async () => {
  const proxied = await proxiedServer()
  const { username, password } = new URL(
    proxied.interception.access.addressAt(`http://127.0.0.1:${proxied.port}`)
  )
  const pair = Buffer.from(`${username}:${password}`).toString('base64')
  const headers = { 'proxy-authorization': `Basic ${pair}` }
  const reply = await ask(`http://127.0.0.1:${proxied.port}/`, { target, headers })
  expect([reply.status, reply.text]).toEqual([
    404,
    expect.stringContaining('no-cassette')
  ])
})

it.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'takes a connection without a token if it is of the same user, and of no other',
  async () => {
    const proxied = await proxiedServer()
    const own = await connectThrough(proxied, 'en.wiki.test:443', [])
    expect(own.status).toBe(200)

    const args = ['-s', '-o', '/dev/null', '-w', '%{http_code}', '-x']
    const proxy = `http://127.0.0.1:${proxied.port}`
    const curl = [
      'setpriv',
      '--reuid=65534',
      '--clear-groups',
      'curl',
      ...args,
      proxy,
      'http://en.wiki.test/'
    ]
    const child = spawn('env', curl)
    let printed = ''
    for await (const part of child.stdout) printed += String(part)
    expect(printed).toBe('407')
  }
)
