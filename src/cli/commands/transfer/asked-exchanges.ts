/** `wikitape export --requests FILE`: the addresses that a client asks, each with the answer that a replay gives it. */
import { EngineRegistry } from '../../../engine/registry/engine-registry.ts'
import { readApiUrl } from '../../../http/api-url.ts'
import type { ExportedExchange } from '../../../import/exchange/exported-exchange.ts'
import type { CassetteStore } from '../../../store/cassette-store.ts'
import { type Invocation, UsageError } from '../../args/command.ts'
import { readRequestLines } from '../../capture/requests-file.ts'

export interface AskedExchanges {
  readonly exchanges: readonly ExportedExchange[]
  /** Addresses that a replay cannot answer, with the reason. */
  readonly missed: readonly string[]
}

/** The address stays as it is: tools such as Playwright's routeFromHAR compare it as text. @throws UsageError, StoreError */
export async function askedExchanges(store: CassetteStore, call: Invocation): Promise<AskedExchanges> {
  const api = readApiUrl(store.manifest.upstream)
  if (typeof api === 'string') throw new UsageError(`${store.dir}/cassette.json: upstream: ${api}`)
  const engines = new EngineRegistry({
    ...{ cassette: store.dir, mode: 'none', live: undefined, api, moved: false, now: call.now },
    report: () => undefined,
  })
  const exchanges: ExportedExchange[] = []
  const missed: string[] = []
  for (const line of await readRequestLines(call)) {
    const url = new URL(
      /^(?:https?:\/)?\//.test(line) ? line : `${api.path}?${line.replace(/^\?/, '')}`,
      api.href,
    )
    const { status, headers, body, cassetteStatus, missReason } = await engines
      .get(undefined, undefined)
      .handle({
        ...{ method: 'GET', target: url.pathname + url.search, headers: {}, body: Buffer.alloc(0) },
        ...{ session: '', namedHost: true, signal: undefined },
      })
    if (cassetteStatus === 'miss' || url.origin !== api.origin)
      missed.push(`${url.href}: ${missReason ?? 'another host'}`)
    else exchanges.push({ url, status, headers, body })
  }
  return { exchanges, missed }
}
