/** Follows the address into the store, and replaces it without an entry in the history. */
import { routeOf } from './route.ts'
import { setState } from './store.ts'

const follow = (): void => setState(() => ({ route: routeOf(location.hash) }))

export const followAddress = (): void => addEventListener('hashchange', follow)

export function replaceAddress(hash: string): void {
  history.replaceState(undefined, '', hash)
  follow()
}
