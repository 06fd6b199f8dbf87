// Builds dist/ for those that need it, unless it is newer than everything that it is made of.
import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { staleReason } from './build-age.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

if (staleReason() !== undefined)
  process.exitCode =
    spawnSync('npm', ['run', 'build', '--silent'], { stdio: 'inherit' }).status ?? 1
