/** One cassette, one wiki: refuses a cassette of another wiki. */
import { compareWikis, type WikiIdentity } from '../cassette/same-wiki.ts'
import { StoreError } from './store-error.ts'

/** @param moved whether the user says that the wiki has moved. @throws StoreError */
export function requireSameWiki(
  { dir, manifest }: { readonly dir: string; readonly manifest: WikiIdentity },
  requested: WikiIdentity,
  moved: boolean,
): void {
  const match = compareWikis(manifest, requested)
  if (match === 'same' || (moved && match !== 'other')) return
  throw StoreError.otherWiki(dir, match, manifest, requested)
}
