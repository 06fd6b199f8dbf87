/** True for MediaWiki 1.`minor` and later, as far as the wiki says what it is. */
export function isSince(generator: string | undefined, minor: number): boolean {
  const [, major = '0', own = '0'] = /^MediaWiki (\d+)\.(\d+)/.exec(generator ?? '') ?? []
  return Number(major) > 1 || (Number(major) === 1 && Number(own) >= minor)
}
