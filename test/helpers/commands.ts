/** Commands that ask wikitape: curl of a shell where it is there, which starts in a tenth of the time that Node takes. */
import { fileURLToPath } from 'node:url'
import which from 'which'

/** Not on every machine on which the tests have to pass. */
export const hasCurl: boolean = which.sync('curl', { nothrow: true }) !== null

const get = hasCurl
  ? "curl --silent --show-error --write-out '\\n'"
  : `'${process.execPath}' '${fileURLToPath(new URL('get.mjs', import.meta.url))}'`

/** A line of a shell as a command. */
export const shell = (line: string): readonly string[] => ['sh', '-c', line]

/** Asks api.php and prints the answer, a line. @param query with its `?`; @param flags `--header 'NAME: VALUE'` */
export const asking = (query: string, flags = '', api = '$WIKITAPE_API_URL'): string =>
  `${get} ${flags} "${api}${query}"`

/** The address where the cassette of this name answers. */
export const apiOf = (cassette: string): string =>
  `\${WIKITAPE_API_URL%/w/*}/~${cassette}/w/api.php`

/** Asks for a page beside api.php. */
export const visiting = (name: string): string =>
  `${get} "\${WIKITAPE_API_URL%/*}/${name}" >/dev/null`
