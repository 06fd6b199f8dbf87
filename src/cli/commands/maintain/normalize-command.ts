/** `wikitape normalize`: rewrites the files of a cassette in the current format. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { decodeInteraction } from '../../../cassette/format/decode-interaction.ts'
import { encodeInteraction } from '../../../cassette/format/encode-interaction.ts'
import { encodeManifest } from '../../../cassette/format/manifest.ts'
import { pagesFile } from '../../../cassette/format/pages-file.ts'
import { requestsFile } from '../../../cassette/format/traffic-file.ts'
import { keyInFileName, paraminfoFolder } from '../../../cassette/interaction-path.ts'
import { decodeNoiseProfile, encodeNoiseProfile } from '../../../drift/noise/noise-profile.ts'
import { itemsOf, type JsonTree, memberOf, membersOf, sameTree } from '../../../json/json-tree.ts'
import { toPlain } from '../../../json/plain-json.ts'
import { type JsonFault, readJson } from '../../../json/read-json.ts'
import { writePretty } from '../../../json/write-json.ts'
import type { CassetteStore } from '../../../store/cassette-store.ts'
import { listInteractionFiles } from '../../../store/contents/interaction-index.ts'
import { bytesInside, describedFiles, textInside } from '../../../store/files/paths-inside.ts'
import { errorText } from '../../../text/error-text.ts'
import { plural } from '../../../text/plural.ts'
import { type Command, flag } from '../../args/command.ts'
import { writeText } from '../../files/text-files.ts'
import { cassetteFlag, jsonFlag, openCassetteArg } from '../../flags/cassette-flags.ts'
import { printJson, printNote } from '../../terminal/terminal-output.ts'
import { makeSelfContained, selfContainedFlag, shareBelow, shareFlag } from './share-descriptions.ts'

export const normalizeCommand: Command = {
  name: 'normalize',
  usage: '[DIR] [flags]',
  summary:
    'Rewrites the files of a cassette in the current format. A file that cannot be read is left unchanged; the exit code is then 2.',
  flags: [
    cassetteFlag,
    flag('check', 'write nothing; exit with 1 if a file would change'),
    shareFlag,
    selfContainedFlag,
    jsonFlag,
  ],
  examples: [
    'wikitape normalize cassettes/mine',
    'wikitape normalize cassettes/mine --check',
    'wikitape normalize --share cassettes',
  ],
  async run(call) {
    const root = call.value('share')
    if (root !== undefined) return shareBelow(root, call)
    const store = openCassetteArg(normalizeCommand, call)
    if (call.isOn(selfContainedFlag.name)) return makeSelfContained(store, call)
    const files = cassetteFiles(store)
    const changed: string[] = []
    const left: (JsonFault & { readonly file: string })[] = []
    for (const file of files) {
      const result = normalizeFile(store, file)
      if (result.kind === 'left') left.push({ file, ...result.fault })
      if (result.kind !== 'changed') continue
      changed.push(file)
      if (call.isOn('check')) continue
      for (const [name, bytes] of result.bodyFiles ?? [])
        writeText(path.join(store.dir, path.dirname(file), name), bytes)
      writeText(path.join(store.dir, file), result.text)
    }
    if (call.isOn('json')) printJson(call, { cassette: store.dir, files: files.length, changed, left })
    else {
      const word = call.isOn('check') ? 'would change' : 'changed'
      for (const file of changed) call.stdout(`${word} ${file}\n`)
      for (const { file, line, column, message } of left)
        printNote(call, `${path.join(store.dir, file)}:${line}:${column}: ${message}; left unchanged`)
      call.stdout(`${store.dir}: ${word} ${changed.length} of ${plural(files.length, 'file')}\n`)
    }
    return left.length > 0 ? 2 : call.isOn('check') && changed.length > 0 ? 1 : 0
  },
}

type NormalizedFile =
  | { readonly kind: 'fine' }
  | { readonly kind: 'changed'; readonly text: string; readonly bodyFiles?: ReadonlyMap<string, Uint8Array> }
  /** It cannot be read, or has members that this format does not know. */
  | { readonly kind: 'left'; readonly fault: JsonFault }

const leftFor = (message: string): NormalizedFile => ({
  kind: 'left',
  fault: { line: 1, column: 1, message },
})

const plainFiles = [pagesFile, requestsFile]

function cassetteFiles({ dir }: CassetteStore): readonly string[] {
  const optionalFiles = [...plainFiles, 'noise.json'].filter((name) => existsSync(path.join(dir, name)))
  return [
    'cassette.json',
    ...optionalFiles,
    ...describedFiles(path.join(dir, paraminfoFolder)).map((name) => `${paraminfoFolder}/${name}`),
    ...listInteractionFiles(dir),
  ]
}

function normalizeFile(store: CassetteStore, file: string): NormalizedFile {
  let text: string | undefined
  try {
    text = textInside(store.dir, file)
  } catch (error) {
    return leftFor(errorText(error))
  }
  if (text === undefined) return leftFor('the file is gone')
  const reading = readJson(text)
  if (!reading.ok) return { kind: 'left', fault: reading.fault }
  const result = rewriteFile(store, file, text, reading.tree)
  return result.kind === 'changed' && result.text === text ? { kind: 'fine' } : result
}

function rewriteFile(store: CassetteStore, file: string, text: string, tree: JsonTree): NormalizedFile {
  const changed = (fresh: JsonTree): NormalizedFile => ({ kind: 'changed', text: `${writePretty(fresh)}\n` })
  if (file === 'cassette.json') return changed(encodeManifest(store.manifest))
  if (plainFiles.includes(file) || file.startsWith(`${paraminfoFolder}/`)) return changed(tree)
  if (file !== 'noise.json') return rewriteInteraction(store.dir, file, text, tree)
  const profile = decodeNoiseProfile(toPlain(tree))
  return typeof profile === 'string'
    ? leftFor(profile)
    : { kind: 'changed', text: encodeNoiseProfile(profile) }
}

function rewriteInteraction(dir: string, file: string, text: string, tree: JsonTree): NormalizedFile {
  const folder = path.posix.dirname(file)
  const reading = decodeInteraction(text, (name) =>
    readBodyFile(dir, path.posix.join(folder, path.basename(name))),
  )
  if (!reading.ok) return { kind: 'left', fault: reading.fault }
  const { interaction } = reading
  if (interaction.key !== keyInFileName(path.posix.basename(file)))
    return leftFor(`its request has the key ${interaction.key}, which its name does not end in`)
  const { text: fresh, bodyFiles } = encodeInteraction(interaction, path.posix.basename(file, '.json'))
  const again = readJson(fresh)
  const lost = again.ok ? lostMember(tree, again.tree) : 'everything'
  return lost === undefined
    ? { kind: 'changed', text: fresh, bodyFiles }
    : leftFor(`it contains ${JSON.stringify(lost)}, which this format does not have`)
}

function readBodyFile(dir: string, file: string): Uint8Array | undefined {
  try {
    return bytesInside(dir, file)
  } catch {
    return undefined // reported as a missing body
  }
}

/** The name of a member that rewriting would drop, e.g. a person's note. */
function lostMember(before: JsonTree, after: JsonTree): string | undefined {
  const answers = itemsOf(memberOf(after, 'responses'))
  const pairs = itemsOf(memberOf(before, 'responses')).map((one, at) => [one, answers[at]] as const)
  for (const [old, fresh] of [[before, after] as const, ...pairs]) {
    for (const { key, value } of membersOf(old)) {
      // Bodies may move to a file of their own and back.
      const twin = { base64: 'file', file: 'base64', lines: 'textFile', textFile: 'lines' }[key] ?? key
      const found = memberOf(fresh, key) ?? memberOf(fresh, twin)
      // Cookies of a network edge are not part of the wiki's answer.
      if (found === undefined && !isEmpty(value) && key !== 'cookies') return key
      if (key === 'json' && found !== undefined && !sameTree(value, found)) return key
    }
  }
  return undefined
}

const isEmpty = (tree: JsonTree): boolean =>
  (tree.kind === 'object' || tree.kind === 'array') && itemsOf(tree).length === 0
