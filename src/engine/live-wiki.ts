/** How an engine reaches its wiki. */
import type { Upstream } from '../upstream/upstream.ts'

/** The live wiki of an engine; a replaying engine has none, so that it cannot go out. */
export interface LiveWiki {
  readonly upstream: Upstream
  /** Address of the wiki's api.php. */
  readonly href: string
  /** Its path. */
  readonly apiPath: string
  /** The header that the credentials of the api-url make; a secret of this run. */
  readonly authorization: string | undefined
  /** For questions of wikitape's own; the same as for clients unless given. */
  readonly ownUpstream?: Upstream | undefined
  /** Values of headers that the operator has added; secrets of this run. */
  readonly secrets?: readonly string[] | undefined
  /** True where every question is wikitape's own, and nobody else can be told what to do. */
  readonly ownRequestsOnly?: boolean | undefined
  /** True where its answers were kept by another program, so that nobody can be asked which wiki it is. */
  readonly isImported?: boolean | undefined
}
