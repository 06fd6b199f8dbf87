/** The view that is shown, from the fragment of the address (`#/…`), so that every view has a link. */
export const views = [
  'live',
  'timeline',
  'misses',
  'cassette',
  'coverage',
  'ask',
  'compare',
  'drift',
  'check'
] as const
export type View = (typeof views)[number]

export interface Route {
  readonly view: View | undefined
  readonly params: URLSearchParams
}

export type LinkParams = Readonly<Record<string, string | number | undefined>>

export function routeOf(hash: string): Route {
  const [name = '', ...query] = hash.replace(/^#\/?/, '').split('?')
  return {
    view: views.find((one) => one === name),
    params: new URLSearchParams(query.join('?'))
  }
}

/** Links stay within the run that is shown. */
export function linkTo(view: View, params: LinkParams = {}): string {
  const run = routeOf(location.hash).params.get('run') ?? undefined
  const all: LinkParams = { run, ...params }
  const given = Object.entries(all).flatMap(([name, value]) =>
    value === undefined || value === '' || value === 0 ? [] : [[name, String(value)]]
  )
  const text = new URLSearchParams(given).toString()
  return `#/${view}${text === '' ? '' : `?${text}`}`
}

/** A link to this view with some parameters changed. */
export function linkWith({ view, params }: Route, changes: LinkParams): string {
  return linkTo(view ?? 'live', { ...Object.fromEntries(params), ...changes })
}
