/** What two runs of one session on the same wiki cannot have in common; docs/clients.md lists the same. */

interface Variation {
  readonly what: string
  readonly pattern: RegExp
}

/** In the text of one step, which is JSON. */
const variations: readonly Variation[] = [
  // The content of the lab is older than this: a later time was written by the session itself.
  {
    what: 'time of the session',
    pattern: /20(?:2[6-9]|[3-9]\d)-\d\d-\d\dT\d\d:\d\d:\d\dZ/g
  },
  // Times of this one rendering; wikitape records the first.
  {
    what: 'report of the parser',
    pattern: /<!-- ?(?:\\n)?(?:NewPP limit report|Transclusion expansion|Saved in).*?-->/g
  }
]

export const normalised = (text: string): string =>
  variations.reduce((rest, { what, pattern }) => rest.replace(pattern, `<${what}>`), text)
