// Whether dist/ is of the present sources.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

const sources = [
  'src',
  'ui',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'vite.config.ts'
]
/** A build begins with these declarations and ends with the pages; both are there when it is done. */
const firstBuilt = 'dist/index.d.ts'
const lastBuilt = 'dist/browser/index.html'

/** Paths with the time of their last change; of a folder its own as well, which tells of files that are gone. */
function* changesIn(place) {
  const isFolder = statSync(root + place).isDirectory()
  const inside = isFolder ? readdirSync(root + place, { recursive: true }) : []
  for (const path of [place, ...inside.map((name) => `${place}/${name}`)])
    yield { path, changed: statSync(root + path).mtimeMs }
}

/** Why dist/ is not of the present sources; undefined if it is. */
export function staleReason() {
  if (!existsSync(root + firstBuilt) || !existsSync(root + lastBuilt))
    return 'there is no dist/'
  const built = statSync(root + firstBuilt).mtimeMs
  for (const place of sources)
    for (const { path, changed } of changesIn(place))
      if (changed >= built) return `dist/ is older than ${path}`
  return undefined
}
