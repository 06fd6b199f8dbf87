/**
 * http-proxy 1.18.1 reads the deprecated `util._extend` when it is loaded (DEP0060 on Node ≥ 22): replaced before, by
 * `require`, since a bundle loads what is imported first.
 */
import { createRequire } from 'node:module'
import util from 'node:util'
import type HttpProxy from 'http-proxy'

Object.assign(util, { _extend: Object.assign })

export const httpProxy: typeof HttpProxy = createRequire(import.meta.url)('http-proxy')
