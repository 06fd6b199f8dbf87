/** Files that belong to wikitape's own modules, found wherever a bundler has put the module that asks. */

/** Where the modules lie: as sources, or as they are packed. */
const folder: string = import.meta.url.endsWith('.ts') ? 'src' : 'dist'

/** @param file relative to `src/` or `dist/`. (This module lies in a folder of one of them, as bundled parts do.) */
export const packageFile = (file: string): URL => new URL(`../../${folder}/${file}`, import.meta.url)
