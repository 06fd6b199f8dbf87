/** Folders in this user's cache: what lies there is believed only where nobody else can have put it there. */
import { lstatSync, mkdirSync } from 'node:fs'
import path from 'node:path'

/** What others can do to a folder, as bits of its mode. */
export const toWrite = 0o022
export const toReadOrWrite = 0o077

/**
 * Where everything lies that is kept from run to run, an absolute path; undefined where nothing is to be kept.
 * @param env WIKITAPE_CACHE names a folder, or `off`
 */
export function cacheFolder(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { WIKITAPE_CACHE: named, XDG_CACHE_HOME: caches, HOME: home } = env
  if (named) return named === 'off' ? undefined : path.resolve(named)
  const place = caches || (home && path.join(home, '.cache'))
  return place && path.isAbsolute(place) ? path.join(place, 'wikitape') : undefined
}

/** True for a folder of this user's own in which nobody else can do what these bits of a mode allow. */
export function isOwn(folder: string, others: number): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false })
  return stat?.isDirectory() === true && stat.uid === process.getuid?.() && (stat.mode & others) === 0
}

/** The same, of a folder that is made where it is missing; false also where it cannot be. */
export function makeOwn(folder: string, others: number): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return isOwn(folder, others)
  } catch {
    return false
  }
}
