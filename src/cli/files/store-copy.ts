/** Commands on a cassette at a server: those that read get a temporary copy; the others say how to pull and push it. */
import { mkdtempSync } from 'node:fs'
import path from 'node:path'
import { commandName } from '../../store/command-name.ts'
import { copyCassette, FolderFiles } from '../../store/copy-cassette.ts'
import { RedisFiles } from '../../store/redis/redis-files.ts'
import { withoutCredentials } from '../../store/redis-address.ts'
import { wordSet } from '../../text/words.ts'
import { type Command, type Invocation, UsageError } from '../args/command.ts'
import { withTemporaryFolder } from './temporary-cassette.ts'

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
  if (!reading.has(name)) throw new UsageError(howToChange(name, withoutCredentials(first)))
  const copies = new Map<string, string>()
  return withTemporaryFolder(async (folder) => {
    try {
      for (const address of addresses) copies.set(address, await copyInto(folder, address))
      return await run(withFolders(call, copies))
    } catch (error) {
      if (error instanceof Error) error.message = withAddresses(error.message, copies)
      throw error
    }
  })
}

const howToChange = (name: string, address: string): string =>
  `${name} works on folders, and ${address} is none: ${commandName} pull '${address}' cassettes/copy, then ${commandName} ${name} on that folder, then ${commandName} push cassettes/copy '${address}' --delete`

/** @returns the folder of the copy, which has the cassette's name */
async function copyInto(folder: string, address: string): Promise<string> {
  const from = await RedisFiles.open(address)
  try {
    const name = from.name.replace(/^.*#/, '').replaceAll('/', '_')
    const to = path.join(mkdtempSync(path.join(folder, 'copy-')), name)
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
