/** jsonc-parser, required when a text is broken: most are not, and a server starts sooner without. */
import { createRequire } from 'node:module'
import type * as Jsonc from 'jsonc-parser'

const require: NodeJS.Require = createRequire(import.meta.url)

let parser: typeof Jsonc | undefined

/** Kept, since to require it once more takes longer than what it is asked for. */
export const jsoncParser = (): typeof Jsonc => (parser ??= require('jsonc-parser') as typeof Jsonc)
