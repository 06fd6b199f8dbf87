#!/usr/bin/env node
/** What `wikitape` runs: it loads the built command line, from Node's own compile cache where there is one. */
import * as module from 'node:module'

const require: NodeJS.Require = module.createRequire(import.meta.url)
const main = './part-main.cjs'

/** Node.js that can require ES modules, as some of the packages are: the built command line is CommonJS. */
if (process.features.require_module !== true) void import('./main.ts')
// Node 22 keeps by itself what it compiles.
else if ('enableCompileCache' in module && typeof module.enableCompileCache === 'function') {
  module.enableCompileCache()
  require(main)
} else require(main)
