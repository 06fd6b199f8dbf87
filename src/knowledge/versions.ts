/** The measured versions that are evidence for a wiki's own version. */

/** The N of `MediaWiki 1.N.x` or `1.N`; undefined for any other text. */
export function minorOf(version: string | undefined): number | undefined {
  const [, minor] = /^(?:MediaWiki )?1\.(\d+)/.exec(version ?? '') ?? []
  return minor === undefined ? undefined : Number(minor)
}

/**
 * The versions just below and above the wiki's own; all versions where it is outside of them, or unknown.
 * @param all such as `1.43`, the oldest first
 * @param generator as in siteinfo, e.g. `MediaWiki 1.43.9`
 */
export function bracketingVersions(all: readonly string[], generator: string | undefined): readonly string[] {
  const own = minorOf(generator)
  if (own === undefined) return all
  const below = all.findLast((one) => (minorOf(one) ?? 0) <= own)
  const above = all.find((one) => (minorOf(one) ?? 0) >= own)
  return below === undefined || above === undefined ? all : [...new Set([below, above])]
}
