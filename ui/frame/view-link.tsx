/** A link to a view, with the number of misses beside Misses. */
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { AboutView } from '../../src/pages/views.ts'
import { linkTo, type View } from '../store/route.ts'
import { useStore } from '../store/store.ts'
import { viewTitles } from './view-titles.ts'

export function ViewLink({
  to,
  isCurrent,
  cassette,
  about
}: {
  readonly to: View
  readonly isCurrent: boolean
  readonly cassette: string
  readonly about: AboutView
}): JSX.Element {
  const misses = useStore(({ requests }) =>
    to === 'misses'
      ? new Set(requests.flatMap((one) => (one.outcome === 'miss' ? [one.key] : []))).size
      : 0
  )
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isCurrent) link.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [isCurrent])
  const chosen = cassette === about.current ? undefined : cassette
  return (
    <li>
      <a
        ref={link}
        href={linkTo(to, { cassette: chosen })}
        aria-current={isCurrent ? 'page' : undefined}
      >
        {viewTitles[to]}
        {misses > 0 && <span class="count">{misses}</span>}
      </a>
    </li>
  )
}
