/** http-proxy 1.18.1 calls the deprecated `util._extend` at load time (DEP0060 on Node ≥ 22); replace that first. */
import util from 'node:util'

Object.assign(util, { _extend: Object.assign })
