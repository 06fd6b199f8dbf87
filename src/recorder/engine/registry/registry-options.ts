/** What the engines of one run have in common, and what each wiki has of its own. */
import type { ApiUrl } from '../../http/api-url.ts'
import type { Mode } from '../../playback/decide.ts'
import type { ReportedEvent } from '../engine-event.ts'
import type { EngineOptions, LiveWiki } from '../engine-options.ts'
import type { StoreRegistryOptions } from './store-registry.ts'

export interface EngineRegistryOptions
  extends StoreRegistryOptions,
    Pick<EngineOptions, 'trust' | 'keepCookies' | 'trouble' | 'isHarmless'>,
    Partial<Pick<EngineOptions, 'missStatus' | 'onMiss' | 'recordErrors'>> {
  readonly refuseWrites?: boolean
  readonly onEvent: (event: ReportedEvent) => void
  /** The live wiki; undefined in replay, where no engine ever goes out. */
  readonly live: LiveWiki | undefined
  /** True where the engines of `ofWiki` are live. */
  readonly isLive?: boolean
  /** Replies point the wiki's own addresses back to this server. */
  readonly rewriteUrls?: boolean
}

/** The wiki of one cassette; `live` is undefined in replay. */
export interface WikiSide {
  readonly api?: ApiUrl | undefined
  readonly live: LiveWiki | undefined
}

export interface WikiChoice extends WikiSide {
  readonly dir: string
  /** Names another cassette beside it. */
  readonly cassette: string | undefined
  readonly mode: Mode | undefined
}
