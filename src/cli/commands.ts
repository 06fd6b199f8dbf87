/** All commands, in the groups of `wikitape --help`. */
import type { Command, CommandEntry } from './args/command.ts'

export type CommandGroup = {
  readonly title: string
  readonly commands: readonly CommandEntry[]
}

/**
 * One line about a command, which fits in 80 columns; its module, loaded on demand, since loading every command would take
 * most of the time of a short call; its names in other tools, with spaces between.
 */
type Row = readonly [brief: string, module: () => Promise<object>, synonyms?: string]

const table: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  'Record and replay': {
    record: [
      'proxies a live wiki and records its answers',
      () => import('./commands/record/record-command.ts')
    ],
    replay: [
      'serves a cassette offline',
      () => import('./commands/record/replay-command.ts'),
      'play playback serve start'
    ],
    exec: [
      'runs a command, e.g. pytest, against a cassette',
      () => import('./commands/record/exec-command.ts'),
      'run test'
    ],
    capture: [
      'records without a client: one query string per line of a file',
      () => import('./commands/record/capture-command.ts'),
      'ask crawl fetch'
    ]
  },
  Inspect: {
    ls: [
      'lists the interactions of a cassette',
      () => import('./commands/inspect/interaction-commands.ts'),
      'list cassettes interactions recordings requests'
    ],
    show: [
      'shows one interaction: request and responses',
      () => import('./commands/inspect/interaction-commands.ts'),
      'cat view interaction print'
    ],
    explain: [
      'shows how a request is matched, and the nearest recordings',
      () => import('./commands/inspect/explain-command.ts'),
      'why match miss misses'
    ],
    coverage: [
      'shows which listings are complete, and where the gaps are',
      () => import('./commands/inspect/coverage-command.ts'),
      'listings gaps complete'
    ],
    review: [
      'reviews how a client uses the API',
      () => import('./commands/inspect/review-command.ts'),
      'advise audit'
    ],
    ui: [
      'shows a cassette in a browser: requests, answers, gaps, drift',
      () => import('./commands/inspect/ui-command.ts'),
      'browse open web gui'
    ]
  },
  Compare: {
    diff: [
      'compares two recordings, or a recording and a live wiki',
      () => import('./commands/compare/diff-command.ts'),
      'compare drift'
    ],
    rehearse: [
      'tries an upgrade with the requests of access logs',
      () => import('./commands/compare/rehearse-command.ts'),
      'upgrade staging'
    ],
    accept: [
      'accepts a change, so that diff no longer fails on it',
      () => import('./commands/compare/accept-command.ts'),
      'approve'
    ]
  },
  Maintain: {
    refresh: [
      'records everything in a cassette again',
      () => import('./commands/maintain/refresh-command.ts'),
      'update renew rerecord re-record'
    ],
    check: [
      'checks cassettes for faults, secrets and age',
      () => import('./commands/maintain/check-command.ts'),
      'verify validate lint status'
    ],
    prune: [
      'lists recordings that a run did not use; --yes drops them',
      () => import('./commands/maintain/prune-command.ts'),
      'clean gc unused'
    ],
    normalize: [
      'rewrites the files in the current format',
      () => import('./commands/maintain/normalize-command.ts'),
      'normalise format fmt fix'
    ]
  },
  'Import and export': {
    import: [
      'imports recordings of other tools',
      () => import('./commands/transfer/import-command.ts'),
      'convert migrate'
    ],
    export: [
      'exports recordings for other tools',
      () => import('./commands/transfer/export-command.ts')
    ],
    push: [
      'copies a cassette to a server (Redis or Valkey), or to a folder',
      () => import('./commands/transfer/push-command.ts'),
      'upload publish'
    ],
    pull: [
      'copies a cassette from a server (Redis or Valkey) to a folder',
      () => import('./commands/transfer/push-command.ts'),
      'download clone'
    ]
  },
  'Set up': {
    doctor: [
      'checks this machine, the cassettes and a wiki',
      () => import('./commands/setup/doctor-command.ts')
    ],
    init: [
      'sets up git to merge cassettes in this repository',
      () => import('./commands/setup/init-command.ts'),
      'setup set-up install'
    ],
    'merge-driver': [
      'merges one file of a cassette; git calls it',
      () => import('./commands/setup/merge-driver-command.ts')
    ],
    completion: [
      'prints a completion script for bash, zsh or fish',
      async () => ({
        completion: (
          await import('./commands/setup/completion-command.ts')
        ).completionCommand(commands)
      }),
      'completions'
    ]
  }
}

export const commandGroups: readonly CommandGroup[] = Object.entries(table).map(
  ([title, rows]) => ({
    title,
    commands: Object.entries(rows).map(([name, [brief, module, synonyms = '']]) => ({
      name,
      brief,
      synonyms: synonyms.split(' ').filter(Boolean),
      load: async () => commandIn(await module(), name)
    }))
  })
)

/** The command of this name that a module exports. */
const commandIn = (module: object, name: string): Command =>
  Object.values(module).find((one) => one?.name === name)

export const commands: readonly CommandEntry[] = commandGroups.flatMap(
  (group) => group.commands
)
