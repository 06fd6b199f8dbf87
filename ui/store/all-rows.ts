/** All rows of a cassette, loaded in small steps: no request of a client waits while the server reads. */
import { useEffect, useState } from 'preact/hooks'
import type { RowView, SearchInFilesView } from '../../src/pages/views.ts'
import { address, fetchJson } from './server-api.ts'
import { useStore } from './store.ts'

export interface AllRows {
  readonly rows: readonly RowView[]
  /** How many there are. */
  readonly total: number
}

const none: AllRows = { rows: [], total: 0 }
/** The cassette that was loaded last, as it was after so many changes. */
let known: AllRows & { readonly name: string } = { ...none, name: '' }

/** @param isWanted false: nothing is loaded. Leaving the view stops it */
export function useAllRows(cassette: string, isWanted: boolean): AllRows {
  const changes = useStore((state) => state.changes)
  const name = `${changes} ${cassette}`
  const [, redraw] = useState(0)
  useEffect(() => {
    if (!isWanted) return
    const controller = new AbortController()
    if (known.name !== name) known = { ...none, name }
    void load(cassette, name, controller.signal, () => redraw((count) => count + 1))
    return () => controller.abort()
  }, [name, isWanted])
  return isWanted && known.name === name ? known : none
}

async function load(
  cassette: string,
  name: string,
  signal: AbortSignal,
  onRows: () => void
): Promise<void> {
  while (known.name === name && (known.total === 0 || known.rows.length < known.total)) {
    const from = known.rows.length
    const answer = await fetchJson(
      address('api/inside', { cassette, from }),
      signal
    ).catch(() => undefined)
    if (signal.aborted || answer === undefined) return
    const { rows, total } = answer as SearchInFilesView
    known = { name, rows: [...known.rows, ...rows], total }
    onRows()
    if (rows.length === 0) return
  }
}
