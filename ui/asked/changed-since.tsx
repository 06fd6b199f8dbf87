/** Says that an answer is not the one that was sent. */
import type { JSX } from 'preact'

export const ChangedSince = (): JSX.Element => (
  <p class="changed" role="status">
    Changed since this request: the answer that was sent is not recorded. Now it would be:
  </p>
)
