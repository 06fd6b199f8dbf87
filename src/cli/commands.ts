/** Every verb by what people come for: its name, one line, and where it lies. */
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
        brief: 'stands in front of a live wiki and records what it answers',
        load: async () => (await import('./commands/record/record-command.ts')).recordCommand,
      },
      {
        name: 'replay',
        synonyms: ['play', 'playback', 'serve', 'start'],
        brief: 'serves a cassette, offline',
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
        brief: 'records without a client: one query string a line',
        load: async () => (await import('./commands/record/capture-command.ts')).captureCommand,
      },
    ],
  },
  {
    title: 'Look',
    commands: [
      {
        name: 'ls',
        synonyms: ['list', 'cassettes', 'interactions', 'recordings', 'requests'],
        brief: 'what is in a cassette',
        load: async () => (await import('./commands/inspect/ls-command.ts')).lsCommand,
      },
      {
        name: 'show',
        synonyms: ['cat', 'view', 'interaction', 'print'],
        brief: 'one interaction: the request and its responses',
        load: async () => (await import('./commands/inspect/show-command.ts')).showCommand,
      },
      {
        name: 'explain',
        synonyms: ['why', 'match', 'miss', 'misses'],
        brief: 'how a request is matched, and what is nearest',
        load: async () => (await import('./commands/inspect/explain-command.ts')).explainCommand,
      },
      {
        name: 'coverage',
        synonyms: ['listings', 'gaps', 'complete'],
        brief: 'which listings are complete, and where the gaps are',
        load: async () => (await import('./commands/inspect/coverage-command.ts')).coverageCommand,
      },
      {
        name: 'ui',
        synonyms: ['browse', 'open', 'web', 'gui'],
        brief: 'a cassette in a browser: requests, answers, gaps, faults, drift',
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
        brief: 'what changed between two recordings, or two wikis',
        load: async () => (await import('./commands/compare/diff-command.ts')).diffCommand,
      },
      {
        name: 'accept',
        synonyms: ['approve'],
        brief: 'notes a change that is accepted, so that it no longer fails',
        load: async () => (await import('./commands/compare/accept-command.ts')).acceptCommand,
      },
    ],
  },
  {
    title: 'Keep in order',
    commands: [
      {
        name: 'refresh',
        synonyms: ['update', 'renew', 'rerecord', 're-record'],
        brief: 'asks again everything that a cassette holds',
        load: async () => (await import('./commands/maintain/refresh-command.ts')).refreshCommand,
      },
      {
        name: 'check',
        synonyms: ['verify', 'validate', 'lint', 'status'],
        brief: 'are the files whole, in date, and free of secrets?',
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
        brief: 'rewrites the files in the present format and spelling',
        load: async () => (await import('./commands/maintain/normalize-command.ts')).normalizeCommand,
      },
    ],
  },
  {
    title: 'Move in and out',
    commands: [
      {
        name: 'import',
        synonyms: ['convert', 'migrate'],
        brief: 'takes over recordings of other tools',
        load: async () => (await import('./commands/transfer/import-command.ts')).importCommand,
      },
      {
        name: 'export',
        brief: 'writes recordings for other tools',
        load: async () => (await import('./commands/transfer/export-command.ts')).exportCommand,
      },
    ],
  },
  {
    title: 'Set up',
    commands: [
      {
        name: 'doctor',
        brief: 'is everything here ready, and does the wiki take us?',
        load: async () => (await import('./commands/setup/doctor-command.ts')).doctorCommand,
      },
      {
        name: 'init',
        synonyms: ['setup', 'set-up', 'install'],
        brief: 'makes cassettes merge in this git repository',
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
        brief: 'prints what makes Tab complete, for bash, zsh or fish',
        load: async () =>
          (await import('./commands/setup/completion-command.ts')).completionCommand(commands),
      },
    ],
  },
]

export const commands: readonly CommandEntry[] = commandGroups.flatMap((group) => group.commands)
