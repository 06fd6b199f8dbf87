/** Errors of a cassette. Each message says what failed, why, and what to run; addresses in it have no credentials. */
import path from 'node:path'
import { compareWikis, type WikiIdentity, type WikiMatch } from '../cassette/format/manifest.ts'
import type { JsonFault } from '../json/read-json.ts'
import { errorText, systemErrorCode } from '../text/error-text.ts'
import { commandName, shellQuote } from './command-name.ts'

export type StoreFault =
  | 'missing'
  | 'not-a-folder'
  | 'no-manifest'
  | 'broken'
  | 'too-new'
  | 'cannot-write'
  | 'not-strict'
  | 'other-wiki'
  | 'outside'
  | 'address'
  | 'unreachable'
  | 'not-ours'
  | 'no-descriptions'

export class StoreError extends Error {
  readonly fault: StoreFault

  private constructor(fault: StoreFault, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StoreError'
    this.fault = fault
  }

  static missing(dir: string): StoreError {
    const text = `there is no cassette at ${dir}; record one: ${commandName} record <api-url> --cassette ${shellQuote(dir)}`
    return new StoreError('missing', text)
  }

  static unreadable(dir: string, cause: unknown): StoreError {
    return new StoreError('missing', `cannot open a cassette at ${dir}: ${reasonOf(cause)}`, cause)
  }

  static notAFolder(dir: string): StoreError {
    return new StoreError('not-a-folder', `${dir} is a file; a cassette is a folder with a cassette.json`)
  }

  static noManifest(dir: string): StoreError {
    const text = `${dir} is not a cassette: cassette.json not found; name the folder that contains it, or record into an empty one; in a test suite, restore the file from version control, or delete the folder and run the test again`
    return new StoreError('no-manifest', text)
  }

  /** @param advice what to do */
  static outside(root: string, place: string, advice = 'Name the folder itself with --cassette'): StoreError {
    const text = `${place} is not inside ${root}, or is a link that leads out of it; nothing was read or written there. ${advice}`
    return new StoreError('outside', text)
  }

  static broken(file: string, { line, column, message }: JsonFault): StoreError {
    const text = `${file}:${line}:${column}: ${message}; fix the file, or restore it from version control`
    return new StoreError('broken', text)
  }

  /** @param folder as the manifest names it */
  static noSharedDescriptions(dir: string, folder: string): StoreError {
    const text = `${dir} shares the descriptions of the wiki's modules in ${path.join(dir, folder)}, and that folder is not there; restore it from version control, or copy it along with the cassette. Before a cassette is moved on its own: ${commandName} normalize DIR --self-contained`
    return new StoreError('no-descriptions', text)
  }

  static notSelfContained(dir: string): StoreError {
    const text = `${dir} shares the descriptions of the wiki's modules with other cassettes, and is to be copied alone; make it self-contained first: ${commandName} normalize ${shellQuote(dir)} --self-contained`
    return new StoreError('no-descriptions', text)
  }

  static tooNew(file: string, found: number, supported: number): StoreError {
    const text = `${file} has format ${found}; this wikitape reads formats up to ${supported}: install a newer wikitape`
    return new StoreError('too-new', text)
  }

  static notStrict(dir: string): StoreError {
    const text = `${dir} was not recorded with --match strict: it does not record how requests were spelled; leave the flag out, or record another cassette with it`
    return new StoreError('not-strict', text)
  }

  /** @param text of `otherWikiText` */
  static otherWiki(dir: string, text: string): StoreError {
    return new StoreError('other-wiki', `${dir} ${text}`)
  }

  static invalidAddress(address: string): StoreError {
    const text = `"${address}" is not the address of a cassette; expected redis://HOST:PORT/0#NAME, rediss:// with TLS, redis+cluster://HOST:PORT,HOST:PORT#NAME or redis+sentinel://HOST:PORT/MASTER#NAME (docs/fleet.md)`
    return new StoreError('address', text)
  }

  static notReachable(address: string, reason: string): StoreError {
    return new StoreError('unreachable', `cannot reach ${address}: ${reason}`)
  }

  static onlyOne(address: string, name: string): StoreError {
    const text = `this server serves ${address} alone, and a request names the cassette ${name}; start another server for it`
    return new StoreError('outside', text)
  }

  static folderNeeded(address: string): StoreError {
    const text = `a folder is needed here, and ${address} is none: copy it with ${commandName} pull '${address}' DIR, or serve it with ${commandName} replay --cassette '${address}'`
    return new StoreError('address', text)
  }

  static changedMeanwhile(name: string): StoreError {
    const text = `${name} was changed by somebody else during the copy; what was copied stays: start the copy again`
    return new StoreError('cannot-write', text)
  }

  static missingInStore(address: string, folder: string): StoreError {
    const text = `there is no cassette at ${address}; copy a folder there: ${commandName} push ${shellQuote(folder)} '${address}', or record one: ${commandName} record <api-url> --cassette '${address}'`
    return new StoreError('missing', text)
  }

  /** @param found what is there instead */
  static notOurs(address: string, found: string): StoreError {
    const text = `${address} is not a cassette of this version of wikitape: ${found}; nothing was changed. Use another name after #, or install the wikitape that wrote it`
    return new StoreError('not-ours', text)
  }

  static cannotWrite(file: string, cause: unknown): StoreError {
    const text = `cannot write ${file}: ${reasonOf(cause)}; nothing recorded earlier is lost`
    return new StoreError('cannot-write', text, cause)
  }
}

/** Runs what writes a file, or several. @throws StoreError */
export function writing<T>(file: string, write: () => T): T {
  try {
    return write()
  } catch (error) {
    throw error instanceof StoreError ? error : StoreError.cannotWrite(file, error)
  }
}

/**
 * One cassette, one wiki: refuses a cassette of another wiki.
 * @param moved whether the user says that the wiki has moved. @throws StoreError
 */
export function requireSameWiki(
  { dir, manifest }: { readonly dir: string; readonly manifest: WikiIdentity },
  requested: WikiIdentity,
  moved: boolean,
): void {
  const match = compareWikis(manifest, requested)
  if (match === 'same' || (moved && match !== 'other')) return
  throw StoreError.otherWiki(dir, otherWikiText(match, manifest, requested))
}

/** Both addresses, and what to do. */
function otherWikiText(
  match: Exclude<WikiMatch, 'same'>,
  recorded: WikiIdentity,
  requested: WikiIdentity,
): string {
  const otherFolder = 'use another folder for that wiki (--cassette DIR, of refresh --into DIR)'
  const flag = 'add --moved (in a program moved: true)'
  switch (match) {
    case 'moved':
      return `is a recording of ${recorded.upstream}, and that wiki seems to have moved to ${requested.upstream}; to go on with the cassette there, ${flag}`
    case 'unproven':
      return `is a recording of ${recorded.upstream}, not of ${requested.upstream}; ${otherFolder}, or, if it is the same wiki under a new address, ${flag}`
    case 'other':
      return `is a recording of ${wikiName(recorded)}, and ${wikiName(requested)} is another wiki; ${otherFolder}`
  }
}

const wikiName = ({ upstream, site }: WikiIdentity): string => {
  const label = site?.wikiId === undefined ? site?.lang && `language ${site.lang}` : `wiki id ${site.wikiId}`
  return label ? `${upstream} (${label})` : upstream
}

const reasonOf = (cause: unknown): string => systemErrorTexts.get(systemErrorCode(cause)) ?? errorText(cause)

const systemErrorTexts: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EACCES', 'permission denied (EACCES): give this user access (chmod), or name another folder'],
  ['EPERM', 'operation not permitted (EPERM): give this user access, or name another folder'],
  ['ENOTDIR', 'a part of that path is a file'],
  ['EISDIR', 'there is a folder of that name'],
  ['EROFS', 'the file system is read-only'],
])
