/** What stands in for a wiki, and programs that run while it answers. */
import { spawn } from 'node:child_process'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

export interface StandIn {
  readonly api: string
  readonly close: () => Promise<void>
}

/** Answers every question with what was asked, and a listing without pages. */
export async function standIn(): Promise<StandIn> {
  const server = http.createServer(
    { maxHeaderSize: 1024 * 1024 },
    (request, response) => {
      response.setHeader('content-type', 'application/json; charset=utf-8')
      if (request.url?.includes('meta=tokens'))
        response.setHeader('set-cookie', 'wiki_session=0123456789abcdef; path=/')
      response.end(
        JSON.stringify({
          batchcomplete: '',
          query: { asked: request.url, allpages: [] }
        })
      )
    }
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    api: `http://127.0.0.1:${port}/w/api.php`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
}

/** Not `spawnSync`: the stand-in has to answer meanwhile. */
export function runBeside(
  cwd: string,
  command: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {}
): Promise<{ readonly code: number | null; readonly text: string }> {
  const { NODE_OPTIONS: _, CI: __, ...env } = process.env
  const child = spawn(command, args, { cwd, env: { ...env, ...more }, timeout: 600_000 })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      text += data.toString('utf8')
    })
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: null, text: error.message }))
    child.on('close', (code) => resolve({ code, text }))
  })
}
