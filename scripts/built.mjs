// Builds dist/ for those that need it, unless it is newer than everything that it is made of.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

// Folders count, too: their time tells of a file that was taken away.
const changed = (place) => {
  const inside = statSync(place).isDirectory() ? readdirSync(place, { recursive: true }) : []
  return Math.max(
    ...[place, ...inside.map((name) => `${place}/${name}`)].map((one) => statSync(one).mtimeMs),
  )
}

const sources = [
  ...['src', 'ui', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'],
  'vite.config.ts',
]
// A build begins by emptying dist/ and ends with the pages; what tsc wrote before is the older part of it.
const [first, last] = ['dist/index.d.ts', 'dist/browser/index.html']
const isBuilt =
  existsSync(first) && existsSync(last) && changed(first) > Math.max(...sources.map(changed))
if (!isBuilt)
  process.exitCode =
    spawnSync('npm', ['run', 'build', '--silent'], { stdio: 'inherit' }).status ?? 1
