/** `wikitape completion`: a completion script for a shell. */
import { didYouMean } from '../../../recorder/text/words.ts'
import {
  type Command,
  commandNames,
  expectArgs,
  textsOf,
  UsageError
} from '../../args/command.ts'
import { type Flag, flagsOf } from '../../args/flags.ts'

export const completionCommand: Command = {
  name: 'completion',
  async run(call) {
    const [name = ''] = expectArgs(completionCommand, call, 1)
    const script = scripts.get(name)
    const known = [...scripts.keys()]
    if (!script)
      throw new UsageError(
        `the shell "${name}" is unknown${didYouMean(name, known)}; expected ${known.join(', ')}`
      )
    call.stdout(
      script(commandNames.map((one) => ({ name: one, flags: flagsOf({ name: one }) })))
    )
    return 0
  }
}

interface CompletableCommand {
  readonly name: string
  readonly flags: readonly Flag[]
}

const scripts = new Map(
  Object.entries({ bash: bashScript, zsh: zshScript, fish: fishScript })
)

/** The name of a value says whether it is a folder, a file, or neither; a shell has a text for each. */
function byKind(
  { valueName = '' }: Flag,
  [folder, file, other]: readonly [string, string, string]
) {
  if (valueName.startsWith('DIR')) return folder
  return valueName === 'FILE' || valueName === 'PATH' ? file : other
}

function bashScript(commands: readonly CompletableCommand[]) {
  const all = commands
    .flatMap((command) => command.flags)
    .filter((flag) => flag.valueName !== undefined)
  // Flags of one name have the same values in every command.
  const values = [...new Map(all.map((flag) => [flag.name, flag])).values()].map(
    (flag) => {
      const words = flag.choices ? ` -W '${flag.choices.join(' ')}'` : ''
      const kind = byKind(flag, [' -d', ' -f', ''])
      const made =
        words + kind === ''
          ? 'COMPREPLY=()'
          : `COMPREPLY=($(compgen${words}${kind} -- "$word"))`
      return `    --${flag.name}) ${made}; return ;;`
    }
  )
  const flags = commands.map(
    (command) =>
      `    ${command.name}) flags='${command.flags.map((flag) => `--${flag.name}`).join(' ')}' ;;`
  )
  return `# bash completion for wikitape
_wikitape() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} flags= index
  if [ "$COMP_CWORD" -eq 1 ] || { [ "$COMP_CWORD" -eq 2 ] && [ "$before" = help ]; }; then
    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')} help' -- "$word"))
    return
  fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    # What follows is another command's.
    [ "\${COMP_WORDS[index]}" = -- ] && { COMPREPLY=($(compgen -c -f -- "$word")); return; }
  done
  case $before in
${values.join('\n')}
  esac
  case \${COMP_WORDS[1]} in
${flags.join('\n')}
  esac
  case $word in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _wikitape wikitape
`
}

function zshScript(commands: readonly CompletableCommand[]) {
  const quoted = (text: string) => `'${text.replace(/'/g, "'\\''")}'`
  const plain = (text: string) => text.replace(/[[\]:\\]/g, '\\$&')
  const action = (flag: Flag) => {
    if (flag.valueName === undefined) return ''
    const files = byKind(flag, ['_files -/', '_files', ' '])
    return `:${flag.valueName}:${flag.choices ? `(${flag.choices.join(' ')})` : files}`
  }
  const option = (flag: Flag) =>
    quoted(
      `${flag.repeatable ? '*' : ''}--${flag.name}[${plain(flag.help)}]${action(flag)}`
    )
  const cases = commands.map((command) => {
    const options = [...command.flags.map(option), "'*:argument:_default'"].join(
      ' \\\n        '
    )
    return `    ${command.name})\n      _arguments -S \\\n        ${options}\n      ;;`
  })
  return `#compdef wikitape
_wikitape() {
  local -a subcommands
  subcommands=(
${commands.map((command) => `    ${quoted(`${command.name}:${plain(textsOf(command).brief)}`)}`).join('\n')}
  )
  if ((CURRENT == 2)) || { ((CURRENT == 3)) && [[ $words[2] == help ]]; }; then
    _describe subcommand subcommands
    return
  fi
  local subcommand=$words[2]
  shift words
  ((CURRENT--))
  case $subcommand in
${cases.join('\n')}
  esac
}
# In the fpath this file is the function itself; when sourced, it has to be registered.
if [[ $funcstack[1] == _wikitape ]]; then
  _wikitape "$@"
else
  compdef _wikitape wikitape
fi
`
}

function fishScript(commands: readonly CompletableCommand[]) {
  const quoted = (text: string) => `'${text.replace(/\\/g, '\\\\').replace(/'/g, "\\'")}'`
  const value = (flag: Flag) => {
    if (flag.valueName === undefined) return ''
    if (flag.choices) return ` -x -a ${quoted(flag.choices.join(' '))}`
    return byKind(flag, [" -x -a '(__fish_complete_directories)'", ' -r -F', ' -x'])
  }
  const lines = commands.flatMap(({ name, flags }) => [
    `complete -c wikitape -n __fish_use_subcommand -f -a ${name} -d ${quoted(textsOf({ name }).brief)}`,
    ...flags.map(
      (flag) =>
        `complete -c wikitape -n '__fish_seen_subcommand_from ${name}' -l ${flag.name}${value(flag)} -d ${quoted(flag.help)}`
    )
  ])
  return `# fish completion for wikitape\n${lines.join('\n')}\n`
}
