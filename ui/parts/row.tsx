/** One row of a list: a link to its details. Focused by the keyboard, it shows them. */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { replaceAddress } from '../store/navigate.ts'

export function Row({
  href,
  isCurrent,
  tone = '',
  children
}: {
  readonly href: string
  readonly isCurrent: boolean
  readonly tone?: string
  readonly children: ComponentChildren
}): JSX.Element {
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isCurrent) link.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  const follow = (): void => {
    // A click follows the link by itself, with an entry in the history.
    if (link.current?.matches(':focus-visible') === true) replaceAddress(href)
  }
  return (
    <li>
      <a
        ref={link}
        class={`row ${tone}`}
        href={href}
        aria-current={isCurrent ? 'true' : undefined}
        onFocus={follow}
      >
        {children}
      </a>
    </li>
  )
}
