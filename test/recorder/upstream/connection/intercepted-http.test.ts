import { describe, expect, it } from 'vitest'
import { checkNockVersion } from '../../../../src/recorder/upstream/connection/agent.ts'

const nock14 = { recorder: {} }
const nock15 = { ...nock14, getGetRequestBody: () => '' }
const oldPromise = {}
const newPromise = { withResolvers: () => undefined }

describe('nock beside Node', () => {
  it('runs in versions that belong together', () => {
    expect(() => checkNockVersion(nock14, oldPromise)).not.toThrow()
    expect(() => checkNockVersion(nock14, newPromise)).not.toThrow()
    expect(() => checkNockVersion(nock15, newPromise)).not.toThrow()
  })

  it('is refused in words where it is too new', () => {
    expect(() => checkNockVersion(nock15, oldPromise, 'v20.20.2')).toThrow(
      'wikitape: the installed nock needs Node.js 22 or newer, and this is v20.20.2: npm install --save-dev nock@14'
    )
  })
})
