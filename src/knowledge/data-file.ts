/**
 * The JSON files of data/, parsed when first needed. `require` reads JSON without a warning in every Node.js, also in
 * modules of a realm of their own (vitest's `vmThreads`).
 */
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { packageFile } from '../text/package-file.ts'

type DataFileName = 'modules' | 'lists' | 'generators' | 'props' | 'module-quirks' | 'known-changes'

const require: NodeJS.Require = createRequire(import.meta.url)
/** Faster than `require`'s own cache: some files are asked for several times a request. */
const parsedFiles = new Map<DataFileName, unknown>()

/** The parsed file, the same object each time. */
export function dataFile(name: DataFileName): unknown {
  if (!parsedFiles.has(name))
    parsedFiles.set(name, require(fileURLToPath(packageFile(`knowledge/data/${name}.json`))))
  return parsedFiles.get(name)
}
