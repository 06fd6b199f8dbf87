/** Keyboard shortcuts of all views: `/` focuses the search, `j` and `k` move between rows. */

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, select, textarea')

/** @returns a function that stops listening */
export function listenToKeys(): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (isTyping(event.target)) {
      if (event.key === 'Escape' && event.target instanceof HTMLElement) event.target.blur()
      return
    }
    if (event.key === '/') {
      event.preventDefault()
      document.querySelector<HTMLInputElement>('input[type=search]')?.focus()
    } else if (event.key === 'j') step(1)
    else if (event.key === 'k') step(-1)
  }
  addEventListener('keydown', onKey)
  return () => removeEventListener('keydown', onKey)
}

function step(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main .row a')]
  const here = rows.indexOf(document.activeElement as HTMLElement)
  const next = here < 0 ? (by > 0 ? 0 : rows.length - 1) : here + by
  rows[next]?.focus()
}
