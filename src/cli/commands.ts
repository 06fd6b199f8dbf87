/** All commands, in the groups of `wikitape --help`. */
import type { CommandEntry } from './args/command.ts'

export type CommandGroup = {
  readonly title: string
  readonly commands: readonly CommandEntry[]
}

/** One line about a command, which fits in 80 columns, and its names in other tools, with spaces between. */
type Row = readonly [brief: string, synonyms?: string]

const table: Readonly<
  Record<string, Partial<Readonly<Record<keyof typeof loaders, Row>>>>
> = {
  'Record and replay': {
    record: ['proxies a live wiki and records its answers'],
    replay: ['serves a cassette offline', 'play playback serve start'],
    exec: ['runs a command, e.g. pytest, against a cassette', 'run test'],
    capture: [
      'records without a client: one query string per line of a file',
      'ask crawl fetch',
    ],
  },
  Inspect: {
    ls: [
      'lists the interactions of a cassette',
      'list cassettes interactions recordings requests',
    ],
    show: ['shows one interaction: request and responses', 'cat view interaction print'],
    explain: [
      'shows how a request is matched, and the nearest recordings',
      'why match miss misses',
    ],
    coverage: [
      'shows which listings are complete, and where the gaps are',
      'listings gaps complete',
    ],
    review: ['reviews how a client uses the API', 'advise audit'],
    ui: [
      'shows a cassette in a browser: requests, answers, gaps, drift',
      'browse open web gui',
    ],
  },
  Compare: {
    diff: ['compares two recordings, or a recording and a live wiki', 'compare drift'],
    rehearse: ['tries an upgrade with the requests of access logs', 'upgrade staging'],
    accept: ['accepts a change, so that diff no longer fails on it', 'approve'],
  },
  Maintain: {
    refresh: [
      'records everything in a cassette again',
      'update renew rerecord re-record',
    ],
    check: [
      'checks cassettes for faults, secrets and age',
      'verify validate lint status',
    ],
    prune: [
      'lists recordings that a run did not use; --yes drops them',
      'clean gc unused',
    ],
    normalize: ['rewrites the files in the current format', 'normalise format fmt fix'],
  },
  'Import and export': {
    import: ['imports recordings of other tools', 'convert migrate'],
    export: ['exports recordings for other tools'],
    push: [
      'copies a cassette to a server (Redis or Valkey), or to a folder',
      'upload publish',
    ],
    pull: [
      'copies a cassette from a server (Redis or Valkey) to a folder',
      'download clone',
    ],
  },
  'Set up': {
    doctor: ['checks this machine, the cassettes and a wiki'],
    init: ['sets up git to merge cassettes in this repository', 'setup set-up install'],
    'merge-driver': ['merges one file of a cassette; git calls it'],
    completion: ['prints a completion script for bash, zsh or fish', 'completions'],
  },
}

/** On demand: loading every command would take most of the time of a short call. */
const loaders = {
  record: async () => (await import('./commands/record/record-command.ts')).recordCommand,
  replay: async () => (await import('./commands/record/replay-command.ts')).replayCommand,
  exec: async () => (await import('./commands/record/exec-command.ts')).execCommand,
  capture: async () =>
    (await import('./commands/record/capture-command.ts')).captureCommand,
  ls: async () => (await import('./commands/inspect/interaction-commands.ts')).lsCommand,
  show: async () =>
    (await import('./commands/inspect/interaction-commands.ts')).showCommand,
  explain: async () =>
    (await import('./commands/inspect/explain-command.ts')).explainCommand,
  coverage: async () =>
    (await import('./commands/inspect/coverage-command.ts')).coverageCommand,
  review: async () =>
    (await import('./commands/inspect/review-command.ts')).reviewCommand,
  ui: async () => (await import('./commands/inspect/ui-command.ts')).uiCommand,
  diff: async () => (await import('./commands/compare/diff-command.ts')).diffCommand,
  rehearse: async () =>
    (await import('./commands/compare/rehearse-command.ts')).rehearseCommand,
  accept: async () =>
    (await import('./commands/compare/accept-command.ts')).acceptCommand,
  refresh: async () =>
    (await import('./commands/maintain/refresh-command.ts')).refreshCommand,
  check: async () => (await import('./commands/maintain/check-command.ts')).checkCommand,
  prune: async () => (await import('./commands/maintain/prune-command.ts')).pruneCommand,
  normalize: async () =>
    (await import('./commands/maintain/normalize-command.ts')).normalizeCommand,
  import: async () =>
    (await import('./commands/transfer/import-command.ts')).importCommand,
  export: async () =>
    (await import('./commands/transfer/export-command.ts')).exportCommand,
  push: async () => (await import('./commands/transfer/push-command.ts')).pushCommand,
  pull: async () => (await import('./commands/transfer/push-command.ts')).pullCommand,
  doctor: async () => (await import('./commands/setup/doctor-command.ts')).doctorCommand,
  init: async () => (await import('./commands/setup/init-command.ts')).initCommand,
  'merge-driver': async () =>
    (await import('./commands/setup/merge-driver-command.ts')).mergeDriverCommand,
  completion: async () =>
    (await import('./commands/setup/completion-command.ts')).completionCommand(commands),
} satisfies Readonly<Record<string, CommandEntry['load']>>

export const commandGroups: readonly CommandGroup[] = Object.entries(table).map(
  ([title, rows]) => ({
    title,
    commands: Object.entries(rows).map(([name, [brief, synonyms = '']]) => ({
      name,
      brief,
      synonyms: synonyms === '' ? [] : synonyms.split(' '),
      load: loaders[name as keyof typeof loaders],
    })),
  }),
)

export const commands: readonly CommandEntry[] = commandGroups.flatMap(
  (group) => group.commands,
)
