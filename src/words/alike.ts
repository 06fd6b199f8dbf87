/** What two lists have in common: the package for it is required when a miss is told, and a server starts sooner without. */
import { createRequire } from 'node:module'
import type * as Diff from 'diff'

const require: NodeJS.Require = createRequire(import.meta.url)

export const arrayDiff = (): typeof Diff.diffArrays =>
  (require('diff/lib/diff/array.js') as Pick<typeof Diff, 'diffArrays'>).diffArrays
