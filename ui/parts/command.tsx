/** A command or a piece of code, with a button that copies it. */
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { escapeControlsInLines } from '../../src/recorder/text/escape-control-characters.ts'
import { CopyButton } from './copy-button.tsx'

export function Command({ children }: { readonly children: string }): JSX.Element {
  const text = useRef<HTMLElement>(null)
  const select = (): void => {
    if (text.current !== null) getSelection()?.selectAllChildren(text.current)
  }
  return (
    <div class="command">
      <code ref={text} dir="ltr">
        {escapeControlsInLines(children)}
      </code>
      <CopyButton text={children} select={select} />
    </div>
  )
}
