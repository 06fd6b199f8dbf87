/** Whose a file is, and whether a path in it stays in its folder: a folder that somebody else made commands nothing. */
import { lstatSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'

/** Who runs this process. */
export interface User {
  /** Undefined where the system has no such numbers. */
  readonly uid: number | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

export const user = (): User => ({ uid: process.getuid?.(), env: process.env })

/**
 * Why a file is not to be followed; undefined where it belongs to the user or to root, as git decides it for repositories.
 * Source: git-config(1), safe.directory
 */
export function whyNotOwn(file: string, { uid, env }: User): string | undefined {
  const folder = path.dirname(file)
  const trusted = (env['WIKITAPE_SAFE_DIRECTORY'] ?? '').split(path.delimiter)
  if (uid === undefined || trusted.includes('*') || trusted.includes(folder)) return undefined
  const own = uid === 0 && env['SUDO_UID'] !== undefined ? [0, uid, Number(env['SUDO_UID'])] : [0, uid]
  // A link's own owner decides where it leads.
  const other = [lstatSync(file).uid, statSync(file).uid].find((one) => !own.includes(one))
  if (other === undefined) return undefined
  return `${file} belongs to another user (${other}; you are ${uid}), so it is not followed; if you trust it, make it yours (chown ${uid}), or set WIKITAPE_SAFE_DIRECTORY=${folder}`
}

/** The real path of `below` in a folder, links followed; undefined where it leads out. */
export function pathInside(folder: string, below: string): string | undefined {
  const [root, real] = [realpathSync(folder), realPath(path.resolve(folder, below))]
  return real === root || real?.startsWith(root.endsWith(path.sep) ? root : root + path.sep)
    ? real
    : undefined
}

/** Of a path that need not be there yet; undefined where a link leads to nothing. */
function realPath(place: string): string | undefined {
  try {
    return realpathSync(place)
  } catch (error) {
    const isAbsent = error instanceof Error && /^(?:ENOENT|ENOTDIR):/.test(error.message)
    if (!isAbsent || lstatSync(place, { throwIfNoEntry: false }) !== undefined) return undefined
    const above = realPath(path.dirname(place))
    return above && path.join(above, path.basename(place))
  }
}
