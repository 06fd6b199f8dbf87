/** Every verb by what people come for: its name, one line, and where it lies. */
import type { Entry } from './args/command.ts'

export interface Group {
  readonly title: string
  readonly entries: readonly Entry[]
}

export const catalogue: readonly Group[] = [
  {
    title: 'Record and replay',
    entries: [
      {
        name: 'record',
        brief: 'stands in front of a live wiki and records what it answers',
        load: async () => (await import('./commands/record/record-command.ts')).record,
      },
      {
        name: 'replay',
        meant: ['play', 'playback', 'serve', 'start'],
        brief: 'serves a cassette, offline',
        load: async () => (await import('./commands/record/replay-command.ts')).replay,
      },
      {
        name: 'exec',
        meant: ['run', 'test'],
        brief: 'runs a command, e.g. pytest, against a cassette',
        load: async () => (await import('./commands/record/exec-command.ts')).exec,
      },
      {
        name: 'capture',
        meant: ['ask', 'crawl', 'fetch'],
        brief: 'records without a client: one query string a line',
        load: async () => (await import('./commands/record/capture-command.ts')).capture,
      },
    ],
  },
  {
    title: 'Look',
    entries: [
      {
        name: 'ls',
        meant: ['list', 'cassettes', 'interactions', 'recordings', 'requests'],
        brief: 'what is in a cassette',
        load: async () => (await import('./commands/inspect/ls-command.ts')).ls,
      },
      {
        name: 'show',
        meant: ['cat', 'view', 'interaction', 'print'],
        brief: 'one interaction: the request and its responses',
        load: async () => (await import('./commands/inspect/show-command.ts')).show,
      },
      {
        name: 'explain',
        meant: ['why', 'match', 'miss', 'misses'],
        brief: 'how a request is matched, and what is nearest',
        load: async () => (await import('./commands/inspect/explain-command.ts')).explain,
      },
      {
        name: 'coverage',
        meant: ['listings', 'gaps', 'complete'],
        brief: 'which listings are complete, and where the gaps are',
        load: async () => (await import('./commands/inspect/coverage-command.ts')).coverage,
      },
      {
        name: 'ui',
        meant: ['browse', 'open', 'web', 'gui'],
        brief: 'a cassette in a browser: requests, answers, gaps, faults, drift',
        load: async () => (await import('./commands/inspect/ui-command.ts')).ui,
      },
    ],
  },
  {
    title: 'Compare',
    entries: [
      {
        name: 'diff',
        meant: ['compare', 'drift'],
        brief: 'what changed between two recordings, or two wikis',
        load: async () => (await import('./commands/compare/diff-command.ts')).diff,
      },
      {
        name: 'accept',
        meant: ['approve'],
        brief: 'notes a change that is accepted, so that it no longer fails',
        load: async () => (await import('./commands/compare/accept-command.ts')).accept,
      },
    ],
  },
  {
    title: 'Keep in order',
    entries: [
      {
        name: 'refresh',
        meant: ['update', 'renew', 'rerecord', 're-record'],
        brief: 'asks again everything that a cassette holds',
        load: async () => (await import('./commands/maintain/refresh-command.ts')).refresh,
      },
      {
        name: 'check',
        meant: ['verify', 'validate', 'lint', 'status'],
        brief: 'are the files whole, in date, and free of secrets?',
        load: async () => (await import('./commands/maintain/check-command.ts')).check,
      },
      {
        name: 'prune',
        meant: ['clean', 'gc', 'unused'],
        brief: 'lists recordings that a run did not use; --yes drops them',
        load: async () => (await import('./commands/maintain/prune-command.ts')).prune,
      },
      {
        name: 'normalize',
        meant: ['normalise', 'format', 'fmt', 'fix'],
        brief: 'rewrites the files in the present format and spelling',
        load: async () => (await import('./commands/maintain/normalize-command.ts')).normalize,
      },
    ],
  },
  {
    title: 'Move in and out',
    entries: [
      {
        name: 'import',
        meant: ['convert', 'migrate'],
        brief: 'takes over recordings of other tools',
        load: async () => (await import('./commands/transfer/import-command.ts')).importVerb,
      },
      {
        name: 'export',
        brief: 'writes recordings for other tools',
        load: async () => (await import('./commands/transfer/export-command.ts')).exportVerb,
      },
    ],
  },
  {
    title: 'Set up',
    entries: [
      {
        name: 'doctor',
        brief: 'is everything here ready, and does the wiki take us?',
        load: async () => (await import('./commands/setup/doctor-command.ts')).doctor,
      },
      {
        name: 'init',
        meant: ['setup', 'set-up', 'install'],
        brief: 'makes cassettes merge in this git repository',
        load: async () => (await import('./commands/setup/init-command.ts')).init,
      },
      {
        name: 'merge-driver',
        brief: 'merges one file of a cassette; git calls it',
        load: async () => (await import('./commands/setup/merge-driver-command.ts')).mergeDriver,
      },
      {
        name: 'completion',
        meant: ['completions'],
        brief: 'prints what makes Tab complete, for bash, zsh or fish',
        load: async () => (await import('./commands/setup/completion-command.ts')).completionOf(entries),
      },
    ],
  },
]

export const entries: readonly Entry[] = catalogue.flatMap((group) => group.entries)
