/** A copy of a wiki's database and files as they were built, so that tests that edit can have them back in a second. */
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { LabVersion } from '../lab.ts'
import { dumpDatabase, restoreDatabase } from '../machine/mariadb.ts'
import type { WikiPlace } from '../machine/place.ts'

export const databaseName = (version: LabVersion): string =>
  `wiki${version.replace('.', '')}`

interface Kept {
  readonly used: string
  readonly pristine: string
}

function keptFolders(place: WikiPlace): readonly Kept[] {
  const pristine = join(place.root, 'pristine')
  return [
    { used: place.data, pristine: join(pristine, 'data') },
    { used: join(place.install, 'images'), pristine: join(pristine, 'images') }
  ]
}

export async function keepPristine(place: WikiPlace): Promise<void> {
  for (const { used, pristine } of keptFolders(place))
    await cp(used, pristine, { recursive: true })
  if (place.mariadb !== undefined)
    await dumpDatabase(place.mariadb, databaseName(place.version), dumpOf(place))
}

/** The server must not be running: it holds the database open. */
export async function restorePristine(place: WikiPlace): Promise<void> {
  for (const { used, pristine } of keptFolders(place)) {
    await rm(used, { recursive: true, force: true })
    await cp(pristine, used, { recursive: true })
  }
  if (place.mariadb !== undefined) await restoreDatabase(place.mariadb, dumpOf(place))
}

const dumpOf = (place: WikiPlace): string => join(place.root, 'pristine', 'database.sql')
