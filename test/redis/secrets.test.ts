/** What a recorder and a replay say to a Redis server: keys, fields and values, also those that expire. */
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { Redis } from 'ioredis'
import { expect, it, onTestFinished } from 'vitest'
import { isPlaceholder } from '../../src/recorder/privacy/secrets/secret.ts'
import { openRedisStore } from '../../src/redis/open-redis-store.ts'
import { issuedSecrets } from '../helpers/issued-secrets.ts'
import { traces } from '../helpers/needles.ts'
import { type Planted, plant } from '../helpers/plant.ts'
import { placesFor, sendings, spellings } from '../helpers/planted-secrets.ts'
import { startProxy } from '../helpers/proxies.ts'
import { newAddress, redisPort, stopRedisAfterAll } from '../helpers/redis-server.ts'
import { sampled } from '../helpers/scale.ts'
import { Client, password, statefulWiki } from '../helpers/stateful-wiki.ts'

stopRedisAfterAll()

const wrongPassword = 'Zx7-pelican_Qr42'

/**
 * Every argument of every command that the server gets from now on, also of commands of scripts. Not by `monitor` of
 * ioredis, which fails where a command of another client comes in one packet with the server's consent.
 */
async function commands(): Promise<readonly string[]> {
  const socket = connect(await redisPort(), '127.0.0.1')
  onTestFinished(() => {
    socket.destroy()
  })
  const heard: string[] = []
  const isMonitoring = new Promise<void>((resolve) => {
    createInterface(socket).on('line', (line) => {
      if (line === '+OK') resolve()
      else heard.push(...argumentsIn(line))
    })
  })
  socket.write('MONITOR\r\n')
  await isMonitoring
  return heard
}

/** Of a line such as `+1796041360.631003 [0 127.0.0.1:41666] "set" "x"`. */
const argumentsIn = (line: string) =>
  line
    .slice(line.indexOf('] "') + '] "'.length, -1)
    .split('" "')
    .map((one) => one.replaceAll('\\"', '"'))

/** After which all that was said before has been heard. */
async function heardAll(heard: readonly string[]): Promise<readonly string[]> {
  const client = new Redis({ port: await redisPort(), host: '127.0.0.1' })
  const last = `last-${heard.length}`
  await client.call('EXISTS', last)
  client.disconnect()
  while (!heard.includes(last)) await new Promise((resolve) => setTimeout(resolve, 5))
  return heard
}

it('hears a secret that is stored', async () => {
  const heard = await commands()
  const client = new Redis({ port: await redisPort(), host: '127.0.0.1' })
  await client.call('SET', 'x', Buffer.from('a Zx7-pelican_Qr42 b').toString('base64'))
  client.disconnect()
  expect(traces('Zx7-pelican_Qr42', await heardAll(heard))).not.toEqual([])
})

const all = sampled([...sendings, ...issuedSecrets], 3)
it.each(all.map((one, at) => [one.name, one, at] as const))(
  '%s',
  async (_, sending, at) => {
    const heard = await commands()
    const isNumber = /^\d+$/.test(sending.secret)
    const planted = sampled([...placesFor(sending).entries()], 3, at).map(
      ([row, place]): Planted => {
        const [spelling = '', spell = String] =
          spellings[(at * 5 + row * 3) % (isNumber ? 8 : 21)] ?? []
        return { sending, place, spelling, echo: spell(sending.secret) }
      }
    )
    const address = await newAddress()
    const recording = {
      upstream: 'http://wiki.test/w/api.php',
      day: '2026-11-01',
      moved: false
    }
    const store = await openRedisStore(address, recording)
    const found = await plant(store.dir, sending, planted, {
      open: () => store,
      written: () => heardAll(heard)
    })
    expect(found.recorded).toBeGreaterThan(0)
    expect(found.leaks).toEqual([])
    // A short number is a part of other ones by chance.
    if (!isNumber) expect(traces(sending.secret, heard)).toEqual([])
  }
)

it('a replay stores the state of a session without what its client has sent', async () => {
  const wiki = await statefulWiki()
  const address = await newAddress()
  const heard = await commands()
  const recordingStore = await openRedisStore(address, {
    upstream: wiki.api,
    day: '2026-11-01',
    moved: false
  })
  const recording = await startProxy(wiki.api, {
    cassette: recordingStore.dir,
    open: () => recordingStore
  })
  const live = new Client(recording.api)
  const sent = new Set<string>()
  const collect = async (client: Client, session: string): Promise<void> => {
    for (const step of [
      () => client.login('Bob', wrongPassword),
      () => client.login('Bob'),
      () => client.edit('A', session),
      () => client.read('A')
    ]) {
      await step()
      for (const value of client.cookies.values())
        if (value.length > 12 && !isPlaceholder(value)) sent.add(value)
    }
    sent.add(await client.token('csrf'))
  }
  await collect(live, 'one')
  await recording.close()
  const store = await openRedisStore(address)
  const replaying = await startProxy(undefined, {
    cassette: store.dir,
    open: () => store
  })
  await collect(new Client(replaying.api), 'one')
  await replaying.close()
  const texts = await heardAll(heard)
  expect(texts.some((text) => text.includes(':session:'))).toBe(true)
  expect(sent.size).toBeGreaterThan(3)
  for (const secret of [wrongPassword, password, ...sent])
    expect(traces(secret, texts)).toEqual([])
})
