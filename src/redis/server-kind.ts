/** What answers at an address, asked with a few bytes before a client is made: clients repeat, and say less, where it is no Redis server. */
import net from 'node:net'
import type { RedisAddress } from '../recorder/store/redis-address.ts'
import data from './refusals.json' with { type: 'json' }

/** Milliseconds for a server to say anything. */
const patience = 700

/** `silent`: it says nothing, or is not there, which may pass. */
type ServerAnswer = keyof (typeof data)['greetings']

/** Why a client cannot speak with a server at this address; undefined if it may. */
export async function whyNoRedis({
  hosts,
  tls
}: RedisAddress): Promise<string | undefined> {
  const answers = await Promise.all(hosts.map(answerOf))
  const reasons = answers.map((one) => data.greetings[one][tls ? 'tls' : 'plain'])
  return reasons.find((one) => one !== '')
}

/** PING in a line of its own is understood by every version, also before a password. */
function answerOf({ host, port }: RedisAddress['hosts'][number]): Promise<ServerAnswer> {
  return new Promise((resolve) => {
    let isConnected = false
    const socket = net.connect({ host, port })
    const end = (answer: ServerAnswer) => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(patience, () => end('silent'))
    socket.once('connect', () => {
      isConnected = true
      socket.write('PING\r\n')
    })
    socket.once('data', (bytes) => end(kindOf(bytes)))
    for (const event of ['error', 'end', 'close'])
      socket.once(event, () => end(isConnected ? 'closed' : 'silent'))
  })
}

/** An error of TLS is an alert (RFC 8446, 5.1: type 21). */
function kindOf(bytes: Buffer) {
  if (bytes[0] === 21) return 'closed'
  const text = bytes.toString('latin1')
  if (/^[+-]/.test(text)) return 'redis'
  return text.startsWith('HTTP/') ? 'http' : 'other'
}
