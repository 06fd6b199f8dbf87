/** The one store of the pages: what is shown, what was fetched, and the live requests. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { RequestView } from '../../src/pages/run-views.ts'
import { type Route, routeOf } from './route.ts'

/** State of an answer; `value` stays while it is loaded again. */
export interface FetchState {
  readonly value?: unknown
  /** Message of a failed request. */
  readonly fault?: string
  /** When it was loaded, in milliseconds since 1970. */
  readonly at: number
  /** `State.changes` when it was asked for. */
  readonly changes: number
}

/** `ended`: the server no longer answers, and is not asked any more; `file`: the run was read from a file. */
export type ConnectionState = 'connecting' | 'connected' | 'lost' | 'ended' | 'file'

/** A recorded answer, chosen for a comparison. */
export interface PickedAnswer {
  readonly cassette: string
  readonly key: string
  readonly response: number
  readonly words: string
}

export interface State {
  readonly route: Route
  /** By the URL of each; the oldest first. */
  readonly fetched: ReadonlyMap<string, FetchState>
  /** Name of the run that is shown; empty for that of the server. */
  readonly run: string
  /** Its requests, the newest first. */
  readonly requests: readonly RequestView[]
  readonly connection: ConnectionState
  readonly paused: boolean
  /** Counts changes on disk of the cassette that is shown. */
  readonly changes: number
  readonly picked: PickedAnswer | undefined
  readonly helpOpen: boolean
}

let state: State = {
  route: routeOf(location.hash),
  fetched: new Map(),
  run: '',
  requests: [],
  connection: 'connecting',
  paused: false,
  changes: 0,
  picked: undefined,
  helpOpen: false
}
const listeners = new Set<() => void>()

export const getState = (): State => state

export function setState(change: (before: State) => Partial<State>): void {
  state = { ...state, ...change(state) }
  for (const listener of listeners) listener()
}

/** A part of the state; the component is drawn again when it changes. */
export function useStore<T>(select: (state: State) => T): T {
  const [, redraw] = useState(0)
  const selected = select(state)
  const last = useRef({ select, selected })
  last.current = { select, selected }
  useLayoutEffect(() => {
    const listener = (): void => {
      if (last.current.select(state) !== last.current.selected)
        redraw((count) => count + 1)
    }
    listeners.add(listener)
    listener()
    return () => void listeners.delete(listener)
  }, [])
  return selected
}
