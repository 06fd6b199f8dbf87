/** The frame of all views: brand, views, cassettes, and the view that is shown. */
import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { AboutView } from '../../src/pages/views.ts'
import { useChanges } from '../store/follow-cassette.ts'
import { followRequests } from '../store/live-feed.ts'
import { type View, views } from '../store/route.ts'
import { useStore } from '../store/store.ts'
import { CassetteChooser } from './cassette-chooser.tsx'
import { CurrentView } from './current-view.tsx'
import { KeyHelp } from './key-help.tsx'
import { ViewLink } from './view-link.tsx'
import { viewTitles } from './view-titles.ts'

export function Frame({ about }: { readonly about: AboutView }): JSX.Element {
  const route = useStore((state) => state.route)
  const isIdle = useStore(({ requests }) => requests.length === 0)
  // Who opens a cassette that nobody asks yet wants to see the cassette.
  const start = useRef<View>(
    !isIdle || about.hasRequests || about.doing === 'recording' ? 'live' : 'cassette'
  )
  const view = route.view ?? start.current
  const cassette = route.params.get('cassette') ?? about.current
  useRun(route.params.get('run') ?? about.runs[0] ?? '', about.runs)
  useTitle(view)
  useChanges(cassette)
  return (
    <>
      <button type="button" class="skip" onClick={focusContent}>
        Skip to content
      </button>
      <header class="top">
        <p class="brand">
          <b>wikitape</b> <Doing about={about} />
        </p>
        <nav aria-label="views">
          <ul>
            {views.map((one) => (
              <ViewLink
                key={one}
                to={one}
                isCurrent={one === view}
                cassette={cassette}
                about={about}
              />
            ))}
          </ul>
        </nav>
        <CassetteChooser about={about} cassette={cassette} view={view} />
        <KeyHelp />
      </header>
      <main id="main" tabIndex={-1}>
        <CurrentView
          view={view}
          params={route.params}
          cassette={cassette}
          cassettes={about.cassettes}
          runs={about.runs}
        />
      </main>
    </>
  )
}

function Doing({ about: { doing, runs } }: { readonly about: AboutView }): JSX.Element {
  const hasEnded = useStore(({ connection }) => connection === 'ended')
  const words = hasEnded ? 'ended' : runs.length > 0 ? 'showing a run' : doing
  return <span class={`doing ${words}`}>{words}</span>
}

function useRun(run: string, files: readonly string[]): void {
  const isPaused = useStore(({ paused }) => paused)
  const hasEnded = useStore(({ connection }) => connection === 'ended')
  useEffect(
    () => (isPaused || hasEnded ? undefined : followRequests(run, files.includes(run))),
    [run, isPaused, hasEnded]
  )
}

/** Not a link: the fragment of the address names the view. */
const focusContent = (): void => document.getElementById('main')?.focus()

/** Sets title and focus as a new page would, for screen readers. Before painting, so that an early key press is not lost. */
function useTitle(view: View): void {
  const first = useRef(true)
  useLayoutEffect(() => {
    document.title = `${viewTitles[view]} · wikitape`
    if (!first.current) focusContent()
    first.current = false
  }, [view])
}
