/** `wikitape/playwright`: the requests of a test's pages to the wiki are answered by a cassette in the test's process. */
import '../../supported-node.ts'
import path from 'node:path'
import { assertOptions } from '../../recorder/text/option-checks.ts'
import { handleOf, type UsedCassette } from '../testing/cassette-handle.ts'
import { TestCassette } from '../testing/test-cassette.ts'
import {
  apiUrlsOf,
  type TestCassetteOptions,
  testCassetteOptions
} from '../testing/test-cassette-options.ts'
import { cassetteNameOf } from '../testing/test-runner.ts'
import { type BrowserContext, routeToCassettes } from './routed-requests.ts'

export type { InsertOptions } from '../in-process/insert-options.ts'
export type { UsedCassette } from '../testing/cassette-handle.ts'
export type { TestCassetteOptions, Verdict } from '../testing/test-cassette-options.ts'
export type { BrowserContext } from './routed-requests.ts'

/** What Playwright says of a test. Source: https://playwright.dev/docs/api/class-testinfo */
export interface TestInfo {
  readonly file: string
  /** File, suites and test; in some versions with the project before them. */
  readonly titlePath: readonly string[]
  readonly status?: string | undefined
}

export interface CassetteFixtures {
  /** The test's cassette, as `useCassette()` of the other runners returns it. */
  cassette(
    fixtures: object,
    use: (cassette: UsedCassette) => Promise<void>,
    info: TestInfo
  ): Promise<void>
  context<Context extends BrowserContext>(
    fixtures: { readonly context: Context; readonly cassette?: UsedCassette },
    use: (context: Context) => Promise<void>
  ): Promise<void>
}

/**
 * Fixtures for `test.extend(…)`: each test has a cassette, named after it, that answers its browser context. What was
 * recorded is written when the test has passed; a missed request or an unused recording fails it.
 */
export function cassetteFixture(options: TestCassetteOptions = {}): CassetteFixtures {
  assertOptions('cassetteFixture', options, testCassetteOptions)
  // A worker of Playwright runs one test after the other.
  let cassette: TestCassette | undefined
  // Playwright reads the names of other fixtures out of the source: they must be destructured there.
  return {
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here, too.
    async cassette({}, use, info) {
      const owner = { owner: undefined, isDefault: false }
      cassette = new TestCassette(nameOf(info), options, owner)
      await use(handleOf(() => cassette))
      const passed = info.status === 'passed'
      await cassette.finish({ passed, complete: passed })
    },
    async context({ context, cassette: _ }, use) {
      await routeToCassettes(context, [
        ...apiUrlsOf(options).filter((one) => one !== undefined),
        ...(cassette?.cassettes ?? []).map(({ settings }) => settings.api.href)
      ])
      await use(context)
    }
  }
}

function nameOf({ file, titlePath }: TestInfo) {
  const at = titlePath.findIndex((title) => file.endsWith(title))
  const title = titlePath.slice(at + 1).join(' ')
  return cassetteNameOf({ file: path.relative(process.cwd(), file), title })
}
