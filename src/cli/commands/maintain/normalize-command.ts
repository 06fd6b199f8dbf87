/** `wikitape normalize`: rewrites a cassette in the present format's own spelling. */

import { existsSync } from 'node:fs'
import path from 'node:path'
import { decodeInteraction, encodeInteraction } from '../../../cassette/format/interaction-format.ts'
import { encodeManifest } from '../../../cassette/format/manifest.ts'
import { pagesFile } from '../../../cassette/format/pages-file.ts'
import { describedFolder, keyInName } from '../../../cassette/interaction-path.ts'
import { decodeProfile, encodeProfile } from '../../../drift/noise/noise-profile.ts'
import { itemsOf, type JsonTree, memberOf, membersOf, sameTree } from '../../../json/json-tree.ts'
import { plainOf } from '../../../json/plain-json.ts'
import { type JsonFault, readJson } from '../../../json/read-json.ts'
import { writePretty } from '../../../json/write-json.ts'
import { CassetteStore } from '../../../store/cassette-store.ts'
import { listPaths } from '../../../store/contents/interaction-index.ts'
import { bytesInside, describedFiles, textInside } from '../../../store/files/paths-inside.ts'
import { errorText } from '../../../text/error-text.ts'
import { plural } from '../../../text/plural.ts'
import { expectArgs, type Given, type Shell, type Verb } from '../../args/command.ts'
import { writeText } from '../../files/drift-files.ts'
import { cassetteFlag, existingCassette, jsonFlag } from '../../flags/cassette-flags.ts'

export const normalize: Verb = {
  name: 'normalize',
  args: '[DIR] [flags]',
  summary:
    'Rewrites the files of a cassette in the present format, as recording would spell them. Exit code 2 where one cannot be read; it is left.',
  flags: [
    cassetteFlag,
    { name: 'check', help: 'write nothing; exit with 1 where a file would change' },
    jsonFlag,
  ],
  examples: ['wikitape normalize cassettes/mine', 'wikitape normalize cassettes/mine --check'],
  async run(given, shell) {
    expectArgs(normalize, given, 1, 0)
    const store = CassetteStore.open(existingCassette(given, shell, given.positionals[0]))
    const files = filesOf(store)
    const changed: string[] = []
    const left: Left[] = []
    for (const file of files) {
      const result = spelled(store, file)
      if (result.kind === 'left') left.push({ file, fault: result.fault })
      if (result.kind !== 'changed') continue
      changed.push(file)
      if (!given.on('check')) write(path.join(store.dir, file), result)
    }
    tell(store.dir, { files: files.length, changed, left }, given, shell)
    return left.length > 0 ? 2 : given.on('check') && changed.length > 0 ? 1 : 0
  },
}

/** What is to become of one file. */
type Spelled =
  | { readonly kind: 'fine' }
  | { readonly kind: 'changed'; readonly text: string; readonly beside: ReadonlyMap<string, Uint8Array> }
  /** It cannot be read, or says more than this format knows. */
  | { readonly kind: 'left'; readonly fault: JsonFault }

/** @throws StoreError */
function write(file: string, { text, beside }: Extract<Spelled, { kind: 'changed' }>): void {
  for (const [name, bytes] of beside) writeText(path.join(path.dirname(file), name), bytes)
  writeText(file, text)
}

const noFiles: ReadonlyMap<string, Uint8Array> = new Map()
const leftFor = (message: string): Spelled => ({ kind: 'left', fault: { line: 1, column: 1, message } })

function filesOf({ dir }: CassetteStore): readonly string[] {
  const beside = [pagesFile, 'noise.json'].filter((name) => existsSync(path.join(dir, name)))
  return [
    'cassette.json',
    ...beside,
    ...describedFiles(dir).map((name) => `${describedFolder}/${name}`),
    ...listPaths(dir),
  ]
}

function spelled(store: CassetteStore, file: string): Spelled {
  const text = textOf(store.dir, file)
  if (typeof text !== 'string') return text
  const reading = readJson(text)
  if (!reading.ok) return { kind: 'left', fault: reading.fault }
  const result = rewritten(store, file, text, reading.tree)
  return result.kind === 'changed' && result.text === text ? { kind: 'fine' } : result
}

function textOf(dir: string, file: string): string | Spelled {
  try {
    return textInside(dir, file) ?? leftFor('the file is gone')
  } catch (error) {
    return leftFor(errorText(error))
  }
}

function rewritten(store: CassetteStore, file: string, text: string, tree: JsonTree): Spelled {
  const changed = (fresh: JsonTree): Spelled => ({
    kind: 'changed',
    text: `${writePretty(fresh)}\n`,
    beside: noFiles,
  })
  if (file === 'cassette.json') return changed(encodeManifest(store.manifest))
  if (file === pagesFile || file.startsWith(`${describedFolder}/`)) return changed(tree)
  if (file !== 'noise.json') return rewrittenInteraction(store.dir, file, text, tree)
  const profile = decodeProfile(plainOf(tree))
  return profile.ok
    ? { kind: 'changed', text: encodeProfile(profile.profile), beside: noFiles }
    : leftFor(profile.message)
}

function rewrittenInteraction(dir: string, file: string, text: string, tree: JsonTree): Spelled {
  const folder = path.posix.dirname(file)
  const reading = decodeInteraction(text, {
    read: (name) => bytesBeside(dir, path.posix.join(folder, path.basename(name))),
  })
  if (!reading.ok) return { kind: 'left', fault: reading.fault }
  const { interaction } = reading
  if (interaction.key !== keyInName(path.posix.basename(file)))
    return leftFor(`its request has the key ${interaction.key}, which its name does not end in`)
  const { text: fresh, beside } = encodeInteraction(interaction, path.posix.basename(file, '.json'))
  const again = readJson(fresh)
  const lost = again.ok ? lostMember(tree, again.tree) : 'everything'
  return lost === undefined
    ? { kind: 'changed', text: fresh, beside }
    : leftFor(`it holds ${JSON.stringify(lost)}, which this format does not know`)
}

function bytesBeside(dir: string, file: string): Uint8Array | undefined {
  try {
    return bytesInside(dir, file)
  } catch {
    // Told as a body that is missing.
    return undefined
  }
}

/** A member that rewriting would drop, be it a person's note: nothing may be lost on the way. */
function lostMember(before: JsonTree, after: JsonTree): string | undefined {
  const answers = itemsOf(memberOf(after, 'responses'))
  const pairs = itemsOf(memberOf(before, 'responses')).map((one, at) => [one, answers[at]] as const)
  for (const [old, fresh] of [[before, after] as const, ...pairs]) {
    for (const { key, value } of membersOf(old)) {
      const kept = memberOf(fresh, key) ?? memberOf(fresh, movesTo.get(key) ?? '')
      if (kept === undefined && !isEmpty(value) && !mayGo.has(key)) return key
      if (key === 'json' && kept !== undefined && !sameTree(value, kept)) return key
    }
  }
  return undefined
}

/** Bodies may move to a file beside and back. */
const movesTo: ReadonlyMap<string, string> = new Map([
  ['base64', 'file'],
  ['file', 'base64'],
  ['lines', 'textFile'],
  ['textFile', 'lines'],
])
/** Cookies that an edge added are no part of the wiki's answer. */
const mayGo: ReadonlySet<string> = new Set(['cookies'])
const isEmpty = (tree: JsonTree): boolean =>
  (tree.kind === 'object' || tree.kind === 'array') && itemsOf(tree).length === 0

interface Left {
  readonly file: string
  readonly fault: JsonFault
}

interface Result {
  readonly files: number
  readonly changed: readonly string[]
  readonly left: readonly Left[]
}

function tell(dir: string, { files, changed, left }: Result, given: Given, shell: Shell): void {
  const names = left.map(({ file, fault }) => ({ file, ...fault }))
  if (given.on('json')) {
    shell.out(`${JSON.stringify({ cassette: dir, files, changed, left: names }, null, 2)}\n`)
    return
  }
  const word = given.on('check') ? 'would change' : 'changed'
  for (const file of changed) shell.out(`${word} ${file}\n`)
  for (const { file, line, column, message } of names)
    shell.err(`wikitape: ${path.join(dir, file)}:${line}:${column}: ${message}; left as it is\n`)
  shell.out(`${dir}: ${word} ${changed.length} of ${plural(files, 'file')}\n`)
}
