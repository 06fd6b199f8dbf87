/** What the pages under `/__wikitape/` are told, as JSON: types alone, which the browser's side imports as well. */

/** Every text in a view has its control characters spelled out, and is cut where it is long. */
export interface AboutView {
  readonly doing: 'recording' | 'replaying'
  /** Name of the cassette that the server was started with. */
  readonly current: string
  readonly cassettes: readonly string[]
}

export interface CassetteView {
  readonly name: string
  readonly dir: string
  readonly upstream: string
  /** Of MediaWiki; empty where the wiki did not tell. */
  readonly engine: string
  /** Day since which it holds; empty where nobody knows. */
  readonly recorded: string
  readonly interactions: number
  readonly folders: readonly FolderView[]
}

export interface FolderView {
  /** As it is, to ask with. */
  readonly name: string
  readonly label: string
  readonly interactions: number
}

/** One request as it came in. */
export interface RequestView {
  readonly id: number
  /** Milliseconds since 1970. */
  readonly at: number
  readonly ms: number
  readonly cassette: string
  readonly outcome: string
  readonly status: number
  readonly method: string
  readonly module: string
  readonly key: string
  /** Recordings that an answer was synthesised from: how many, and the first of them. */
  readonly sources: number
  readonly source: string
  readonly why: string
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
  /** The request in words; empty where its file could not be read, which `fault` says. */
  readonly words: string
  /** Empty for nobody in particular. */
  readonly who: string
  /** After which writes it was asked for; empty before the first. */
  readonly state: string
  /** HTTP status of each response. */
  readonly statuses: readonly number[]
  readonly fault: string
}

/** What a look inside of the files has found so far. */
export interface SearchInFilesView {
  readonly rows: readonly RowView[]
  /** How many files were looked through. */
  readonly seen: number
  readonly total: number
  /** Where to go on; absent at the end. */
  readonly next?: number
}

export interface ParamView {
  readonly name: string
  readonly value: string
  /** As it was sent, where the key counts it otherwise. */
  readonly sent?: string
}

export interface ResponseView {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly cookies: readonly string[]
  readonly body: 'json' | 'text' | 'binary'
  /** Characters of a text or of compact JSON; bytes of what is binary. */
  readonly size: number
}

export interface InteractionView extends RowView {
  readonly params: readonly ParamView[]
  readonly responses: readonly ResponseView[]
  /** Prints it at a terminal. */
  readonly command: string
}

/** A value in an answer. */
export interface NodeView {
  /** Name in an object, number in an array. */
  readonly name: string
  readonly kind: 'object' | 'array' | 'string' | 'literal'
  /** Of a string or a literal. */
  readonly text?: string
  /** Members or items. */
  readonly count?: number
}

/** A piece of an answer's text; of what is binary the bytes in hexadecimal digits. */
export interface TextView {
  readonly text: string
  /** Characters, or bytes: where the piece begins, where it ends, and how many there are. */
  readonly from: number
  readonly next: number
  readonly total: number
}

export interface DifferenceView {
  readonly param: string
  /** Absent on the side that does not have it. */
  readonly recorded?: string
  readonly got?: string
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
  /** What was asked for, in words. */
  readonly request: string
  readonly what: string
  readonly nearest: readonly NearMissView[]
  /** What to do; in front of the command, which is empty where none helps. */
  readonly advice: string
  readonly command: string
  /** True as soon as it is recorded. */
  readonly recorded: boolean
}

export interface ListingView {
  readonly folder: string
  readonly listing: string
  readonly items: number
  readonly complete: boolean
  readonly parts: readonly PartView[]
  /** Parts behind those, which are not told. */
  readonly more: number
  /** The continue rule in words; empty where none was learned. */
  readonly rule: string
  readonly conflicts: readonly string[]
  readonly keys: readonly string[]
  /** Asks for the rest. */
  readonly command: string
}

/** A part of a listing, in its order. */
export type PartView =
  | { readonly kind: 'interval'; readonly items: number; readonly first: string; readonly last: string }
  | { readonly kind: 'gap'; readonly words: string }

export interface IssueView {
  readonly kind: string
  readonly file: string
  readonly what: string
}

export interface CheckView {
  readonly complaints: readonly IssueView[]
  /** Those that are not told among them. */
  readonly total: number
  readonly command: string
}
