/**
 * The JSON files of data/, parsed when first needed. `require` reads JSON without a warning in every Node.js, also in
 * modules of a realm of their own (vitest's `vmThreads`).
 */
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

type DataFileName = 'modules' | 'lists' | 'generators' | 'props' | 'module-quirks' | 'known-changes'

const require: NodeJS.Require = createRequire(import.meta.url)
/** From sources, and from bundled modules, which lie in a folder of `dist/` as this one does in one of `src/`. */
const folder = new URL(
  `../../${import.meta.url.endsWith('.ts') ? 'src' : 'dist'}/knowledge/data/`,
  import.meta.url,
)
/** Faster than `require`'s own cache: some files are asked for several times a request. */
const parsedFiles = new Map<DataFileName, unknown>()

/** The parsed file, the same object each time. */
export function dataFile(name: DataFileName): unknown {
  if (!parsedFiles.has(name)) parsedFiles.set(name, require(fileURLToPath(new URL(`${name}.json`, folder))))
  return parsedFiles.get(name)
}
