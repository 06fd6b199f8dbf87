/** What to do about a miss, with the command that records it. */
import type { JSX } from 'preact'
import type { MissView } from '../../src/pages/views.ts'
import { Command } from '../parts/command.tsx'

export const Remedy = ({
  miss: { advice, command }
}: {
  readonly miss: MissView
}): JSX.Element => (
  <>
    <h3>{advice}</h3>
    {command !== '' && <Command>{command}</Command>}
  </>
)
