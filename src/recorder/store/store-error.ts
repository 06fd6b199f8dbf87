/** Errors of a cassette. Each message says what failed, why, and what to run; addresses in it have no credentials. */
import path from 'node:path'
import {
  compareWikis,
  type WikiIdentity,
  type WikiMatch
} from '../cassette/wiki-identity.ts'
import { faultText, type JsonFault } from '../json/json-fault.ts'
import { errorText, systemErrorCode } from '../text/error-text.ts'
import { wordSet } from '../text/words.ts'
import { commandName, shellQuote } from './command-name.ts'
import systemErrors from './system-errors.json' with { type: 'json' }

/** By what is wrong: the message. */
const texts = {
  missing: (dir: string) =>
    `there is no cassette at ${dir}; record one: ${commandName} record <api-url> --cassette ${shellQuote(dir)}`,
  unreadable: (dir: string, cause: unknown) =>
    `cannot open a cassette at ${dir}: ${reasonOf(cause)}`,
  'not-a-folder': (dir: string) =>
    `${dir} is a file; a cassette is a folder with a cassette.json`,
  'no-manifest': (dir: string) =>
    `${dir} is not a cassette: cassette.json not found; name the folder that contains it, or record into an empty one; in a test suite, restore the file from version control, or delete the folder and run the test again`,
  nested: (dir: string, around: string) =>
    `${dir} would lie in ${around}, which is a cassette and cannot contain other cassettes: name another folder`,
  /** @param advice what to do */
  outside: (
    root: string,
    place: string,
    advice = 'Name the folder itself with --cassette'
  ) =>
    `${place} is not inside ${root}, or is a link that leads out of it; nothing was read or written there. ${advice}`,
  broken: (file: string, fault: JsonFault) =>
    `${faultText(file, fault)}; fix the file, or restore it from version control`,
  /** @param folder as the manifest names it */
  'no-descriptions': (dir: string, folder: string) =>
    `${dir} shares the descriptions of the wiki's modules in ${path.join(dir, folder)}, and that folder is not there; restore it from version control, or copy it along with the cassette. Before a cassette is moved on its own: ${commandName} normalize DIR --self-contained`,
  'not-self-contained': (dir: string) =>
    `${dir} shares the descriptions of the wiki's modules with other cassettes, and is to be copied alone; make it self-contained first: ${commandName} normalize ${shellQuote(dir)} --self-contained`,
  'too-new': (file: string, found: number, supported: number) =>
    `${file} has format ${found}; this wikitape reads formats up to ${supported}: install a newer wikitape`,
  'not-strict': (dir: string) =>
    `${dir} was not recorded with --match strict: it does not record how requests were spelled; leave the flag out, or record another cassette with it`,
  /** @param text of `otherWikiText` */
  'other-wiki': (dir: string, text: string) => `${dir} ${text}`,
  address: (address: string) =>
    `"${address}" is not the address of a cassette; expected redis://HOST:PORT/0#NAME, rediss:// with TLS, redis+cluster://HOST:PORT,HOST:PORT#NAME or redis+sentinel://HOST:PORT/MASTER#NAME (docs/fleet.md)`,
  unreachable: (address: string, reason: string) => `cannot reach ${address}: ${reason}`,
  'only-one': (address: string, name: string) =>
    `this server serves ${address} alone, and a request names the cassette ${name}; start another server for it`,
  'folder-needed': (address: string) =>
    `a folder is needed here, and ${address} is none: copy it with ${commandName} pull '${address}' DIR, or serve it with ${commandName} replay --cassette '${address}'`,
  changed: (name: string) =>
    `${name} was changed by somebody else during the copy; what was copied stays: start the copy again`,
  'not-in-store': (address: string) =>
    `there is no cassette at ${address}; copy a folder there: ${commandName} push DIR '${address}', or record one: ${commandName} record <api-url> --cassette '${address}'`,
  /** @param what is gone */
  lost: (address: string, what: string) =>
    `${address} has lost data, which somebody has deleted, or the server to keep its memory small: ${what}. Copy it there again: ${commandName} push DIR '${address}'; without a copy, ${commandName} check '${address}' --repair goes on with what is left`,
  evicting: (address: string, policy: string) =>
    `the server of ${address} deletes keys if its memory is full (maxmemory-policy ${policy}), so recordings would be lost without a word: set the policy noeviction there, or add --allow-eviction`,
  deleted: (dir: string) =>
    `${dir} was deleted while it was recorded into; what was recorded there is gone, and a new cassette is begun: record it again`,
  /** @param found what is there instead */
  'not-ours': (address: string, found: string) =>
    `${address} is not a cassette of this version of wikitape: ${found}; nothing was changed. Use another name after #, or install the wikitape that wrote it`,
  'cannot-read': (file: string, cause: unknown) =>
    `cannot read ${file}: ${reasonOf(cause)}`,
  'cannot-write': (file: string, cause: unknown) =>
    `cannot write ${file}: ${reasonOf(cause)}; nothing recorded earlier is lost`
}

export type StoreFault = keyof typeof texts

export class StoreError<Fault extends StoreFault = StoreFault> extends Error {
  override readonly name = 'StoreError'
  readonly fault: Fault

  /** @param given what the message is made of */
  constructor(fault: Fault, ...given: Parameters<(typeof texts)[Fault]>) {
    super(Reflect.apply(texts[fault], undefined, given))
    this.fault = fault
  }
}

/** Runs what writes a file, or several. @throws StoreError */
export function writing<T>(file: string, write: () => T): T {
  try {
    return write()
  } catch (error) {
    throw error instanceof StoreError
      ? error
      : new StoreError('cannot-write', file, error)
  }
}

/**
 * One cassette, one wiki: refuses a cassette of another wiki.
 * @param moved whether the user says that the wiki has moved. @throws StoreError
 */
export function requireSameWiki(
  { dir, manifest }: { readonly dir: string; readonly manifest: WikiIdentity },
  requested: WikiIdentity,
  moved: boolean
): void {
  const match = compareWikis(manifest, requested)
  if (match === 'same' || (moved && match !== 'other')) return
  throw new StoreError('other-wiki', dir, otherWikiText(match, manifest, requested))
}

/** Both addresses, and what to do. */
function otherWikiText(
  match: Exclude<WikiMatch, 'same'>,
  recorded: WikiIdentity,
  requested: WikiIdentity
) {
  const otherFolder =
    'use another folder for that wiki (--cassette DIR, of refresh --into DIR)'
  const flag = 'add --moved (in a program moved: true)'
  return {
    moved: `is a recording of ${recorded.upstream}, and that wiki seems to have moved to ${requested.upstream}; to go on with the cassette there, ${flag}`,
    unproven: `is a recording of ${recorded.upstream}, not of ${requested.upstream}; ${otherFolder}, or, if it is the same wiki under a new address, ${flag}`,
    other: `is a recording of ${wikiName(recorded)}, and ${wikiName(requested)} is another wiki; ${otherFolder}`
  }[match]
}

const wikiName = ({ upstream, site }: WikiIdentity) => {
  const label =
    site?.wikiId === undefined
      ? site?.lang && `language ${site.lang}`
      : `wiki id ${site.wikiId}`
  return label ? `${upstream} (${label})` : upstream
}

const reasonOf = (cause: unknown) =>
  systemErrorTexts.get(systemErrorCode(cause)) ?? errorText(cause)

const systemErrorTexts: ReadonlyMap<string, string> = new Map(
  Object.entries(systemErrors)
)

/** Errors of the machine, or of this user's rights: they say nothing of the file. */
const systemFaults = wordSet('EMFILE ENFILE EIO EACCES EPERM ENOMEM')

/** @throws StoreError if the error is none of the file's content, which would have to be mended */
export function rethrowSystemFault(file: string, error: unknown): void {
  if (systemFaults.has(systemErrorCode(error)))
    throw new StoreError('cannot-read', file, error)
}
