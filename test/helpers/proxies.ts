/** wikitape's own server in this process, in front of a cassette and perhaps of a wiki. */
import path from 'node:path'
import { onTestFinished } from 'vitest'
import type { ShownRun } from '../../src/pages/runs/shown-run.ts'
import { uiRouter } from '../../src/pages/ui-router.ts'
import { EngineRegistry } from '../../src/recorder/engine/registry/engine-registry.ts'
import { readApiUrl } from '../../src/recorder/http/api-url.ts'
import type { MissPolicy, Mode } from '../../src/recorder/playback/decide.ts'
import { startServer } from '../../src/recorder/server/start-server.ts'
import { racyWindow } from '../../src/recorder/store/files/change-detector.ts'
import type { Store } from '../../src/recorder/store/store.ts'
import { HttpProxyUpstream } from '../../src/recorder/upstream/transport/http-proxy-upstream.ts'
import { openRedisStore } from '../../src/redis/open-redis-store.ts'
import { temporaryFolder } from './folders.ts'
import { pushed } from './redis-server.ts'
import { SlowStore } from './slow-store.ts'

/** `far`: what is replayed in this process takes its time to come; `redis`: it comes from a redis-server. */
const testStore = process.env['WIKITAPE_TEST_STORE']
const slowStore = (dir: string): Store => new SlowStore(dir)

export interface RunningProxy {
  readonly origin: string
  /** Address of api.php behind wikitape. */
  readonly api: string
  readonly cassette: string
  readonly rack: EngineRegistry
  /** What a person at the terminal would have seen. */
  readonly reports: string[]
  /** Finishes the run as the command line does. */
  readonly close: () => Promise<void>
}

export interface ProxyOptions {
  readonly cassette?: string
  readonly mode?: Mode
  /** True where requests may choose any mode. */
  readonly allowControl?: boolean
  readonly allowedOrigins?: readonly string[]
  readonly host?: string
  readonly maxBody?: number
  readonly missStatus?: number
  readonly onMiss?: MissPolicy
  readonly recordErrors?: boolean
  readonly keepCookies?: readonly string[]
  readonly refuseWrites?: boolean
  readonly timeout?: number
  readonly open?: (dir: string) => Store
  readonly rewriteUrls?: boolean
  readonly now?: () => number
  /** Runs in files that its pages show. */
  readonly runs?: readonly ShownRun[]
}

/** @param api address of the wiki; undefined to replay */
export async function startProxy(
  api: string | undefined,
  options: ProxyOptions = {}
): Promise<RunningProxy> {
  const cassette = options.cassette ?? path.join(temporaryFolder(), 'tape')
  const reports: string[] = []
  const remote =
    testStore === 'redis' && api === undefined && options.open === undefined
      ? await openRedisStore(await pushed(cassette))
      : undefined
  // Messages name the folder all the same, so that they can be compared.
  if (remote !== undefined) Object.defineProperty(remote, 'dir', { value: cassette })
  const report = (line: string): void => void reports.push(line)
  // Nothing here waits until it is old enough.
  racyWindow.ms = -1
  const rack = new EngineRegistry({
    ...(testStore === 'far' ? { open: slowStore } : {}),
    ...(remote === undefined ? {} : { open: () => remote }),
    ...(options.open === undefined ? {} : { open: options.open }),
    cassette,
    mode: options.mode ?? (api === undefined ? 'none' : 'new_episodes'),
    allowControl: options.allowControl ?? false,
    live: api === undefined ? undefined : liveSide(api, options.timeout ?? 30_000),
    missStatus: options.missStatus ?? 200,
    onMiss: options.onMiss ?? 'synthesize',
    recordErrors: options.recordErrors ?? false,
    keepCookies: options.keepCookies,
    refuseWrites: options.refuseWrites ?? false,
    rewriteUrls: options.rewriteUrls ?? false,
    now: options.now ?? Date.now,
    onEvent: ({ text }) => report(text)
  })
  const server = await startServer({
    engines: rack,
    host: options.host ?? '127.0.0.1',
    port: 0,
    allowedOrigins: new Set(options.allowedOrigins),
    maxBody: options.maxBody ?? 1024 * 1024,
    pages: async () => uiRouter(rack, options.runs),
    report
  })
  let closed = false
  const close = async (): Promise<void> => {
    if (closed) return
    closed = true
    await server.close()
    await rack.end()
  }
  onTestFinished(close)
  return {
    origin: server.url,
    api: `${server.url}/w/api.php`,
    cassette,
    rack,
    reports,
    close
  }
}

function liveSide(
  api: string,
  timeout: number
): NonNullable<ConstructorParameters<typeof EngineRegistry>[0]['live']> {
  const read = readApiUrl(api)
  if (typeof read === 'string') throw new TypeError(read)
  const limits = {
    timeout,
    maxBytes: 64 * 1024 * 1024,
    authorization: read.authorization
  }
  return { api: read, upstream: () => new HttpProxyUpstream(read.origin, limits) }
}
