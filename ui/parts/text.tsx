/** Text of a wiki or a client in its own direction, without effect on the text around it; hidden characters are spelled out. */
import type { JSX } from 'preact'
import { escapeControls } from '../../src/recorder/text/escape-control-characters.ts'

export const Text = ({ children }: { readonly children: string }): JSX.Element => (
  <bdi dir="auto">{escapeControls(children)}</bdi>
)
