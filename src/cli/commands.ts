/** All commands, in the groups of `wikitape --help`. */
import type { CommandEntry } from './args/command.ts'

export interface CommandGroup {
  readonly title: string
  readonly commands: readonly CommandEntry[]
}

export const commandGroups: readonly CommandGroup[] = [
  {
    title: 'Record and replay',
    commands: [
      {
        name: 'record',
        brief: 'proxies a live wiki and records its answers',
        load: async () => (await import('./commands/record/record-command.ts')).recordCommand,
      },
      {
        name: 'replay',
        synonyms: ['play', 'playback', 'serve', 'start'],
        brief: 'serves a cassette offline',
        load: async () => (await import('./commands/record/replay-command.ts')).replayCommand,
      },
      {
        name: 'exec',
        synonyms: ['run', 'test'],
        brief: 'runs a command, e.g. pytest, against a cassette',
        load: async () => (await import('./commands/record/exec-command.ts')).execCommand,
      },
      {
        name: 'capture',
        synonyms: ['ask', 'crawl', 'fetch'],
        brief: 'records without a client: one query string per line of a file',
        load: async () => (await import('./commands/record/capture-command.ts')).captureCommand,
      },
    ],
  },
  {
    title: 'Inspect',
    commands: [
      {
        name: 'ls',
        synonyms: ['list', 'cassettes', 'interactions', 'recordings', 'requests'],
        brief: 'lists the interactions of a cassette',
        load: async () => (await import('./commands/inspect/ls-command.ts')).lsCommand,
      },
      {
        name: 'show',
        synonyms: ['cat', 'view', 'interaction', 'print'],
        brief: 'shows one interaction: request and responses',
        load: async () => (await import('./commands/inspect/show-command.ts')).showCommand,
      },
      {
        name: 'explain',
        synonyms: ['why', 'match', 'miss', 'misses'],
        brief: 'shows how a request is matched, and the nearest recordings',
        load: async () => (await import('./commands/inspect/explain-command.ts')).explainCommand,
      },
      {
        name: 'coverage',
        synonyms: ['listings', 'gaps', 'complete'],
        brief: 'shows which listings are complete, and where the gaps are',
        load: async () => (await import('./commands/inspect/coverage-command.ts')).coverageCommand,
      },
      {
        name: 'ui',
        synonyms: ['browse', 'open', 'web', 'gui'],
        brief: 'shows a cassette in a browser: requests, answers, gaps, drift',
        load: async () => (await import('./commands/inspect/ui-command.ts')).uiCommand,
      },
    ],
  },
  {
    title: 'Compare',
    commands: [
      {
        name: 'diff',
        synonyms: ['compare', 'drift'],
        brief: 'compares two recordings, or a recording and a live wiki',
        load: async () => (await import('./commands/compare/diff-command.ts')).diffCommand,
      },
      {
        name: 'accept',
        synonyms: ['approve'],
        brief: 'accepts a change, so that diff no longer fails on it',
        load: async () => (await import('./commands/compare/accept-command.ts')).acceptCommand,
      },
    ],
  },
  {
    title: 'Maintain',
    commands: [
      {
        name: 'refresh',
        synonyms: ['update', 'renew', 'rerecord', 're-record'],
        brief: 'records everything in a cassette again',
        load: async () => (await import('./commands/maintain/refresh-command.ts')).refreshCommand,
      },
      {
        name: 'check',
        synonyms: ['verify', 'validate', 'lint', 'status'],
        brief: 'checks cassettes for faults, secrets and age',
        load: async () => (await import('./commands/maintain/check-command.ts')).checkCommand,
      },
      {
        name: 'prune',
        synonyms: ['clean', 'gc', 'unused'],
        brief: 'lists recordings that a run did not use; --yes drops them',
        load: async () => (await import('./commands/maintain/prune-command.ts')).pruneCommand,
      },
      {
        name: 'normalize',
        synonyms: ['normalise', 'format', 'fmt', 'fix'],
        brief: 'rewrites the files in the current format',
        load: async () => (await import('./commands/maintain/normalize-command.ts')).normalizeCommand,
      },
    ],
  },
  {
    title: 'Import and export',
    commands: [
      {
        name: 'import',
        synonyms: ['convert', 'migrate'],
        brief: 'imports recordings of other tools',
        load: async () => (await import('./commands/transfer/import-command.ts')).importCommand,
      },
      {
        name: 'export',
        brief: 'exports recordings for other tools',
        load: async () => (await import('./commands/transfer/export-command.ts')).exportCommand,
      },
    ],
  },
  {
    title: 'Set up',
    commands: [
      {
        name: 'doctor',
        brief: 'checks this machine, the cassettes and a wiki',
        load: async () => (await import('./commands/setup/doctor-command.ts')).doctorCommand,
      },
      {
        name: 'init',
        synonyms: ['setup', 'set-up', 'install'],
        brief: 'sets up git to merge cassettes in this repository',
        load: async () => (await import('./commands/setup/init-command.ts')).initCommand,
      },
      {
        name: 'merge-driver',
        brief: 'merges one file of a cassette; git calls it',
        load: async () => (await import('./commands/setup/merge-driver-command.ts')).mergeDriverCommand,
      },
      {
        name: 'completion',
        synonyms: ['completions'],
        brief: 'prints a completion script for bash, zsh or fish',
        load: async () =>
          (await import('./commands/setup/completion-command.ts')).completionCommand(commands),
      },
    ],
  },
]

export const commands: readonly CommandEntry[] = commandGroups.flatMap((group) => group.commands)
