/** A list with the details of its chosen row beside it; below it if there is no room. */
import type { ComponentChildren, JSX } from 'preact'

export const Split = ({
  list,
  detail,
  hint = 'Choose a row to see its details.'
}: {
  readonly list: ComponentChildren
  readonly detail: ComponentChildren
  /** What stands in its place while none is chosen: a sentence, or a picture of all. */
  readonly hint?: ComponentChildren
}): JSX.Element => (
  <div class={detail === undefined ? 'split' : 'split open'}>
    <div class="pane list">{list}</div>
    <section class="pane detail" aria-label="details">
      {detail ?? (typeof hint === 'object' ? hint : <p class="hint">{hint}</p>)}
    </section>
  </div>
)
