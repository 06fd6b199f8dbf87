/** Keyboard shortcuts of all views. */
import { linkTo, views } from '../store/route.ts'
import { setState } from '../store/store.ts'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.matches('input:not([type=checkbox]), select, textarea')

export const shortcuts: readonly (readonly [keys: string, what: string])[] = [
  ['j / k', 'next or previous row; its details follow'],
  ['Enter', 'to the details of a row'],
  ['Esc', 'back to the rows, or out of a field'],
  ['t', 'next part of the details: request, answer, key …'],
  ['/', 'search'],
  [`1 – ${views.length}`, 'views, from left to right'],
  ['?', 'this list']
]

/** @returns a function that stops listening */
export function listenToKeys(): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (isTyping(event.target)) {
      if (event.key === 'Escape' && event.target instanceof HTMLElement)
        event.target.blur()
      return
    }
    if (act(event.key)) event.preventDefault()
  }
  addEventListener('keydown', onKey)
  return () => removeEventListener('keydown', onKey)
}

/** @returns whether the key means something */
function act(key: string): boolean {
  const view = views[Number(key) - 1]
  if (view !== undefined) location.hash = linkTo(view)
  else if (key === '/')
    document.querySelector<HTMLInputElement>('main input[type=search]')?.focus()
  else if (key === 'j') step(1)
  else if (key === 'k') step(-1)
  else if (key === 't') nextPart()
  else if (key === '?') setState(({ helpOpen }) => ({ helpOpen: !helpOpen }))
  else if (key === 'Escape') {
    setState(() => ({ helpOpen: false }))
    document.querySelector<HTMLElement>('main a.row[aria-current]')?.focus()
  } else return false
  return true
}

function step(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main a.row')]
  const focused = rows.indexOf(document.activeElement as HTMLElement)
  const here = focused >= 0 ? focused : rows.findIndex((row) => row.ariaCurrent !== null)
  const next = here < 0 ? (by > 0 ? 0 : rows.length - 1) : here + by
  rows[next]?.focus()
}

function nextPart(): void {
  const tabs = [...document.querySelectorAll<HTMLElement>('main [role=tab]')]
  const here = tabs.findIndex((tab) => tab.ariaSelected === 'true')
  tabs[(here + 1) % Math.max(1, tabs.length)]?.click()
}
