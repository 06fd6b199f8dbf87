/** Git repositories that live as long as a test. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { temporaryFolder } from './folders.ts'

/** Nothing of the machine's own configuration. */
const environment = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.invalid',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.invalid',
}

export interface Repository {
  readonly root: string
  /** Runs git; throws where it fails. */
  git(...args: readonly string[]): string
  /** Runs git, and tells how it ended. */
  tryGit(...args: readonly string[]): { readonly code: number | null; readonly text: string }
  /** Commits all that lies there. */
  commit(message: string): void
}

export function repository(name = 'repository'): Repository {
  const root = path.join(temporaryFolder(), name)
  mkdirSync(root)
  const options = { cwd: root, env: environment, encoding: 'utf8' } as const
  const git = (...args: readonly string[]): string => execFileSync('git', args, { ...options, stdio: 'pipe' })
  git('init', '--quiet', '--initial-branch=main')
  return {
    root,
    git,
    tryGit: (...args) => {
      const { status, stdout, stderr } = spawnSync('git', args, options)
      return { code: status, text: stdout + stderr }
    },
    commit: (message) => {
      git('add', '--all')
      git('commit', '--quiet', '--allow-empty', '--message', message)
    },
  }
}
