/** What two lists have in common: the package for it is required when a miss is told, and a server starts sooner without. */
import { createRequire } from 'node:module'
import type { diffArrays } from 'diff'

const require: NodeJS.Require = createRequire(import.meta.url)

let diff: { readonly diffArrays: typeof diffArrays } | undefined

export function arrayDiff(): typeof diffArrays {
  diff ??= require('diff/lib/diff/array.js') as NonNullable<typeof diff>
  return diff.diffArrays
}
