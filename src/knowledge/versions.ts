/** Which of the versions that were measured tell of a wiki's own. */

/** The N of `MediaWiki 1.N.x`, or of `1.N`; undefined where it does not say. */
export function minorOf(version: string | undefined): number | undefined {
  const [, minor] = /^(?:MediaWiki )?1\.(\d+)/.exec(version ?? '') ?? []
  return minor === undefined ? undefined : Number(minor)
}

/**
 * The proven versions that bracket the wiki's own; all of them where it lies outside, or says nothing.
 * @param versions such as `1.43`, the oldest first
 * @param generator as siteinfo says it, e.g. `MediaWiki 1.43.9`
 */
export function bracketingVersions(
  versions: readonly string[],
  generator: string | undefined,
): readonly string[] {
  const own = minorOf(generator)
  if (own === undefined) return versions
  const below = versions.findLast((one) => (minorOf(one) ?? 0) <= own)
  const above = versions.find((one) => (minorOf(one) ?? 0) >= own)
  return below === undefined || above === undefined ? versions : [...new Set([below, above])]
}
