/** The version in a wiki's `generator`: 1039 for `MediaWiki 1.39.17`; undefined where it names none. */
export function mediaWikiVersion(generator: string | undefined): number | undefined {
  const [, major, minor] = /^MediaWiki (\d{1,3})\.(\d{1,3})/.exec(generator ?? '') ?? []
  return major === undefined ? undefined : Number(major) * 1000 + Number(minor)
}

/** True for MediaWiki 1.`minor` and later; false where the version is unknown. */
export const isVersionSince = (generator: string | undefined, minor: number): boolean =>
  (mediaWikiVersion(generator) ?? 0) >= 1000 + minor
