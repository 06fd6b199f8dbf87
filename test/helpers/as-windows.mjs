/** This process takes itself for one on Windows, as far as programs look at `process.platform`. */
Object.defineProperty(process, 'platform', { value: 'win32' })
