/** `wikitape completion`: what makes Tab complete in a shell. */
import { didYouMean } from '../../../text/did-you-mean.ts'
import { type Entry, expectArgs, helpFlag, UsageError, type Verb } from '../../args/command.ts'
import { completions } from './completion-scripts.ts'

/** @param entries every verb there is, this one too */
export function completionOf(entries: readonly Entry[]): Verb {
  const completion: Verb = {
    name: 'completion',
    args: '<bash|zsh|fish>',
    summary: 'Prints the script that makes Tab complete verbs, flags and their values in a shell.',
    flags: [],
    examples: [
      'wikitape completion bash > ~/.local/share/bash-completion/completions/wikitape',
      'wikitape completion zsh > ~/.zfunc/_wikitape   # a folder of your fpath',
      'wikitape completion fish > ~/.config/fish/completions/wikitape.fish',
    ],
    async run(given, shell) {
      const [name = ''] = expectArgs(completion, given, 1)
      const script = completions.get(name)
      if (script === undefined) throw new UsageError(unknownShell(name))
      const verbs = entries.map(async (entry) => ({
        ...entry,
        flags: [...(await entry.load()).flags, helpFlag],
      }))
      shell.out(script(await Promise.all(verbs)))
      return 0
    },
  }
  return completion
}

function unknownShell(name: string): string {
  const known = [...completions.keys()]
  return `the shell "${name}" is unknown${didYouMean(name, known)}; expected ${known.join(', ')}`
}
