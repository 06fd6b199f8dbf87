/** The version in a wiki's `generator`, `MediaWiki 1.39.17` as 1039; undefined where it does not say. */
export function mediaWikiVersion(generator: string | undefined): number | undefined {
  const [, major, minor] = /^MediaWiki (\d{1,3})\.(\d{1,3})/.exec(generator ?? '') ?? []
  return major === undefined ? undefined : Number(major) * 1000 + Number(minor)
}

/** True for MediaWiki 1.`minor` and later, as far as the wiki says what it is. */
export const isVersionSince = (generator: string | undefined, minor: number): boolean =>
  (mediaWikiVersion(generator) ?? 0) >= 1000 + minor
