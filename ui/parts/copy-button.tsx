/** A button that copies a text. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'

export function CopyButton({
  text,
  label = 'Copy',
  select
}: {
  readonly text: string
  readonly label?: string
  /** Selects the text, if the clipboard is not allowed. */
  readonly select?: () => void
}): JSX.Element {
  const [status, setStatus] = useState('')
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setStatus('Copied')
    } catch {
      select?.()
      setStatus('Press Ctrl+C')
    }
    setTimeout(() => setStatus(''), 2000)
  }
  return (
    <>
      <button type="button" onClick={() => void copy()}>
        {label}
      </button>
      <span role="status" class="quiet">
        {status}
      </span>
    </>
  )
}
