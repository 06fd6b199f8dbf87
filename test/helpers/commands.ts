/** Commands that ask wikitape: curl of a shell, which starts in a tenth of the time that Node takes. */

/** A line of a shell as a command. */
export const shell = (line: string): readonly string[] => ['sh', '-c', line]

/** Asks api.php and prints the answer, a line. @param query with its `?`; @param flags further ones of curl */
export const asking = (query: string, flags = '', api = '$WIKITAPE_API_URL'): string =>
  `curl --silent --show-error --write-out '\\n' ${flags} "${api}${query}"`

/** The address where the cassette of this name answers. */
export const apiOf = (cassette: string): string => `\${WIKITAPE_API_URL%/w/*}/~${cassette}/w/api.php`

/** Asks for a page beside api.php. */
export const visiting = (name: string): string =>
  `curl --silent --show-error --output /dev/null "\${WIKITAPE_API_URL%/*}/${name}"`
