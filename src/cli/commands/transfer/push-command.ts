/** `wikitape push` and `wikitape pull`: a cassette copied between a folder and a server, or two folders. */
import { type CopyResult, copyCassette, type FileSet, FolderFiles } from '../../../store/copy-cassette.ts'
import { RedisFiles } from '../../../store/redis/redis-files.ts'
import { isStoreAddress } from '../../../store/redis-address.ts'
import { plural } from '../../../text/words.ts'
import { type Command, expectArgs, type Invocation } from '../../args/command.ts'
import { jsonFlag } from '../../flags/cassette-flags.ts'
import { printJson, printNote, showProgress } from '../../terminal/terminal-output.ts'

export const pushCommand: Command = copyCommand('push', 'to a server (Redis or Valkey), or to a folder', [
  'wikitape push cassettes/mine redis://127.0.0.1:6379/0#mine',
  'wikitape push cassettes/mine rediss://tapes.example:6379/0#team/mine --delete --dry-run',
])

export const pullCommand: Command = copyCommand('pull', 'from a server (Redis or Valkey) to a folder', [
  'wikitape pull redis://127.0.0.1:6379/0#mine cassettes/mine',
  'wikitape pull redis+cluster://a.example:6379,b.example:6379#mine cassettes/mine --delete',
])

function copyCommand(name: string, where: string, examples: readonly string[]): Command {
  const command: Command = {
    name,
    usage: 'FROM TO [flags]',
    summary: `Copies a cassette ${where}: only files whose content differs. An interrupted copy goes on when it is started again.`,
    flags: {
      delete: 'delete files that only the target has',
      'dry-run': 'list what would be copied and deleted, and change nothing',
      ...jsonFlag,
    },
    examples,
    async run(call) {
      const [source = '', target = ''] = expectArgs(command, call, 2)
      const from = isStoreAddress(source) ? await RedisFiles.open(source) : FolderFiles.existing(source)
      let to: FileSet | undefined
      try {
        to = isStoreAddress(target) ? await RedisFiles.open(target) : FolderFiles.writable(target)
        printResult(from, to, await copyWithProgress(from, to, call), call)
        return 0
      } finally {
        from.close()
        to?.close()
      }
    },
  }
  return command
}

async function copyWithProgress(from: FileSet, to: FileSet, call: Invocation): Promise<CopyResult> {
  let progress = 'comparing'
  const stopProgress = showProgress(call, () => progress)
  const onProgress = (done: number, total: number): void => {
    progress = `${done}/${plural(total, 'file')}`
  }
  try {
    const options = { deletes: call.isOn('delete'), isDryRun: call.isOn('dry-run'), onProgress }
    return await copyCassette(from, to, options)
  } finally {
    stopProgress()
  }
}

const maxNamed = 20

function printResult(from: FileSet, to: FileSet, result: CopyResult, call: Invocation): void {
  const { copied, deleted, unchanged, bytes } = result
  const isDryRun = call.isOn('dry-run')
  if (call.isOn('json')) {
    printJson(call, { from: from.name, to: to.name, isDryRun, copied, deleted, unchanged, bytes })
    return
  }
  const changes = [...copied.map((file) => `copy ${file}`), ...deleted.map((file) => `delete ${file}`)]
  if (isDryRun) for (const line of changes.slice(0, maxNamed)) call.stdout(`${line}\n`)
  if (isDryRun && changes.length > maxNamed) call.stdout(`and ${changes.length - maxNamed} more\n`)
  const words = isDryRun ? ['would be copied', 'would be deleted'] : ['copied', 'deleted']
  const deletions = deleted.length === 0 ? '' : `, ${deleted.length} ${words[1]}`
  const copies = `${plural(copied.length, 'file')} ${words[0]}`
  printNote(call, `${from.name} to ${to.name}: ${copies}${deletions}, ${unchanged} unchanged`)
}
