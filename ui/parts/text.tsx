/** Text of a wiki or a client in its own direction, without effect on the text around it; hidden characters are spelled out. */
import type { JSX } from 'preact'
import { escapeControls } from '../../src/recorder/text/escape-control-characters.ts'
import { number } from './format.ts'

export const Text = ({ children }: { readonly children: string }): JSX.Element => (
  <bdi dir="auto">{escapeControls(children)}</bdi>
)

/** Characters of a long value that are drawn. */
const maxDrawn = 2_000

/** The beginning of a text that may be very long, and its length. */
export const ShortText = ({ children }: { readonly children: string }): JSX.Element =>
  children.length <= maxDrawn ? (
    <Text>{children}</Text>
  ) : (
    <>
      <Text>{`${children.slice(0, maxDrawn)}…`}</Text>{' '}
      <span class="quiet">{number(children.length)} characters</span>
    </>
  )
