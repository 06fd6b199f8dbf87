/** Trust in files: only files of the user or root are followed, and their paths must stay in their folder. */
import { lstatSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'

/** The user of this process. */
export interface ProcessUser {
  /** Undefined where the system has no user ids. */
  readonly uid: number | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

export const currentUser = (): ProcessUser => ({ uid: process.getuid?.(), env: process.env })

/** The reason not to follow a file; undefined for one of the user's or root's. Source: git-config(1), safe.directory */
export function whyUntrusted(file: string, { uid, env }: ProcessUser): string | undefined {
  const folder = path.dirname(file)
  const trusted = (env['WIKITAPE_SAFE_DIRECTORY'] ?? '').split(path.delimiter)
  if (uid === undefined || trusted.includes('*') || trusted.includes(folder)) return undefined
  const trustedUids =
    uid === 0 && env['SUDO_UID'] !== undefined ? [0, uid, Number(env['SUDO_UID'])] : [0, uid]
  // The owner of a link decides where it leads.
  const otherUid = [lstatSync(file).uid, statSync(file).uid].find((one) => !trustedUids.includes(one))
  if (otherUid === undefined) return undefined
  return `${file} belongs to another user (${otherUid}; you are ${uid}), so it is not followed; if you trust it, make it yours (chown ${uid}), or set WIKITAPE_SAFE_DIRECTORY=${folder}`
}

/** The real path of a relative path; undefined where it leads out of the folder. */
export function realPathInside(folder: string, relative: string): string | undefined {
  const [root, real] = [realpathSync(folder), realPath(path.resolve(folder, relative))]
  return real === root || real?.startsWith(root.endsWith(path.sep) ? root : root + path.sep)
    ? real
    : undefined
}

/** Of a path that need not exist yet; undefined for a dangling link. */
function realPath(location: string): string | undefined {
  try {
    return realpathSync(location)
  } catch (error) {
    const isAbsent = error instanceof Error && /^(?:ENOENT|ENOTDIR):/.test(error.message)
    if (!isAbsent || lstatSync(location, { throwIfNoEntry: false }) !== undefined) return undefined
    const parent = realPath(path.dirname(location))
    return parent && path.join(parent, path.basename(location))
  }
}
