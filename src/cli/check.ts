/** `wikitape check`: is a cassette fit to be committed and relied on? */

import { readdirSync } from 'node:fs'
import path from 'node:path'
import { brotliDecompressSync, inflateRawSync, unzipSync } from 'node:zlib'
import { keyInName } from '../cassette/name.ts'
import { scanFile } from '../privacy/detect.ts'
import { CassetteStore, listPaths } from '../store/cassette-store.ts'
import { readBytes } from '../store/files.ts'
import { cassetteFlag, existingCassette, jsonFlag } from './flags.ts'
import type { Verb } from './verb.ts'

/** One thing that is wrong; `kind` is for machines. */
interface Complaint {
  readonly kind: 'unreadable' | 'misnamed' | 'doubled' | 'secret'
  readonly file: string
  readonly what: string
}

export const check: Verb = {
  name: 'check',
  args: '[DIR…] [flags]',
  summary:
    'Looks for unreadable or doubled recordings and for secrets. Exit code 1 for faults, 4 for a secret.',
  flags: [cassetteFlag, jsonFlag],
  examples: ['wikitape check cassettes/ru-1.43', 'wikitape check cassettes/* --json'],
  async run(given, shell) {
    const dirs = given.positionals.length > 0 ? given.positionals : [existingCassette(given, shell)]
    const complaints = dirs.flatMap((dir) => checkCassette(CassetteStore.open(dir)))
    if (given.on('json')) shell.out(`${JSON.stringify({ complaints }, null, 2)}\n`)
    else {
      for (const { file, kind, what } of complaints) shell.out(`${file}: ${kind}: ${what}\n`)
      shell.out(
        `${complaints.length === 0 ? 'no faults' : `${complaints.length} faults`} in ${dirs.join(', ')}\n`,
      )
    }
    return complaints.some(({ kind }) => kind === 'secret') ? 4 : complaints.length > 0 ? 1 : 0
  },
}

function checkCassette(store: CassetteStore): readonly Complaint[] {
  return [...unreadable(store), ...doubled(store), ...secrets(store.dir)]
}

function* unreadable(store: CassetteStore): IterableIterator<Complaint> {
  for (const [key, path] of store.paths()) {
    const found = store.find(key)
    if (found.kind === 'broken') {
      const { line, column, message } = found.fault
      yield {
        kind: 'unreadable',
        file: `${found.path}:${line}:${column}`,
        what: `${message}; mend it or record it again`,
      }
    } else if (found.kind === 'found' && found.interaction.key !== key) {
      yield {
        kind: 'misnamed',
        file: found.path,
        what: `its request has the key ${found.interaction.key}, so it is never served; was "request" edited by hand? Rename the file`,
      }
    } else if (found.kind === 'absent') {
      yield { kind: 'unreadable', file: path, what: 'the file is gone' }
    }
  }
}

function* doubled(store: CassetteStore): IterableIterator<Complaint> {
  const first = new Map<string, string>()
  for (const path of listPaths(store.dir)) {
    const key = keyInName(path) ?? ''
    const other = first.get(key)
    if (other === undefined) first.set(key, path)
    else
      yield {
        kind: 'doubled',
        file: path,
        what: `${other} has the same key and is the one that is served; delete one`,
      }
  }
}

/** Every file of the folder is looked at, whether it belongs to the cassette or not: all of it is committed. */
function* secrets(dir: string): IterableIterator<Complaint> {
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = path.join(entry.parentPath, entry.name)
    const bytes = readBytes(file) ?? new Uint8Array()
    const text = Buffer.from(bytes).toString('utf8')
    const content = text.includes('\ufffd') ? bytes : text
    for (const { where, kind, excerpt } of scanFile(path.relative(dir, file), content, { inflate })) {
      yield {
        kind: 'secret',
        file: `${file} ${where}`,
        what: `${kind} ${excerpt}; delete it, and record again with the present version`,
      }
    }
  }
}

/** Decompressed bytes that are looked at, at most. */
const maxInflated = 64 * 1024 * 1024

/** Undoes gzip, deflate or br; undefined for bytes that are none of these. */
function inflate(bytes: Uint8Array): Uint8Array | undefined {
  const options = { maxOutputLength: maxInflated }
  for (const undo of [unzipSync, inflateRawSync, brotliDecompressSync]) {
    try {
      return undo(bytes, options)
    } catch {
      // Not this coding: the next one is tried.
    }
  }
  return undefined
}
