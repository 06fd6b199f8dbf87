/**
 * The files below data/, read when somebody first wants to know. By `require`, which every Node.js reads JSON with
 * without a warning, also where modules run in a realm of their own (vitest's `vmThreads`).
 */
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { packageFile } from '../text/package-file.ts'

const require: NodeJS.Require = createRequire(import.meta.url)

type DataFileName = 'modules' | 'lists' | 'generators' | 'props' | 'oddities'

/** Kept here as well: to look a file up once more among those required costs more than most questions that are asked of it. */
const parsedFiles = new Map<DataFileName, unknown>()

/** The parsed file, the same object each time. */
export function dataFile(name: DataFileName): unknown {
  if (!parsedFiles.has(name))
    parsedFiles.set(name, require(fileURLToPath(packageFile(`knowledge/data/${name}.json`))))
  return parsedFiles.get(name)
}
