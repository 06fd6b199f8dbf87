/** What a detail is about, and links to the same elsewhere. */
import type { ComponentChildren, JSX } from 'preact'
import { Words } from '../parts/words.tsx'

export const DetailHead = ({
  words,
  children,
  links
}: {
  readonly words: string
  readonly children: ComponentChildren
  readonly links?: ComponentChildren
}): JSX.Element => (
  <div class="head">
    <h2>
      <Words of={words} />
    </h2>
    <p class="quiet">{children}</p>
    {links !== undefined && <p class="links">{links}</p>}
  </div>
)
