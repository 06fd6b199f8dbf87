/** Cassettes at a server: `wikitape push` and `wikitape pull` copy one between it and a folder, or two folders; commands that read get a temporary copy. */
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { commandName } from '../../../recorder/store/command-name.ts'
import {
  isStoreAddress,
  withoutCredentials
} from '../../../recorder/store/redis-address.ts'
import { StoreError } from '../../../recorder/store/store-error.ts'
import { plural, wordSet } from '../../../recorder/text/words.ts'
import {
  type CopyResult,
  copyCassette,
  type FileSet,
  FolderFiles
} from '../../../redis/copy-cassette.ts'
import { repairIndex } from '../../../redis/open-redis-store.ts'
import { orClose } from '../../../redis/redis-connection.ts'
import { RedisFiles, requireNoEviction } from '../../../redis/redis-files.ts'
import {
  type Command,
  expectArgs,
  type Invocation,
  UsageError
} from '../../args/command.ts'
import { withTemporaryCassette } from '../../files/temporary-cassette.ts'
import {
  printJson,
  printLine,
  printNote,
  showProgress
} from '../../terminal/terminal-output.ts'

export const pushCommand: Command = copyCommand('push')

export const pullCommand: Command = copyCommand('pull')

function copyCommand(name: string) {
  const command: Command = {
    name,
    async run(call) {
      const [source = '', target = ''] = expectArgs(command, call, 2)
      const from = isStoreAddress(source)
        ? await RedisFiles.open(source)
        : FolderFiles.existing(source)
      let to: FileSet | undefined
      let progress = 'comparing'
      const stopProgress = showProgress(call, () => progress)
      const onProgress = (done: number, total: number) => {
        progress = `${done}/${plural(total, 'file')}`
        return setImmediate()
      }
      const options = {
        deletes: call.isOn('delete'),
        isDryRun: call.isOn('dry-run'),
        onProgress
      }
      try {
        to = isStoreAddress(target)
          ? await openTarget(target, call)
          : FolderFiles.writable(target)
        const result = await copyCassette(from, to, options)
        stopProgress()
        printResult(from, to, result, call)
        return 0
      } finally {
        stopProgress()
        from.close()
        to?.close()
      }
    }
  }
  return command
}

/** A copy mends what the server has lost. @throws StoreError */
async function openTarget(address: string, call: Invocation) {
  const mayWrite = !call.isOn('dry-run')
  const files = await RedisFiles.open(address).catch(async (error: unknown) => {
    if (!mayWrite || !(error instanceof StoreError) || error.fault !== 'lost') throw error
    await repairIndex(address)
    return RedisFiles.open(address)
  })
  if (mayWrite && !call.isOn('allow-eviction'))
    await orClose(files, () => requireNoEviction(files))
  return files
}

const maxNamed = 20

function printResult(from: FileSet, to: FileSet, result: CopyResult, call: Invocation) {
  const { copied, deleted, unchanged, bytes } = result
  const isDryRun = call.isOn('dry-run')
  if (call.isOn('json')) {
    const sides = { from: from.name, to: to.name, isDryRun }
    printJson(call, { ...sides, copied, deleted, unchanged, bytes })
    return
  }
  const changes = [
    ...copied.map((file) => `copy ${file}`),
    ...deleted.map((file) => `delete ${file}`)
  ]
  if (isDryRun) {
    for (const line of changes.slice(0, maxNamed)) printLine(call, line)
    if (changes.length > maxNamed)
      printLine(call, `and ${changes.length - maxNamed} more`)
  }
  const be = isDryRun ? 'would be ' : ''
  const deletions = deleted.length === 0 ? '' : `, ${deleted.length} ${be}deleted`
  const copies = `${plural(copied.length, 'file')} ${be}copied${deletions}`
  printNote(call, `${from.name} to ${to.name}: ${copies}, ${unchanged} unchanged`)
}

const atServer = wordSet('record replay exec capture push pull')
const reading = wordSet('ls show explain coverage review diff check export ui')

/** @throws UsageError, StoreError */
export async function runWithCopies(
  { run, name }: Command,
  call: Invocation,
  addresses: ReadonlySet<string>
): Promise<number> {
  if (atServer.has(name)) return run(call)
  const [first = ''] = addresses
  const shown = withoutCredentials(first)
  if (!reading.has(name))
    throw new UsageError(
      `${name} works on folders, and ${shown} is none: ${commandName} pull '${shown}' cassettes/copy, then ${commandName} ${name} on that folder, then ${commandName} push cassettes/copy '${shown}' --delete`
    )
  const copies = new Map<string, string>()
  return withTemporaryCassette(async (folder) => {
    try {
      if (name === 'check' && call.isOn('repair'))
        for (const address of addresses) await repair(address, call)
      for (const address of addresses) {
        const place = path.join(folder, String(copies.size))
        copies.set(address, await copyInto(place, address))
      }
      return await run(withFolders(call, copies))
    } catch (error) {
      if (error instanceof Error) error.message = withAddresses(error.message, copies)
      throw error
    }
  })
}

async function repair(address: string, call: Invocation) {
  const { out, in: added } = await repairIndex(address)
  const changes = `lost files taken out ${out}, files taken in that it did not name ${added}`
  printNote(call, `${withoutCredentials(address)}: the index is mended: ${changes}`)
}

/** @returns the folder of the copy, which has the cassette's name */
async function copyInto(folder: string, address: string) {
  const from = await RedisFiles.open(address)
  try {
    const name = from.name.replace(/^.*#/, '').replaceAll('/', '_')
    const to = path.join(folder, name)
    const options = { deletes: false, isDryRun: false, onProgress: () => undefined }
    await copyCassette(from, FolderFiles.writable(to), options)
    return to
  } finally {
    from.close()
  }
}

/** A text for the user, who knows nothing of the copies. */
const withAddresses = (text: string, copies: ReadonlyMap<string, string>) =>
  [...copies].reduce(
    (sum, [address, dir]) => sum.replaceAll(dir, withoutCredentials(address)),
    text
  )

function withFolders(call: Invocation, copies: ReadonlyMap<string, string>): Invocation {
  const folderOf = <T extends string | undefined>(text: T) =>
    text === undefined ? text : (copies.get(text) ?? text)
  return {
    ...call,
    stdout: (text) =>
      call.stdout(typeof text === 'string' ? withAddresses(text, copies) : text),
    stderr: (text) => call.stderr(withAddresses(text, copies)),
    positionals: call.positionals.map(folderOf),
    value: (flag) => folderOf(call.value(flag)),
    isOn: (flag) => flag !== 'repair' && call.isOn(flag),
    env: { ...call.env, WIKITAPE_CASSETTE: folderOf(call.env['WIKITAPE_CASSETTE']) }
  }
}
