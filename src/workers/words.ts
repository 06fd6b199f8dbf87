/** What the leading process and those that help it tell each other, beside the connections that it hands to them. */
import type { RackOptions } from '../proxy/rack.ts'
import type { ToldShort } from '../proxy/told.ts'

/** What a helping process serves, and how it reaches the one that leads. */
export interface Begin {
  readonly rack: Pick<
    RackOptions,
    'cassette' | 'missStatus' | 'onMiss' | 'trust' | 'strict' | 'rewriteUrls' | 'packs'
  >
  /** Address that the leading process listens on. */
  readonly host: string
  readonly allowedOrigins: readonly string[]
  readonly link: LinkPlace
}

/** Where requests are passed on to, on this machine. */
export interface LinkPlace {
  readonly port: number
  /** Name of a header that nobody else can know: it says where a client was reached, and that a request is no stranger's. */
  readonly header: string
}

export type FromLead =
  | { readonly kind: 'begin'; readonly begin: Begin }
  /** With a connection of a client. */
  | { readonly kind: 'serve' }
  /** Confirmed by `done`. */
  | { readonly kind: 'do'; readonly order: Order; readonly id: number }

/**
 * `stop`: somebody has written, nothing more is answered but by the leading process. `tell`: of everything answered so
 * far. `close`: requests under way are answered, and everything is told.
 */
export type Order = 'stop' | 'tell' | 'close'

export type FromHelper =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly id: number }
  | { readonly kind: 'told'; readonly told: readonly ToldShort[] }
  | { readonly kind: 'report'; readonly line: string }
