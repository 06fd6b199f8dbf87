/** `wikitape normalize`: rewrites the files of a cassette in the current format. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import {
  decodeNoiseProfile,
  encodeNoiseProfile
} from '../../../drift/noise/noise-profile.ts'
import { decodeInteraction } from '../../../recorder/cassette/format/decode-interaction.ts'
import { encodeInteraction } from '../../../recorder/cassette/format/encode-interaction.ts'
import { encodeManifest } from '../../../recorder/cassette/format/manifest.ts'
import { pagesFile } from '../../../recorder/cassette/format/pages-file.ts'
import { requestsFile } from '../../../recorder/cassette/format/traffic-file.ts'
import {
  keyInFileName,
  paraminfoFolder
} from '../../../recorder/cassette/interaction-path.ts'
import type { JsonTree } from '../../../recorder/json/json-tree.ts'
import { toPlain } from '../../../recorder/json/plain-json.ts'
import { faultText, type JsonFault, readJson } from '../../../recorder/json/read-json.ts'
import { writePretty } from '../../../recorder/json/write-json.ts'
import { CassetteStore } from '../../../recorder/store/cassette-store.ts'
import {
  shareDescriptionsOf,
  sharedPathFor,
  unshareDescriptions
} from '../../../recorder/store/contents/description-files.ts'
import { listInteractionFiles } from '../../../recorder/store/contents/interaction-index.ts'
import {
  bytesInside,
  cassettesIn,
  describedFiles,
  textInside
} from '../../../recorder/store/files/paths-inside.ts'
import { StoreError, writing } from '../../../recorder/store/store-error.ts'
import { errorText, readOrElse } from '../../../recorder/text/error-text.ts'
import { plural } from '../../../recorder/text/words.ts'
import { type Command, type Invocation, UsageError } from '../../args/command.ts'
import { writeText } from '../../files/text-files.ts'
import { openCassetteArg } from '../../flags/cassette-flags.ts'
import { printJson, printLine, printNote } from '../../terminal/terminal-output.ts'

export const normalizeCommand: Command = {
  name: 'normalize',
  async run(call) {
    const root = call.value('share')
    const other = ['check', 'json'].find((flag) => call.isOn(flag))
    if (other !== undefined && (root !== undefined || call.isOn('self-contained')))
      throw new UsageError(
        `--${other} is not for --share and --self-contained, which move descriptions`
      )
    if (root !== undefined) return shareBelow(root, call)
    const store = openCassetteArg(normalizeCommand, call)
    if (call.isOn('self-contained')) {
      writing(store.dir, () => unshareDescriptions(store.dir, store.manifest))
      printLine(call, `${store.dir}: holds its own descriptions of modules`)
      return 0
    }
    const files = cassetteFiles(store)
    const changed: string[] = []
    const left: (JsonFault & { readonly file: string })[] = []
    for (const file of files) {
      // Nothing here waits for I/O: without this no signal would be heard.
      await setImmediate()
      const result = normalizeFile(store, file)
      if (!result) continue
      if ('message' in result) {
        left.push({ file, ...result })
        continue
      }
      changed.push(file)
      if (call.isOn('check')) continue
      for (const [name, bytes] of result.bodyFiles ?? [])
        writeText(path.join(store.dir, path.dirname(file), name), bytes)
      writeText(path.join(store.dir, file), result.text)
    }
    if (call.isOn('json'))
      printJson(call, { cassette: store.dir, files: files.length, changed, left })
    else {
      const word = call.isOn('check') ? 'would change' : 'changed'
      for (const file of changed) printLine(call, `${word} ${file}`)
      for (const one of left)
        printNote(call, `${faultText(`${store.dir}/${one.file}`, one)}; left unchanged`)
      printLine(
        call,
        `${store.dir}: ${word} ${changed.length} of ${plural(files.length, 'file')}`
      )
    }
    if (left.length > 0) return 2
    return call.isOn('check') && changed.length > 0 ? 1 : 0
  }
}

/** Its text in the current format; or why it is left as it is. */
type NormalizedFile =
  | JsonFault
  | { readonly text: string; readonly bodyFiles?: ReadonlyMap<string, Uint8Array> }

const leftFor = (message: string) => ({ line: 1, column: 1, message })

const plainFiles = [pagesFile, requestsFile]

function cassetteFiles({ dir }: CassetteStore) {
  const described = describedFiles(path.join(dir, paraminfoFolder))
  return [
    'cassette.json',
    ...[...plainFiles, 'noise.json'].filter((name) => existsSync(path.join(dir, name))),
    ...described.map((name) => `${paraminfoFolder}/${name}`),
    ...listInteractionFiles(dir)
  ]
}

/** Undefined if nothing would change. */
function normalizeFile(store: CassetteStore, file: string) {
  let text: string | undefined
  try {
    text = textInside(store.dir, file)
  } catch (error) {
    return leftFor(errorText(error))
  }
  if (text === undefined) return leftFor('the file is gone')
  const reading = readJson(text)
  if (!reading.ok) return reading.fault
  const result = rewriteFile(store, file, text, reading.tree)
  return 'text' in result && result.text === text ? undefined : result
}

function rewriteFile(store: CassetteStore, file: string, text: string, tree: JsonTree) {
  if (file === 'cassette.json')
    return { text: `${writePretty(encodeManifest(store.manifest))}\n` }
  if (plainFiles.includes(file) || file.startsWith(`${paraminfoFolder}/`))
    return { text: `${writePretty(tree)}\n` }
  if (file !== 'noise.json') return rewriteInteraction(store.dir, file, text)
  const profile = decodeNoiseProfile(toPlain(tree))
  return typeof profile === 'string'
    ? leftFor(profile)
    : { text: encodeNoiseProfile(profile) }
}

function rewriteInteraction(dir: string, file: string, text: string): NormalizedFile {
  const folder = path.posix.dirname(file)
  const reading = decodeInteraction(text, (name) =>
    // What cannot be read is reported as a missing body.
    readOrElse(undefined, () =>
      bytesInside(dir, path.posix.join(folder, path.basename(name)))
    )
  )
  if (!reading.ok) return reading.fault
  const { interaction } = reading
  if (interaction.key !== keyInFileName(path.posix.basename(file)))
    return leftFor(
      `its request has the key ${interaction.key}, which its name does not end in`
    )
  return encodeInteraction(interaction, path.posix.basename(file, '.json'))
}

/** @returns the exit code. @throws StoreError, UsageError */
function shareBelow(root: string, call: Invocation) {
  if (!existsSync(root)) throw new StoreError('missing', root)
  const dirs = cassettesIn(root).filter((dir) => dir !== root)
  if (dirs.length === 0)
    throw new UsageError(
      `there is no cassette below ${root}; name the folder that holds them`
    )
  let moved = 0
  for (const dir of dirs) {
    const { manifest } = CassetteStore.open(dir)
    const sharedPath = manifest.sharedDescriptions ?? sharedPathFor(dir, root, manifest)
    if (sharedPath !== undefined)
      moved += writing(dir, () => shareDescriptionsOf(dir, manifest, sharedPath))
  }
  const what = `${plural(moved, 'description')} of ${plural(dirs.length, 'cassette')}`
  printLine(call, `${root}: ${what} moved to ${path.join(root, 'paraminfo')}`)
  return 0
}
