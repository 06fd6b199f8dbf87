/** Commands on a cassette at a server: those that read get a temporary copy; the others say how to pull and push it. */
import path from 'node:path'
import { commandName } from '../../store/command-name.ts'
import { copyCassette } from '../../store/copy/copy-cassette.ts'
import { FolderFiles } from '../../store/copy/folder-files.ts'
import { RedisFiles } from '../../store/redis/redis-files.ts'
import { withoutCredentials } from '../../store/store-address.ts'
import { wordSet } from '../../text/word-set.ts'
import { type Command, type Invocation, UsageError } from '../args/command.ts'
import { withTemporaryCassette } from './temporary-cassette.ts'

const atServer = wordSet('record replay exec capture push pull')
const reading = wordSet('ls show explain coverage review diff check export ui')

/** @throws UsageError, StoreError */
export async function runWithCopies(
  { run, name }: Command,
  call: Invocation,
  addresses: ReadonlySet<string>,
): Promise<number> {
  if (atServer.has(name)) return run(call)
  const [first = ''] = addresses
  const shown = withoutCredentials(first)
  if (!reading.has(name))
    throw new UsageError(
      `${name} works on folders, and ${shown} is none: ${commandName} pull '${shown}' cassettes/copy, then ${commandName} ${name} on that folder, then ${commandName} push cassettes/copy '${shown}' --delete`,
    )
  const copies = new Map<string, string>()
  return withTemporaryCassette(async (folder) => {
    try {
      for (const address of addresses)
        copies.set(address, await copyInto(path.join(folder, String(copies.size)), address))
      return await run(withFolders(call, copies))
    } catch (error) {
      if (error instanceof Error) error.message = withAddresses(error.message, copies)
      throw error
    }
  })
}

/** @returns the folder of the copy, which has the cassette's name */
async function copyInto(folder: string, address: string): Promise<string> {
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
const withAddresses = (text: string, copies: ReadonlyMap<string, string>): string =>
  [...copies].reduce((sum, [address, dir]) => sum.replaceAll(dir, withoutCredentials(address)), text)

function withFolders(call: Invocation, copies: ReadonlyMap<string, string>): Invocation {
  const folderOf = <T extends string | undefined>(text: T): string | T =>
    text === undefined ? text : (copies.get(text) ?? text)
  return {
    ...call,
    stdout: (text) => call.stdout(typeof text === 'string' ? withAddresses(text, copies) : text),
    stderr: (text) => call.stderr(withAddresses(text, copies)),
    positionals: call.positionals.map(folderOf),
    value: (flag) => folderOf(call.value(flag)),
    env: { ...call.env, WIKITAPE_CASSETTE: folderOf(call.env['WIKITAPE_CASSETTE']) },
  }
}
