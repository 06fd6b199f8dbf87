/** The frame of all views. */
import type { JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { AboutView } from '../src/ui/views.ts'
import { Fetched, Text } from './parts.tsx'
import { linkTo, type Route, useRoute, type View, views } from './route.ts'
import { useFetch } from './server-api.ts'
import { CassetteView } from './views/cassette.tsx'
import { Check } from './views/check.tsx'
import { Coverage } from './views/coverage.tsx'
import { Drift } from './views/drift.tsx'
import { LiveView } from './views/live.tsx'
import { Misses } from './views/misses.tsx'

const titles: Readonly<Record<View, string>> = {
  live: 'Live',
  misses: 'Misses',
  cassette: 'Cassette',
  coverage: 'Coverage',
  drift: 'Drift',
  check: 'Check',
}

export function App(): JSX.Element {
  const about = useFetch<AboutView>('api/about')
  return <Fetched state={about}>{(known) => <Frame about={known} />}</Fetched>
}

function Frame({ about }: { readonly about: AboutView }): JSX.Element {
  const route = useRoute()
  const view = route.view ?? 'live'
  const cassette = route.params.get('cassette') ?? about.current
  useTitle(`${titles[view]} · wikitape`, view)
  return (
    <>
      <button type="button" class="skip" onClick={focusContent}>
        Skip to content
      </button>
      <header>
        <p class="brand">
          <b>wikitape</b> <span class="quiet">{about.doing}</span>
        </p>
        <CassetteChooser about={about} cassette={cassette} view={view} />
        <nav aria-label="views">
          <ul>
            {views.map((one) => (
              <li key={one}>
                <a
                  href={linkTo(one, { cassette: unlessCurrent(cassette, about) })}
                  aria-current={one === view ? 'page' : undefined}
                >
                  {titles[one]}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      <main id="main" tabIndex={-1}>
        <CurrentView view={view} route={route} cassette={cassette} />
      </main>
      <footer>
        <p class="quiet">
          Keys: <kbd>/</kbd> search, <kbd>j</kbd> next row, <kbd>k</kbd> previous row, <kbd>Enter</kbd> open
        </p>
      </footer>
    </>
  )
}

const unlessCurrent = (cassette: string, about: AboutView): string | undefined =>
  cassette === about.current ? undefined : cassette

/** Not a link: the fragment of the address names the view. */
const focusContent = (): void => document.getElementById('main')?.focus()

/** Sets title and focus as a new page would, for screen readers. Before painting, so that an early key press is not lost. */
function useTitle(title: string, view: View): void {
  const first = useRef(true)
  useLayoutEffect(() => {
    document.title = title
    if (!first.current) focusContent()
    first.current = false
  }, [view])
}

function CassetteChooser({
  about,
  cassette,
  view,
}: {
  readonly about: AboutView
  readonly cassette: string
  readonly view: View
}): JSX.Element {
  if (about.cassettes.length < 2)
    return (
      <p class="chooser">
        <Text>{cassette}</Text>
      </p>
    )
  return (
    <label class="chooser">
      Cassette{' '}
      <select
        value={cassette}
        onChange={(event) => {
          location.hash = linkTo(view, { cassette: event.currentTarget.value })
        }}
      >
        {about.cassettes.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
  )
}

function CurrentView({
  view,
  route: { params },
  cassette,
}: {
  readonly view: View
  readonly route: Route
  readonly cassette: string
}): JSX.Element {
  switch (view) {
    case 'live':
      return <LiveView />
    case 'misses':
      return <Misses params={params} />
    case 'cassette':
      return <CassetteView cassette={cassette} params={params} />
    case 'coverage':
      return <Coverage cassette={cassette} params={params} />
    case 'drift':
      return <Drift cassette={cassette} params={params} />
    case 'check':
      return <Check cassette={cassette} />
  }
}
