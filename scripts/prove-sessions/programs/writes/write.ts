/** What clients change, each with the reads that may show it: they are asked before it and after. */
import type { Params } from '../program.ts'
import type { Script } from '../script.ts'

/** A number from 0 to below `limit`. */
export type Draw = (limit: number) => number

export interface Cast {
  readonly who: number
  readonly draw: Draw
  readonly title: string
  readonly user: string
}

export interface Write {
  readonly does: (script: Script, cast: Cast) => void
  /** Reads that it may change. */
  readonly seen: readonly string[]
}

export const pick = <T>(draw: Draw, from: readonly [T, ...T[]]): T =>
  from[draw(from.length)] ?? from[0]

export const more = (draw: Draw, from: readonly Params[]): Params =>
  from[draw(from.length)] ?? {}

export const posts =
  (params: (cast: Cast) => Params, token = 'csrf') =>
  (script: Script, cast: Cast): void =>
    void script.post(cast.who, { ...params(cast), token: `{${token}}` })
