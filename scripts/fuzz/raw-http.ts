/** Bytes on a socket of a replaying server; it must close the connection, and answer the next client as ever. */
import net from 'node:net'
import { fileURLToPath } from 'node:url'
import { startReplay } from '../../src/integrations/program/start.ts'

const patience = 5000

export async function rawHttp(): Promise<(input: string) => Promise<void>> {
  const cassette = fileURLToPath(new URL('../../cassettes/ru-1.43', import.meta.url))
  const { apiUrl } = await startReplay({ cassette })
  const { port, hostname } = new URL(apiUrl)
  let sent = 0
  return async (input) => {
    await send(Number(port), hostname, Buffer.from(input, 'utf8'))
    sent += 1
    if (sent % 25 > 0) return
    const reply = await fetch(`${apiUrl}?action=query&format=json&list=gadgetcategories`)
    if (reply.headers.get('x-cassette-status') !== 'replayed')
      throw new Error('the server no longer replays')
  }
}

function send(port: number, host: string, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, host, () => socket.end(bytes))
    socket.setTimeout(patience, () => {
      socket.destroy()
      reject(new Error('the connection stays open'))
    })
    socket.resume()
    socket.on('error', () => undefined)
    socket.once('close', () => resolve())
  })
}
