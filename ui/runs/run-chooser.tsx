/** Chooses among the runs that were read from files, and what differs between two of them. */
import type { JSX } from 'preact'
import { linkWith } from '../store/route.ts'
import { useStore } from '../store/store.ts'

export function RunChooser({
  runs
}: {
  readonly runs: readonly string[]
}): JSX.Element | null {
  const route = useStore((state) => state.route)
  const run = useStore((state) => state.run)
  const against = route.params.get('against')
  if (runs.length === 0) return null
  const before = runs.filter((one) => one !== run).at(-1)
  const isShort = new Set(runs.map(fileName)).size === runs.length
  const isNewest = run === runs.at(-1)
  const [older, newer] = isNewest ? [before, run] : [run, runs.at(-1)]
  return (
    <nav class="filters" aria-label="runs">
      {runs.map((one) => (
        <a
          key={one}
          class="chip"
          aria-current={one === run && against === null ? 'page' : undefined}
          href={linkWith(route, { run: one, against: '', id: '' })}
        >
          {isShort ? fileName(one) : one}
        </a>
      ))}
      {older !== undefined && newer !== undefined && (
        <a
          class="chip"
          aria-current={against === null ? undefined : 'page'}
          href={linkWith(route, { run: newer, against: older, id: '' })}
        >
          what differs
        </a>
      )}
    </nav>
  )
}

const fileName = (file: string): string => file.replace(/.*[\\/]/, '')
