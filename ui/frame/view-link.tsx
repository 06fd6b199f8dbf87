/** A link to a view, with the number of misses beside Misses. */
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { AboutView, MissView } from '../../src/pages/views.ts'
import { linkTo, type View } from '../store/route.ts'
import { useStore } from '../store/store.ts'
import { useFetch } from '../store/use-fetch.ts'
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
  const newest = useStore(({ requests }) =>
    to === 'misses' ? requests.find(({ outcome }) => outcome === 'miss')?.id : undefined
  )
  const run = useStore((state) => state.run)
  const all = useFetch<readonly MissView[]>(
    newest === undefined ? undefined : 'api/misses',
    { newest, run }
  )
  const misses = (all.value ?? []).filter(({ recorded }) => !recorded).length
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isCurrent) scrollToMiddle(link.current)
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

/** Not by `scrollIntoView`: in Chromium 150 the next Tab would begin there. */
function scrollToMiddle(link: Element | null): void {
  const nav = link?.closest('nav')
  if (!link || !nav) return
  const place = link.getBoundingClientRect()
  const frame = nav.getBoundingClientRect()
  nav.scrollLeft += place.left - frame.left - (frame.width - place.width) / 2
}
