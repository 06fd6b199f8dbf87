/** All commands, in the groups of `wikitape --help`. */
import type { CommandEntry } from './args/command.ts'

type CommandGroup = {
  readonly title: string
  readonly commands: readonly CommandEntry[]
}

/** Loaded on demand: to load every command would take most of the time of a short call. */
type Module = () => Promise<object>

const table: Readonly<Record<string, Readonly<Record<string, Module>>>> = {
  'Record and replay': {
    record: () => import('./commands/record/record-command.ts'),
    replay: () => import('./commands/record/replay-command.ts'),
    exec: () => import('./commands/record/exec-command.ts'),
    capture: () => import('./commands/record/capture-command.ts')
  },
  Inspect: {
    ls: () => import('./commands/inspect/interaction-commands.ts'),
    show: () => import('./commands/inspect/interaction-commands.ts'),
    explain: () => import('./commands/inspect/explain-command.ts'),
    coverage: () => import('./commands/inspect/coverage-command.ts'),
    review: () => import('./commands/inspect/review-command.ts'),
    ui: () => import('./commands/inspect/ui-command.ts')
  },
  Compare: {
    diff: () => import('./commands/compare/diff-command.ts'),
    rehearse: () => import('./commands/compare/rehearse-command.ts'),
    accept: () => import('./commands/compare/accept-command.ts')
  },
  Maintain: {
    refresh: () => import('./commands/maintain/refresh-command.ts'),
    check: () => import('./commands/maintain/check-command.ts'),
    prune: () => import('./commands/maintain/prune-command.ts'),
    normalize: () => import('./commands/maintain/normalize-command.ts')
  },
  'Import and export': {
    import: () => import('./commands/transfer/import-command.ts'),
    export: () => import('./commands/transfer/export-command.ts'),
    push: () => import('./commands/transfer/push-command.ts'),
    pull: () => import('./commands/transfer/push-command.ts')
  },
  'Set up': {
    doctor: () => import('./commands/setup/doctor-command.ts'),
    init: () => import('./commands/setup/init-command.ts'),
    'merge-driver': () => import('./commands/setup/merge-driver-command.ts'),
    completion: () => import('./commands/setup/completion-command.ts')
  }
}

export const commandGroups: readonly CommandGroup[] = Object.entries(table).map(
  ([title, rows]) => ({
    title,
    commands: Object.entries(rows).map(([name, module]) => ({
      name,
      load: async () => commandIn(await module(), name)
    }))
  })
)

/** The command of this name that a module exports. */
const commandIn = (module: object, name: string) =>
  Object.values(module).find((one) => one?.name === name)

export const commands: readonly CommandEntry[] = commandGroups.flatMap(
  (group) => group.commands
)
