/** jsonc-parser, required when a text is broken: most are not, and a server starts sooner without. */
import { createRequire } from 'node:module'
import type * as Jsonc from 'jsonc-parser'

const require: NodeJS.Require = createRequire(import.meta.url)

export const jsoncParser = (): typeof Jsonc => require('jsonc-parser') as typeof Jsonc
