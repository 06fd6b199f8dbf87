/**
 * Types of the JSON that the pages under `/__wikitape/` get. Texts to be read have control characters spelled out, and are
 * cut; names and values of requests and answers are as they were sent: whoever draws them escapes and cuts them.
 */

export interface AboutView {
  readonly doing: 'recording' | 'replaying'
  readonly hasRequests: boolean
  /** The cassette that the server was started with. */
  readonly current: string
  /** Oldest first: by the wiki's version, then by the day of recording. */
  readonly cassettes: readonly string[]
  /** Names of the runs that were read from files. */
  readonly runs: readonly string[]
}

export interface CassetteView {
  readonly name: string
  readonly dir: string
  readonly upstream: string
  /** Version of MediaWiki; empty if unknown. */
  readonly engine: string
  /** Day of recording; empty if unknown. */
  readonly recorded: string
  readonly interactions: number
  /** Names of session cookies that no suffix tells. */
  readonly sessionCookies: readonly string[]
  /** Their names unescaped, for requests. */
  readonly folders: readonly {
    readonly name: string
    readonly label: string
    readonly interactions: number
  }[]
}

export interface RowPage<T> {
  readonly rows: readonly T[]
  readonly from: number
  readonly total: number
}

export interface RowView {
  readonly key: string
  readonly file: string
  readonly folder: string
  /** The request in words; empty if `fault` says why its file could not be read. */
  readonly words: string
  /** The caller; empty for an anonymous one. */
  readonly who: string
  /** The writes before it; empty before the first. */
  readonly state: string
  readonly statuses: readonly number[]
  /** Code of the API's error; empty if there is none. */
  readonly error: string
  readonly hasWarnings: boolean
  /** It changed the wiki. */
  readonly wrote: boolean
  /** The keys of the writes before it, with spaces between; of very many, `35 writes` and a digest. */
  readonly after: string
  /** Bytes of its files. */
  readonly bytes: number
  /** When its file was written, in milliseconds since 1970. */
  readonly written: number
  /** Seconds that the wiki took, if that was more than one. */
  readonly seconds?: number
  readonly fault: string
  /** True if that is only because it is large. */
  readonly isLarge: boolean
  /** What stands around the words that were searched in it. */
  readonly excerpt?: string
}

export interface SearchInFilesView {
  readonly rows: readonly RowView[]
  /** Files searched. */
  readonly seen: number
  readonly total: number
  /** Where to continue; absent at the end. */
  readonly next?: number
}

export interface ParamView {
  readonly name: string
  readonly value: string
  /** The value as sent, if the key has another spelling. */
  readonly sent?: string
}

export interface ResponseView {
  readonly status: number
  /** The writes of other sessions that it was given after, in words; empty if it shows none. */
  readonly after: string
  readonly headers: readonly (readonly [string, string])[]
  readonly cookies: readonly string[]
  readonly body: 'json' | 'text' | 'binary'
  /** Bytes. */
  readonly size: number
  readonly digest: string
}

export interface InteractionView extends RowView {
  readonly params: readonly ParamView[]
  readonly responses: readonly ResponseView[]
  readonly command: string
}

export interface DifferenceView {
  readonly param: string
  /** The difference in words. */
  readonly text: string
  /** Absent on the side that does not have it. */
  readonly recorded?: string | undefined
  readonly got?: string | undefined
}

export interface NearMissView {
  readonly key: string
  readonly words: string
  readonly differences: readonly DifferenceView[]
}

export interface MissView {
  readonly key: string
  readonly cassette: string
  readonly reason: string
  readonly request: string
  readonly what: string
  readonly nearest: readonly NearMissView[]
  /** What to do; `command` is empty if no command helps. */
  readonly advice: string
  readonly command: string
  /** The same as a line of `capture --requests`; empty if that cannot record it. */
  readonly line: string
  /** Whether it has been recorded since. */
  readonly recorded: boolean
}

export interface ListingView {
  readonly folder: string
  readonly listing: string
  readonly items: number
  readonly complete: boolean
  readonly parts: readonly PartView[]
  readonly more: number
  /** The continue rule in words; empty if none was learned. */
  readonly rule: string
  readonly conflicts: readonly string[]
  readonly keys: readonly string[]
  /** Records what is missing. */
  readonly command: string
}

export type PartView =
  | {
      readonly kind: 'interval'
      readonly items: number
      readonly first: string
      readonly last: string
    }
  | { readonly kind: 'gap'; readonly words: string }

export interface CheckView {
  readonly complaints: readonly {
    readonly kind: string
    readonly file: string
    readonly what: string
  }[]
  /** Also those that are not listed. */
  readonly total: number
  readonly command: string
}
