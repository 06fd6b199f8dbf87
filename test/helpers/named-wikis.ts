/** Wikis behind TLS under names, for as long as a test runs. */
import { writeFileSync } from 'node:fs'
import type { AddressInfo, Socket } from 'node:net'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { namedFront } from '../../scripts/wiki/named-front.ts'
import { temporaryFolder } from './folders.ts'

export interface NamedWikis {
  /** HTTPS_PROXY and HTTP_PROXY of wikitape. */
  readonly env: Readonly<Record<string, string>>
  /** File of the authority that signed the names, for --cacert. */
  readonly cacert: string
  readonly lines: readonly string[]
}

/** @param origins of the servers, by name */
export async function namedWikis(origins: Readonly<Record<string, string>>): Promise<NamedWikis> {
  const { server, certificate, lines } = namedFront(origins)
  const cacert = path.join(temporaryFolder(), 'company.pem')
  writeFileSync(cacert, certificate)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const one of sockets) one.destroy()
    server.close()
  })
  const proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { env: { HTTPS_PROXY: proxy, HTTP_PROXY: proxy }, cacert, lines }
}
