/**
 * The JSON files of data/, parsed when first needed, and which of their versions are evidence for a wiki's own. `require`
 * reads JSON without a warning in every Node.js, also in modules of a realm of their own (vitest's `vmThreads`).
 */
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

type DataFileName =
  | 'modules'
  | 'lists'
  | 'generators'
  | 'props'
  | 'module-quirks'
  | 'kinds-of-changes'
  | 'known-changes'
  | 'special-pages'
  | 'answer-fields'
  | 'answer-values'
  | 'noise-rules'
  | 'passing-errors'

const require: NodeJS.Require = createRequire(import.meta.url)
/** Bundled modules lie in a folder of `dist/`. */
const folder = new URL(
  import.meta.url.includes('/knowledge/') ? 'data/' : '../recorder/knowledge/data/',
  import.meta.url
)
/** Faster than `require`'s own cache: some files are asked for several times a request. */
const parsedFiles = new Map<DataFileName, unknown>()

/** The parsed file, the same object each time. */
export function dataFile(name: DataFileName): unknown {
  if (!parsedFiles.has(name))
    parsedFiles.set(name, require(fileURLToPath(new URL(`${name}.json`, folder))))
  return parsedFiles.get(name)
}

/** The N of `MediaWiki 1.N.x` or `1.N`; undefined for any other text. */
export function minorOf(version: string | undefined): number | undefined {
  const [, minor] = /^(?:MediaWiki )?1\.(\d+)/.exec(version ?? '') ?? []
  return minor === undefined ? undefined : Number(minor)
}

/**
 * The versions just below and above the wiki's own; all versions where it is outside of them, or unknown.
 * @param all such as `1.43`, the oldest first
 * @param generator as in siteinfo, e.g. `MediaWiki 1.43.9`
 */
export function bracketingVersions(
  all: readonly string[],
  generator: string | undefined
): readonly string[] {
  const own = minorOf(generator)
  if (own === undefined) return all
  const below = all.findLast((one) => (minorOf(one) ?? 0) <= own)
  const above = all.find((one) => (minorOf(one) ?? 0) >= own)
  return below === undefined || above === undefined ? all : [...new Set([below, above])]
}
