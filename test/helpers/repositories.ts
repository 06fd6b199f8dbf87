/** Git repositories that live as long as a test. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { temporaryFolder } from './folders.ts'

/** Nothing of the machine's own configuration. */
const environment = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  // No process more at each commit and merge, which looks whether there is something to tidy up.
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'maintenance.auto',
  GIT_CONFIG_VALUE_0: 'false',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.invalid',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.invalid'
}

export interface Repository {
  readonly root: string
  /** Runs git; throws where it fails. */
  git(...args: readonly string[]): string
  /** Runs git, and tells how it ended. */
  tryGit(...args: readonly string[]): {
    readonly code: number | null
    readonly text: string
  }
  /** Commits all that lies there, and goes on to a branch. */
  commit(message: string, branch?: string): void
}

/** @param of one that it begins as a copy of */
export function repository(
  name = 'repository',
  of?: Pick<Repository, 'root'>
): Repository {
  const root = path.join(temporaryFolder(), name)
  mkdirSync(root)
  const options = { cwd: root, env: environment, encoding: 'utf8' } as const
  const ran = (command: string, args: readonly string[]): string =>
    execFileSync(command, args, { ...options, stdio: 'pipe' })
  const git = (...args: readonly string[]): string => ran('git', args)
  if (of === undefined) git('init', '--quiet', '--initial-branch=main', '--template=')
  else cpSync(of.root, root, { recursive: true })
  return {
    root,
    git,
    tryGit: (...args) => {
      const { status, stdout, stderr } = spawnSync('git', args, options)
      return { code: status, text: stdout + stderr }
    },
    // One process for two or three: to start one from the tests' own, which is large, takes longer than what it does.
    commit: (message, branch = '') => {
      const steps = ['git add --all', 'git commit --quiet --allow-empty --message "$1"']
      const goOn = branch === '' ? [] : ['git checkout --quiet "$2"']
      ran('sh', ['-c', [...steps, ...goOn].join(' && '), 'sh', message, branch])
    }
  }
}
