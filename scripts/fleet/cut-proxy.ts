/** A TCP proxy on loopback whose network can be cut: nothing gets through any more, and nobody is told. */
import net from 'node:net'

export interface CutProxy {
  readonly port: number
  cut: () => void
  heal: () => void
  close: () => void
}

export async function cutProxy(target: number): Promise<CutProxy> {
  let isCut = false
  const sockets = new Set<net.Socket>()
  const server = net.createServer((client) => {
    const upstream = net.connect(target, '127.0.0.1')
    for (const [from, to] of [
      [client, upstream],
      [upstream, client]
    ] as const) {
      sockets.add(from)
      from.on('data', (part) => {
        // What was sent during a cut is lost with its connection.
        if (!isCut) to.write(part)
      })
      from.on('error', () => undefined)
      from.once('close', () => {
        sockets.delete(from)
        if (!isCut) to.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    cut: () => {
      isCut = true
    },
    heal: () => {
      // Both ends of what was cut would wait for bytes that were lost.
      for (const socket of sockets) socket.destroy()
      isCut = false
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    }
  }
}
