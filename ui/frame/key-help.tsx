/** The keyboard shortcuts, opened by `?`. */
import type { JSX } from 'preact'
import { setState, useStore } from '../store/store.ts'
import { shortcuts } from './keys.ts'

export function KeyHelp(): JSX.Element {
  const open = useStore(({ helpOpen }) => helpOpen)
  return (
    <div class="help">
      <button
        type="button"
        class="plain"
        aria-expanded={open}
        aria-label="Keyboard shortcuts"
        onClick={() => setState(() => ({ helpOpen: !open }))}
      >
        <kbd>?</kbd>
      </button>
      {open && (
        <dl class="popup">
          {shortcuts.map(([keys, what]) => (
            <div key={keys}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}
