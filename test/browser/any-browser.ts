/** The browser that tests of the pages use: Chromium's shell, or with `FIREFOX=/usr/bin/firefox-esr` this Firefox. */
import { type Browser, firefox } from 'playwright-core'
import { launchChromium, launchShell } from './chromium.ts'

const program = process.env['FIREFOX']

const launch = (chromium: () => Promise<Browser>): Promise<Browser> =>
  program === undefined ? chromium() : launchFirefox(program)

let drawing: Promise<Browser> | undefined
let copying: Promise<Browser> | undefined

/** One for all files of this process: it ends with the process. Each page has its own cookies and storage. */
export function anyBrowser(): Promise<Browser> {
  drawing ??= launch(launchShell)
  return drawing
}

/** For pages that copy: in the shell their tests do not end. */
export function copyingBrowser(): Promise<Browser> {
  copying ??= launch(launchChromium)
  return copying
}

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
