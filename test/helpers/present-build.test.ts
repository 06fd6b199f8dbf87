/** Tests that run dist/ fail on a build of other sources, and say what to run. */
import { expect, it } from 'vitest'
import { assertPresentBuild } from './present-build.ts'

const stale = (): string => 'dist/ is older than src/index.ts'

it.each([
  '/x/test/integrations/nock/one-wiki.test.ts',
  'C:\\x\\test\\journeys\\edge.test.ts',
  '/x/test/browser/ui.test.ts',
  '/x/test/package.test.ts'
])('a stale build fails %s, and the message names the command', (file) => {
  expect(() => assertPresentBuild(file, stale)).toThrow(
    'dist/ is older than src/index.ts, and these tests run dist/: node scripts/built.mjs builds it'
  )
  expect(() => assertPresentBuild(file, () => undefined)).not.toThrow()
})

it('tests of sources do not ask how old the build is', () => {
  const unexpected = (): string => {
    throw new Error('asked')
  }
  expect(() =>
    assertPresentBuild('/x/test/drift/compare.test.ts', unexpected)
  ).not.toThrow()
})
