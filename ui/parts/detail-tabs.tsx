/** The parts of a detail, one shown at a time; a page has one detail. The chosen one stays when another row is chosen. */
import type { ComponentChildren, JSX } from 'preact'
import { replaceAddress } from '../store/navigate.ts'
import { linkWith } from '../store/route.ts'
import { useStore } from '../store/store.ts'

export interface DetailTab {
  readonly name: string
  readonly body: () => ComponentChildren
}

export function DetailTabs({
  tabs
}: {
  readonly tabs: readonly DetailTab[]
}): JSX.Element {
  const route = useStore((state) => state.route)
  const wanted = route.params.get('part')
  const shown = tabs.find(({ name }) => name === wanted) ?? tabs[0]
  const onKey = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    const all = [
      ...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[role=tab]')
    ]
    const next =
      all[(all.indexOf(event.target as HTMLElement) + by + all.length) % all.length]
    next?.focus()
    next?.click()
  }
  return (
    <>
      <div class="tabs" role="tablist" aria-label="parts" onKeyDown={onKey}>
        {tabs.map(({ name }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`part-${name}`}
            aria-controls="part"
            aria-selected={name === shown?.name}
            tabIndex={name === shown?.name ? 0 : -1}
            onClick={() => replaceAddress(linkWith(route, { part: name }))}
          >
            {name}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        class="panel"
        id="part"
        aria-labelledby={`part-${shown?.name}`}
        key={shown?.name}
      >
        {shown?.body()}
      </div>
    </>
  )
}
