/** Where a lab keeps its things and on which ports it serves. */
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type LabVersion, labPort, type PageOrder } from '../lab.ts'
import { usesMariadb, type VariantName } from '../variants.ts'
import type { Mariadb } from './mariadb.ts'

export interface Lab {
  readonly folder: string
  /** Downloads, which labs of both orders share. */
  readonly downloads: string
  readonly portBase: number
  readonly order: PageOrder
  /** In what its wikis differ from the lab's own. */
  readonly variants?: readonly VariantName[]
  /** True where the wikis serve by the machine's clock: clients drop cookies that expired at the lab's own date. */
  readonly realClock?: boolean
}

const checkout = fileURLToPath(new URL('../../..', import.meta.url))

/** WIKITAPE_LAB names the folder; without it `.lab` in the checkout. The reversed lab has a folder inside. */
export function labOf(
  order: PageOrder,
  portBase: number,
  environment: NodeJS.ProcessEnv,
  variants: readonly VariantName[] = []
): Lab {
  const downloads = resolve(environment['WIKITAPE_LAB'] ?? join(checkout, '.lab'))
  const own = ownFolder({ downloads, order })
  const folder = variants.length === 0 ? own : join(own, 'variants', variants.join('+'))
  return { folder, downloads, portBase, order, variants }
}

/** Where the lab keeps its own wikis, those without variants. */
export const ownFolder = ({
  downloads,
  order
}: Pick<Lab, 'downloads' | 'order'>): string =>
  order === 'reversed' ? join(downloads, 'reversed') : downloads

/** The database server of a lab whose wikis need one; it serves beside them. */
export const mariadbOf = ({
  folder,
  portBase,
  variants = []
}: Lab): Mariadb | undefined =>
  usesMariadb(variants)
    ? { folder: join(folder, 'mariadb'), port: portBase + 33 }
    : undefined

/** The folders of one built wiki. `web` is the server's root, so that the wiki answers under /w. */
export interface WikiPlace {
  readonly version: LabVersion
  readonly port: number
  readonly realClock: boolean
  readonly root: string
  readonly web: string
  readonly install: string
  readonly data: string
  readonly cache: string
  readonly temporary: string
  readonly ready: string
  readonly lock: string
  readonly server: string
  readonly serverLog: string
  readonly mariadb: Mariadb | undefined
}

export function wikiPlace(
  lab: Lab,
  version: LabVersion,
  root: string = join(lab.folder, version)
): WikiPlace {
  return {
    version,
    port: labPort(version, lab.portBase),
    realClock: lab.realClock ?? false,
    root,
    web: join(root, 'web'),
    install: join(root, 'web', 'w'),
    data: join(root, 'data'),
    cache: join(root, 'cache'),
    temporary: join(root, 'tmp'),
    ready: join(root, 'ready.json'),
    lock: `${root}.lock`,
    server: join(root, 'server.json'),
    serverLog: join(root, 'server.log'),
    mariadb: mariadbOf(lab)
  }
}
