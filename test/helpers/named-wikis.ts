/** Wikis behind TLS under names, for as long as a test runs, and wikitape as the proxy of programs that name them. */
import { writeFileSync } from 'node:fs'
import type { AddressInfo, Socket } from 'node:net'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { namedFront } from '../../scripts/wiki/named-front.ts'
import { echo, type FakeWiki, fakeWiki } from './fake-wiki.ts'
import { temporaryFolder } from './folders.ts'
import { type Run, run } from './program.ts'

export interface NamedWikis {
  /** HTTPS_PROXY and HTTP_PROXY of wikitape. */
  readonly env: Readonly<Record<string, string>>
  /** File of the authority that signed the names, for --cacert. */
  readonly cacert: string
  readonly lines: readonly string[]
}

/** @param origins of the servers, by name */
export async function namedWikis(
  origins: Readonly<Record<string, string>>
): Promise<NamedWikis> {
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

export interface Family extends NamedWikis {
  readonly en: FakeWiki
  readonly commons: FakeWiki
  readonly cwd: string
  readonly record: (command: readonly string[], flags?: readonly string[]) => Promise<Run>
  readonly replay: (command: readonly string[], flags?: readonly string[]) => Promise<Run>
}

/** Two wikis under names, and a host that is none. */
export async function family(): Promise<Family> {
  const en = await fakeWiki(echo, false, 'en')
  const commons = await fakeWiki(
    (params) => `{"commons":"${params.get('titles')}"}`,
    false,
    'de'
  )
  const names = await namedWikis({
    'en.wiki.test': en.origin,
    'commons.wiki.test': commons.origin,
    'upload.wiki.test': commons.origin
  })
  const cwd = temporaryFolder()
  return {
    ...names,
    en,
    commons,
    cwd,
    record: (command, flags = []) =>
      run(['record', '--cacert', names.cacert, ...flags, '--', ...command], {
        cwd,
        env: names.env
      }),
    replay: (command, flags = []) => run(['exec', ...flags, '--', ...command], { cwd })
  }
}

export const curl = (...urls: readonly string[]): readonly string[] => [
  'curl',
  '-sS',
  ...urls
]
/** Where a wiki answers about a page. */
export const page = (host: string, title: string): string =>
  `https://${host}/w/api.php?action=query&format=json&prop=info&titles=${title}`
