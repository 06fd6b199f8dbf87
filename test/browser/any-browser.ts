/** The browser that tests of the pages use: Chromium, or with `FIREFOX=/usr/bin/firefox-esr` this Firefox. */
import { type Browser, firefox } from 'playwright-core'
import { launchChromium } from './chromium.ts'

const program = process.env['FIREFOX']

export const launchBrowser = (): Promise<Browser> =>
  program === undefined ? launchChromium() : launchFirefox(program)

interface BidiSession {
  send(method: string, params?: object): Promise<unknown>
}

/** Objects behind those that Playwright exports. */
interface Inside {
  readonly _connection: {
    readonly toImpl: (browser: unknown) => { readonly _browserSession: BidiSession }
  }
}

/** An unchanged Firefox, by WebDriver BiDi. */
async function launchFirefox(executablePath: string): Promise<Browser> {
  const browser = await firefox.launch({ channel: 'moz-firefox', executablePath })
  // Firefox 153 (ESR) does not know this command, which Playwright 1.65 sends for each page.
  const { toImpl } = (browser as unknown as Inside)._connection
  const sessions: BidiSession = Object.getPrototypeOf(toImpl(browser)._browserSession)
  const { send } = sessions
  sessions.send = function sendKnown(method, params) {
    if (method === 'emulation.setMediaFeaturesOverride') return Promise.resolve({})
    return send.call(this, method, params)
  }
  return browser
}
