/**
 * What V8 made of the built command line, kept from call to call: compiling is a third of a start
 * (docs/decisions/0118). Whatever is missing, torn, foreign or in doubt is compiled.
 */
import { isAscii } from 'node:buffer'
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { Script } from 'node:vm'
import { crc32 } from 'node:zlib'
import { isOwn, makeOwn, toReadOrWrite, toWrite } from '../store/own-folder.ts'

/** Files that stay: those of a few installations and versions of Node. */
const mostFiles = 48
/** Milliseconds in which a file can change twice and show the same time of change. */
const settling = 2000
/** Milliseconds after which what a process left half written is cleared away. */
const abandoned = 600_000
/** Before the bytes that V8 made: their checksum, and whether answers had been made by then. */
const headBytes = 8
const [head, tail] = ['(function (exports, require, module, __filename, __dirname) {', '\n})']

interface Part {
  readonly script: Script
  /** Where it is kept. */
  readonly name: string
  /** When what is kept of it was compiled: answers compile more. */
  readonly kept: 'no' | 'at start' | 'after answers'
}

export class Compiled {
  /** Undefined where nothing is kept. */
  readonly #folder: string | undefined
  readonly #settles: number
  readonly #parts: Part[] = []

  /**
   * @param cache where everything lies that is kept from run to run; undefined where nothing is to be kept
   * @param settles milliseconds that a file must have been left alone to be told from what it may become
   */
  constructor(cache: string | undefined, settles: number = settling) {
    this.#folder = cache === undefined ? undefined : path.join(cache, 'compiled')
    this.#settles = settles
  }

  /**
   * A file of the built program as a function, as Node.js wraps CommonJS. It may `require`, but not `import()`: of a
   * script that was kept V8 no longer knows who loads for it. @throws where it cannot be read
   */
  script(file: string): Script {
    const stat = statSync(file)
    const name = `${path.basename(file)}-${markOf(stat)}`
    const isYoung = Date.now() - Math.max(stat.mtimeMs, stat.ctimeMs) < this.#settles
    const bytes = readFileSync(file)
    const source = head + bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8') + tail
    const kept = isYoung ? undefined : this.#read(name)
    const script = new Script(source, {
      filename: file,
      columnOffset: -head.length,
      ...(kept === undefined ? {} : { cachedData: kept.subarray(headBytes) }),
    })
    const isKept = kept !== undefined && script.cachedDataRejected === false
    const state = !isKept ? 'no' : kept.readUInt32LE(4) === 1 ? 'after answers' : 'at start'
    if (!isYoung) this.#parts.push({ script, name, kept: state })
    return script
  }

  /** Keeps what is compiled by now. @param answered whether answers have been made */
  keep(answered: boolean): void {
    const folder = this.#folder
    const lacking = this.#parts.splice(0).filter((part) => isLacking(part, answered))
    if (folder === undefined || lacking.length === 0) return
    if (!makeOwn(path.dirname(folder), toWrite) || !makeOwn(folder, toReadOrWrite)) return
    try {
      for (const { script, name } of lacking)
        writeOwn(path.join(folder, name), withHead(script.createCachedData(), answered))
      clearAway(folder)
    } catch {
      // A full disk, or another process that clears away the same.
    }
  }

  #read(name: string): Buffer | undefined {
    const folder = this.#folder
    try {
      if (folder === undefined || !isOwn(path.dirname(folder), toWrite) || !isOwn(folder, toReadOrWrite))
        return undefined
      return readOwn(path.join(folder, name))
    } catch {
      return undefined
    }
  }
}

const isLacking = ({ kept }: Part, answered: boolean): boolean =>
  kept === 'no' || (answered && kept === 'at start')

/** Nobody sets the time of change: another file, or the same written anew, has another name here. */
const markOf = ({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string =>
  [dev, ino, size, mtimeMs, ctimeMs, process.version, process.arch].join('-')

/** What lies in an ordinary file of this user's own, whole; undefined otherwise. @throws where it cannot be read */
function readOwn(file: string): Buffer | undefined {
  const handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(handle)
    const isOurs = stat.isFile() && stat.uid === process.getuid?.() && (stat.mode & toReadOrWrite) === 0
    const bytes = isOurs && stat.size > headBytes ? readFileSync(handle) : undefined
    return bytes !== undefined && crc32(bytes.subarray(4)) === bytes.readUInt32LE(0) ? bytes : undefined
  } finally {
    closeSync(handle)
  }
}

function withHead(data: Buffer, answered: boolean): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(headBytes), data])
  bytes.writeUInt32LE(answered ? 1 : 0, 4)
  bytes.writeUInt32LE(crc32(bytes.subarray(4)), 0)
  return bytes
}

/** Whole or not at all, however many do it at once. */
function writeOwn(file: string, bytes: Buffer): void {
  const draft = `${file}.${process.pid}-${Date.now()}.tmp`
  try {
    writeFileSync(draft, bytes, { mode: 0o600, flag: 'wx' })
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** The newest stay. @throws where another process clears away the same */
function clearAway(folder: string): void {
  const all = readdirSync(folder).map((name) => {
    const file = path.join(folder, name)
    return { file, time: lstatSync(file).mtimeMs }
  })
  for (const [at, { file, time }] of all.sort((a, b) => b.time - a.time).entries())
    if (at >= mostFiles || (file.endsWith('.tmp') && Date.now() - time > abandoned))
      rmSync(file, { force: true })
}
