/** Chooses the order of rows. */
import type { JSX } from 'preact'
import { replaceAddress } from '../store/navigate.ts'
import { linkWith } from '../store/route.ts'
import { useStore } from '../store/store.ts'
import { sortOf, sorts } from './sort.ts'

const words = {
  newest: 'newest first',
  age: 'oldest first',
  size: 'largest first',
  time: 'slowest first',
  name: 'by name'
}

/** @param first the order that holds unless another is chosen */
export function SortChooser({
  first = words.newest
}: {
  readonly first?: string
}): JSX.Element {
  const route = useStore((state) => state.route)
  return (
    <select
      aria-label="Sort"
      value={sortOf(route.params.get('sort'))}
      onChange={(event) => {
        const sort = event.currentTarget.value
        const changed = { sort: sort === 'newest' ? '' : sort, from: '' }
        replaceAddress(linkWith(route, changed))
      }}
    >
      {sorts
        .filter((one) => one !== 'name' || first === words.newest)
        .map((one) => (
          <option key={one} value={one}>
            {one === 'newest' ? first : words[one]}
          </option>
        ))}
    </select>
  )
}
