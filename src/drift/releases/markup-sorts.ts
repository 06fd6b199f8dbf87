/** Changes of markup, told apart by what they are of: one page shows several, each of another release. */

/** Changed tags of one sort; `mark` says which, empty for all that is of none. */
export interface MarkupChange {
  readonly mark: string
  readonly parts: readonly string[]
}

/** `sign` is what a release brought, `parts` are the tags that it concerns on both sides. */
const sorts: readonly (readonly [name: string, sign: RegExp, parts: RegExp])[] = [
  ['wrapper', /mw-parser-output/, /mw-parser-output/],
  ['language', /mw-content-(?:ltr|rtl)/, /mw-parser-output|mw-content-/],
  [
    'media',
    /typeof="mw:File|mw-file-description/,
    /typeof="mw:|mw-file-|mw-default-size|[-+]<?(?:img|figure|figcaption)\b|[".](?:thumb\w*|image|internal|magnify)\b/,
  ],
  ['headings', /mw-heading\d/, /mw-head(?:ing|line)|[-+]<?h[1-6]\b/],
  ['title', /mw-page-title-main/, /mw-page-title/],
  ['sides', /diff-side-(?:deleted|added)/, /[".]diff-|^[-+]<br\b/],
]

/** @param parts tags that differ, each after `-` or `+` */
export function sortMarkup(parts: readonly string[]): readonly MarkupChange[] {
  const found = sorts.flatMap(([name, sign, ofSort]) => {
    const [gone, fresh] = ['-', '+'].map((mark) =>
      parts.some((one) => one.startsWith(mark) && sign.test(one)),
    )
    // What both sides have is not what changed.
    return gone === fresh ? [] : [{ mark: `markup: ${name}${gone ? ' gone' : ''}`, ofSort }]
  })
  const sorted = new Map<string, string[]>(['', ...found.map(({ mark }) => mark)].map((mark) => [mark, []]))
  let marks: readonly string[] = ['']
  for (const part of parts) {
    // A closing tag is of the sort of the tag before it.
    if (!/^[-+]<\//.test(part)) {
      const own = found.filter(({ ofSort }) => ofSort.test(part)).map(({ mark }) => mark)
      marks = own.length === 0 ? [''] : own
    }
    for (const mark of marks) sorted.get(mark)?.push(part)
  }
  return [...sorted].flatMap(([mark, own]) => (own.length === 0 ? [] : [{ mark, parts: own }]))
}
