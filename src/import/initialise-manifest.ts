/** The manifest of a cassette that recordings are imported into: its age, and what another cassette knows of the wiki. */
import type { Store } from '../store/store.ts'
import type { DescriptionSource } from './imported-upstream.ts'

/** The cassette is as old as its oldest recording (docs/decisions/0007-expiry.md), and of unknown age where none is dated. */
export function initialiseManifest(
  store: Store,
  descriptionSource: DescriptionSource | undefined,
  day: string | undefined,
): void {
  const { recorded, ...rest } = store.manifest
  const known = store.size === 0 ? undefined : recorded
  const oldest =
    store.size > 0 && recorded === undefined
      ? undefined
      : [known, day].filter((one) => one !== undefined).sort()[0]
  store.setManifest(oldest === undefined ? rest : { ...rest, recorded: oldest })
  if (descriptionSource === undefined || 'ask' in descriptionSource || store.manifest.site !== undefined)
    return
  const { site, engine } = descriptionSource.manifest
  if (site === undefined) return
  // That cassette may be of another wiki.
  const { wikiId: _, ...facts } = site
  store.setManifest({ ...store.manifest, site: facts, engine })
}
