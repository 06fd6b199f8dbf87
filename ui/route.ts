/** The view that is shown, from the fragment of the address (`#/…`), so that every view has a link. */
import { useLayoutEffect, useState } from 'preact/hooks'

export const views = ['live', 'misses', 'cassette', 'coverage', 'drift', 'check'] as const
export type View = (typeof views)[number]

export interface Route {
  readonly view: View | undefined
  readonly params: URLSearchParams
}

export function routeOf(hash: string): Route {
  const [name = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  return { view: views.find((one) => one === name), params: new URLSearchParams(query) }
}

export function linkTo(
  view: View,
  params: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const given = Object.entries(params).flatMap(([name, value]) =>
    value === undefined || value === '' || value === 0 ? [] : [[name, String(value)]],
  )
  const text = new URLSearchParams(given).toString()
  return `#/${view}${text === '' ? '' : `?${text}`}`
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash)
  useLayoutEffect(() => {
    const follow = (): void => setHash(location.hash)
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return routeOf(hash)
}
