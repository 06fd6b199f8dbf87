/** http-proxy 1.18.1 calls the deprecated `util._extend` at load time (DEP0060 on Node ≥ 22); give it the modern one first. */
import util from 'node:util'

Object.assign(util, { _extend: Object.assign })
