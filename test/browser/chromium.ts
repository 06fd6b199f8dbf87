/** Headless Chromium of the system, which asks nobody but the pages' own server. */
import { type Browser, chromium } from 'playwright-core'

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
