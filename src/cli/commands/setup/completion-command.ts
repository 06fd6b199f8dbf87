/** `wikitape completion`: a completion script for a shell. */
import { didYouMean } from '../../../text/did-you-mean.ts'
import { type Command, type CommandEntry, expectArgs, helpFlag, UsageError } from '../../args/command.ts'
import { completionScripts } from './completion-scripts.ts'

/** @param commands all of them, this one too */
export function completionCommand(commands: readonly CommandEntry[]): Command {
  const completion: Command = {
    name: 'completion',
    usage: '<bash|zsh|fish>',
    summary: 'Prints a completion script for commands, flags and their values.',
    flags: [],
    examples: [
      'wikitape completion bash > ~/.local/share/bash-completion/completions/wikitape',
      'wikitape completion zsh > ~/.zfunc/_wikitape   # a folder of your fpath',
      'wikitape completion fish > ~/.config/fish/completions/wikitape.fish',
    ],
    async run(call) {
      const [name = ''] = expectArgs(completion, call, 1)
      const script = completionScripts.get(name)
      const known = [...completionScripts.keys()]
      if (script === undefined)
        throw new UsageError(
          `the shell "${name}" is unknown${didYouMean(name, known)}; expected ${known.join(', ')}`,
        )
      const completable = commands.map(async (entry) => ({
        ...entry,
        flags: [...(await entry.load()).flags, helpFlag],
      }))
      call.stdout(script(await Promise.all(completable)))
      return 0
    },
  }
  return completion
}
