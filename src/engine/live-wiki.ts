/** How engines reach their wiki. */
import type { ApiUrl } from '../http/api-url.ts'
import type { Upstream } from '../upstream/upstream.ts'

interface WikiOptions {
  readonly api: ApiUrl
  /** Values of headers that the operator has added; secrets of this run. */
  readonly secrets?: readonly string[] | undefined
  /** True where wikitape makes all requests itself, so that advice to a client would reach nobody. */
  readonly hasNoClient?: boolean | undefined
  /** True where the answers come out of another program's recordings: nobody can say which wiki it is. */
  readonly isImported?: boolean | undefined
}

/** How to connect to the wiki; each engine has its own connections. */
export interface UpstreamOptions extends WikiOptions {
  readonly upstream: () => Upstream
  /** For wikitape's own requests, where they go another way than a client's. */
  readonly ownUpstream?: () => Upstream
}

/** The live wiki of one engine; a replaying engine has none, so that it cannot go out. */
export interface LiveWiki extends WikiOptions {
  readonly upstream: Upstream
  /** For wikitape's own requests; `upstream` unless given. */
  readonly ownUpstream?: Upstream | undefined
}
