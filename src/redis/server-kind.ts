/** What answers at an address, asked with a few bytes before a client is made: clients repeat, and say less, where it is no Redis server. */
import net from 'node:net'
import type { RedisAddress } from '../recorder/store/redis-address.ts'

/** Milliseconds for a server to say anything. */
const patience = 700

/** `silent`: it says nothing, or is not there, which may pass. */
type ServerAnswer = 'redis' | 'http' | 'other' | 'closed' | 'silent'

/** Why a client cannot speak with a server at this address; undefined if it may. */
export async function whyNoRedis({
  hosts,
  tls
}: RedisAddress): Promise<string | undefined> {
  for (const answer of await Promise.all(hosts.map(answerOf))) {
    const why = reasonFor(answer, tls)
    if (why !== undefined) return why
  }
  return undefined
}

function reasonFor(answer: ServerAnswer, tls: boolean): string | undefined {
  switch (answer) {
    case 'redis':
      return tls
        ? 'the server does not speak TLS: write redis:// in place of rediss://'
        : undefined
    case 'closed':
      return tls
        ? undefined
        : 'the server hangs up, as one with TLS does: write rediss://'
    case 'http':
      return 'an HTTP server answers there, and no Redis server'
    case 'other':
      return 'what answers there is no Redis server'
    case 'silent':
      return undefined
  }
}

/** PING in a line of its own is understood by every version, also before a password. */
function answerOf({ host, port }: RedisAddress['hosts'][number]): Promise<ServerAnswer> {
  return new Promise((resolve) => {
    let isConnected = false
    const socket = net.connect({ host, port })
    const end = (answer: ServerAnswer): void => {
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
function kindOf(bytes: Buffer): ServerAnswer {
  if (bytes[0] === 21) return 'closed'
  const text = bytes.toString('latin1')
  if (/^[+-]/.test(text)) return 'redis'
  return text.startsWith('HTTP/') ? 'http' : 'other'
}
