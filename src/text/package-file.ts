/** Files of this package, from sources and from bundled modules. */

const folder: string = import.meta.url.endsWith('.ts') ? 'src' : 'dist'

/** @param file relative to `src/` or `dist/`. (This module lies in a folder of one of them, as bundled parts do.) */
export const packageFile = (file: string): URL => new URL(`../../${folder}/${file}`, import.meta.url)
