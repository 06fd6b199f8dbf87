/** Who may use the forward proxy: programs that have its token, and those of the same user that cannot send one. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { OwnError } from '../../http/reply-headers.ts'
import { readOrElse } from '../../text/error-text.ts'

const userName = 'wikitape'

export class ProxyAccess {
  readonly #token: string
  /** The header that a program sends. */
  readonly authorization: string

  constructor(token: string = randomBytes(18).toString('base64url')) {
    this.#token = token
    this.authorization = `Basic ${Buffer.from(`${userName}:${token}`).toString('base64')}`
  }

  /** The address of the proxy, as a program's environment has it. @param origin of the server */
  addressAt(origin: string): string {
    return origin.replace('//', `//${userName}:${this.#token}@`)
  }

  /** Undefined where the request may pass. */
  whyRefused({ headers, socket }: IncomingMessage): OwnError | undefined {
    const sent = headers['proxy-authorization']
    const isAllowed = sent === undefined ? isOwnConnection(socket) : this.#isToken(sent)
    if (isAllowed) return undefined

    return {
      status: 407,
      code: 'proxy-token',
      info: `the proxy needs its token, which stands in its address: http://${userName}:TOKEN@host:port, as HTTPS_PROXY of the command has it`,
      headers: ['proxy-authenticate', `Basic realm="${userName}"`]
    }
  }

  #isToken(sent: string) {
    const given = Buffer.from(sent)
    const expected = Buffer.from(this.authorization)
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
}

/** This machine, as the kernel writes IPv4, IPv4 in IPv6, and IPv6. Source: proc(5), /proc/net/tcp */
const loopbackInProc = '(?:0{16}FFFF0000)?0100007F|0{24}01000000'

/** True where a process of this user holds the other end: Java and others cannot send a token. Known on Linux alone. */
function isOwnConnection({ remotePort, localPort }: Socket) {
  // A socket of `listenAt`. One that is closed already has no ports either, and gets no answer.
  if (remotePort === undefined || localPort === undefined) return true

  const port = (number: number) => number.toString(16).toUpperCase().padStart(4, '0')
  const ends = `(?:${loopbackInProc}):${port(remotePort)} (?:${loopbackInProc}):${port(localPort)}`
  const row = new RegExp(`^ *\\d+: ${ends} 01 \\S+ \\S+ \\S+ +(\\d+) `, 'm')
  const tables = ['tcp', 'tcp6'].map((name) =>
    readOrElse('', () => readFileSync(`/proc/net/${name}`, 'latin1'))
  )
  const owner = row.exec(tables.join(''))?.[1]
  return owner !== undefined && Number(owner) === process.getuid?.()
}
