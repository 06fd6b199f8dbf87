/** `wikitape/playwright`: the requests of a test's pages to the wiki are answered by a cassette in the test's process. */
import path from 'node:path'
import { assertOptions } from '../../recorder/text/option-checks.ts'
import { TestCassette } from '../testing/test-cassette.ts'
import {
  apiUrlsOf,
  type TestCassetteOptions,
  testCassetteOptions
} from '../testing/test-cassette-options.ts'
import { cassetteNameOf } from '../testing/test-runner.ts'
import { type BrowserContext, routeToCassettes } from './routed-requests.ts'

export type { InsertOptions } from '../in-process/insert-options.ts'
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
  context<Context extends BrowserContext>(
    fixtures: { readonly context: Context },
    use: (context: Context) => Promise<void>,
    info: TestInfo
  ): Promise<void>
}

/**
 * Fixtures for `test.extend(…)`: each test has a cassette, named after it, that answers its browser context. What was
 * recorded is written when the test has passed; a missed request or an unused recording fails it.
 */
export function cassetteFixture(options: TestCassetteOptions = {}): CassetteFixtures {
  assertOptions('cassetteFixture', options, testCassetteOptions)
  return {
    // Playwright reads the names of other fixtures out of the source: they must be destructured here.
    async context({ context }, use, info) {
      const cassette = new TestCassette(nameOf(info), options, {
        owner: undefined,
        isDefault: false
      })
      await routeToCassettes(context, [
        ...apiUrlsOf(options).filter((one) => one !== undefined),
        ...cassette.cassettes.map(({ settings }) => settings.api.href)
      ])
      await use(context)
      const passed = info.status === 'passed'
      await cassette.finish({ passed, complete: passed })
    }
  }
}

function nameOf({ file, titlePath }: TestInfo) {
  const at = titlePath.findIndex((title) => file.endsWith(title))
  const title = titlePath.slice(at + 1).join(' ')
  return cassetteNameOf({ file: path.relative(process.cwd(), file), title })
}
