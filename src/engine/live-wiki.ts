/** How engines reach their wiki; a replaying engine has none, so that it cannot go out. */
import type { ApiUrl } from '../http/api-url.ts'
import type { Upstream } from '../upstream/upstream.ts'

export interface LiveWiki {
  readonly api: ApiUrl
  /** Called once for each engine: each has its own connections. */
  readonly upstream: () => Upstream
  /** For wikitape's own requests, where they go another way than a client's. */
  readonly ownUpstream?: () => Upstream
  /** Values of headers that the operator has added; secrets of this run. */
  readonly secrets?: readonly string[] | undefined
  /** True where wikitape makes all requests itself, so that advice to a client would reach nobody. */
  readonly hasNoClient?: boolean | undefined
  /** True where the answers come out of another program's recordings: nobody can say which wiki it is. */
  readonly isImported?: boolean | undefined
}
