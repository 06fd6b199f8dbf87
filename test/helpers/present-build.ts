/** Set up before each test file: tests that start or import dist/ must not pass on a build of other sources. */
import { expect } from 'vitest'

const usesBuild =
  /[\\/]test[\\/](?:(?:integrations|journeys|browser|runners)[\\/]|store[\\/]redis[\\/]|package\.test\.ts$)/

interface BuildAge {
  staleReason(): string | undefined
}

/** @param reason why dist/ is not of the present sources. @throws Error for a file of tests that uses dist/ */
export function assertPresentBuild(
  testFile: string,
  reason: () => string | undefined
): void {
  if (!usesBuild.test(testFile)) return
  const why = reason()
  if (why !== undefined)
    throw new Error(`${why}, and these tests run dist/: node scripts/built.mjs builds it`)
}

const buildAge = new URL('../../scripts/build-age.mjs', import.meta.url).href
const { staleReason } = (await import(buildAge)) as BuildAge
/** What the files before this one in the same process found: a thousand files are asked for their time. */
const found = globalThis as { wikitapeStale?: { readonly reason: string | undefined } }
assertPresentBuild(expect.getState().testPath ?? '', () => {
  found.wikitapeStale ??= { reason: staleReason() }
  return found.wikitapeStale.reason
})
