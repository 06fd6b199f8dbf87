/** `wikitape normalize`: rewrites a cassette in the present format's own spelling. */

import { existsSync } from 'node:fs'
import path from 'node:path'
import { decodeInteraction } from '../../../cassette/format/decode-interaction.ts'
import { encodeInteraction } from '../../../cassette/format/encode-interaction.ts'
import { encodeManifest } from '../../../cassette/format/manifest.ts'
import { pagesFile } from '../../../cassette/format/pages-file.ts'
import { keyInFileName, paraminfoFolder } from '../../../cassette/interaction-path.ts'
import { decodeNoiseProfile, encodeNoiseProfile } from '../../../drift/noise/noise-profile.ts'
import { itemsOf, type JsonTree, memberOf, membersOf, sameTree } from '../../../json/json-tree.ts'
import { toPlain } from '../../../json/plain-json.ts'
import { type JsonFault, readJson } from '../../../json/read-json.ts'
import { writePretty } from '../../../json/write-json.ts'
import { CassetteStore } from '../../../store/cassette-store.ts'
import { listInteractionFiles } from '../../../store/contents/interaction-index.ts'
import { bytesInside, describedFiles, textInside } from '../../../store/files/paths-inside.ts'
import { errorText } from '../../../text/error-text.ts'
import { plural } from '../../../text/plural.ts'
import { type Command, type CommandContext, expectArgs, type ParsedArgs } from '../../args/command.ts'
import { writeText } from '../../files/drift-files.ts'
import { cassetteFlag, existingCassette, jsonFlag } from '../../flags/cassette-flags.ts'

export const normalizeCommand: Command = {
  name: 'normalize',
  usage: '[DIR] [flags]',
  summary:
    'Rewrites the files of a cassette in the present format, as recording would spell them. Exit code 2 where one cannot be read; it is left.',
  flags: [
    cassetteFlag,
    { name: 'check', help: 'write nothing; exit with 1 where a file would change' },
    jsonFlag,
  ],
  examples: ['wikitape normalize cassettes/mine', 'wikitape normalize cassettes/mine --check'],
  async run(args, context) {
    expectArgs(normalizeCommand, args, 1, 0)
    const store = CassetteStore.open(existingCassette(args, context, args.positionals[0]))
    const files = cassetteFiles(store)
    const changed: string[] = []
    const left: UnreadableFile[] = []
    for (const file of files) {
      const result = normalizeFile(store, file)
      if (result.kind === 'left') left.push({ file, fault: result.fault })
      if (result.kind !== 'changed') continue
      changed.push(file)
      if (!args.isOn('check')) writeNormalized(path.join(store.dir, file), result)
    }
    printResult(store.dir, { files: files.length, changed, left }, args, context)
    return left.length > 0 ? 2 : args.isOn('check') && changed.length > 0 ? 1 : 0
  },
}

/** What is to become of one file. */
type NormalizedFile =
  | { readonly kind: 'fine' }
  | { readonly kind: 'changed'; readonly text: string; readonly bodyFiles: ReadonlyMap<string, Uint8Array> }
  /** It cannot be read, or says more than this format knows. */
  | { readonly kind: 'left'; readonly fault: JsonFault }

/** @throws StoreError */
function writeNormalized(
  file: string,
  { text, bodyFiles }: Extract<NormalizedFile, { kind: 'changed' }>,
): void {
  for (const [name, bytes] of bodyFiles) writeText(path.join(path.dirname(file), name), bytes)
  writeText(file, text)
}

const noFiles: ReadonlyMap<string, Uint8Array> = new Map()
const unreadable = (message: string): NormalizedFile => ({
  kind: 'left',
  fault: { line: 1, column: 1, message },
})

function cassetteFiles({ dir }: CassetteStore): readonly string[] {
  const optionalFiles = [pagesFile, 'noise.json'].filter((name) => existsSync(path.join(dir, name)))
  return [
    'cassette.json',
    ...optionalFiles,
    ...describedFiles(dir).map((name) => `${paraminfoFolder}/${name}`),
    ...listInteractionFiles(dir),
  ]
}

function normalizeFile(store: CassetteStore, file: string): NormalizedFile {
  const text = readFileText(store.dir, file)
  if (typeof text !== 'string') return text
  const reading = readJson(text)
  if (!reading.ok) return { kind: 'left', fault: reading.fault }
  const result = rewriteFile(store, file, text, reading.tree)
  return result.kind === 'changed' && result.text === text ? { kind: 'fine' } : result
}

function readFileText(dir: string, file: string): string | NormalizedFile {
  try {
    return textInside(dir, file) ?? unreadable('the file is gone')
  } catch (error) {
    return unreadable(errorText(error))
  }
}

function rewriteFile(store: CassetteStore, file: string, text: string, tree: JsonTree): NormalizedFile {
  const changed = (fresh: JsonTree): NormalizedFile => ({
    kind: 'changed',
    text: `${writePretty(fresh)}\n`,
    bodyFiles: noFiles,
  })
  if (file === 'cassette.json') return changed(encodeManifest(store.manifest))
  if (file === pagesFile || file.startsWith(`${paraminfoFolder}/`)) return changed(tree)
  if (file !== 'noise.json') return rewriteInteraction(store.dir, file, text, tree)
  const profile = decodeNoiseProfile(toPlain(tree))
  return profile.ok
    ? { kind: 'changed', text: encodeNoiseProfile(profile.profile), bodyFiles: noFiles }
    : unreadable(profile.message)
}

function rewriteInteraction(dir: string, file: string, text: string, tree: JsonTree): NormalizedFile {
  const folder = path.posix.dirname(file)
  const reading = decodeInteraction(text, {
    read: (name) => readBodyFile(dir, path.posix.join(folder, path.basename(name))),
  })
  if (!reading.ok) return { kind: 'left', fault: reading.fault }
  const { interaction } = reading
  if (interaction.key !== keyInFileName(path.posix.basename(file)))
    return unreadable(`its request has the key ${interaction.key}, which its name does not end in`)
  const { text: fresh, bodyFiles } = encodeInteraction(interaction, path.posix.basename(file, '.json'))
  const again = readJson(fresh)
  const lost = again.ok ? lostMember(tree, again.tree) : 'everything'
  return lost === undefined
    ? { kind: 'changed', text: fresh, bodyFiles }
    : unreadable(`it holds ${JSON.stringify(lost)}, which this format does not know`)
}

function readBodyFile(dir: string, file: string): Uint8Array | undefined {
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
      const found = memberOf(fresh, key) ?? memberOf(fresh, equivalentMember.get(key) ?? '')
      if (found === undefined && !isEmpty(value) && !removableMembers.has(key)) return key
      if (key === 'json' && found !== undefined && !sameTree(value, found)) return key
    }
  }
  return undefined
}

/** Bodies may move to a file beside and back. */
const equivalentMember: ReadonlyMap<string, string> = new Map([
  ['base64', 'file'],
  ['file', 'base64'],
  ['lines', 'textFile'],
  ['textFile', 'lines'],
])
/** Cookies that an edge added are no part of the wiki's answer. */
const removableMembers: ReadonlySet<string> = new Set(['cookies'])
const isEmpty = (tree: JsonTree): boolean =>
  (tree.kind === 'object' || tree.kind === 'array') && itemsOf(tree).length === 0

interface UnreadableFile {
  readonly file: string
  readonly fault: JsonFault
}

interface NormalizeResult {
  readonly files: number
  readonly changed: readonly string[]
  readonly left: readonly UnreadableFile[]
}

function printResult(
  dir: string,
  { files, changed, left }: NormalizeResult,
  args: ParsedArgs,
  context: CommandContext,
): void {
  const names = left.map(({ file, fault }) => ({ file, ...fault }))
  if (args.isOn('json')) {
    context.stdout(`${JSON.stringify({ cassette: dir, files, changed, left: names }, null, 2)}\n`)
    return
  }
  const word = args.isOn('check') ? 'would change' : 'changed'
  for (const file of changed) context.stdout(`${word} ${file}\n`)
  for (const { file, line, column, message } of names)
    context.stderr(`wikitape: ${path.join(dir, file)}:${line}:${column}: ${message}; left as it is\n`)
  context.stdout(`${dir}: ${word} ${changed.length} of ${plural(files, 'file')}\n`)
}
