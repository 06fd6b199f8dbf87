/** A region that scrolls by itself, also by keyboard. */
import type { ComponentChildren, JSX } from 'preact'

export const Scroll = ({
  label,
  kind = '',
  children
}: {
  readonly label: string
  readonly kind?: string
  readonly children: ComponentChildren
}): JSX.Element => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1)
  <section class={`scroll ${kind}`} tabIndex={0} aria-label={label}>
    {children}
  </section>
)
