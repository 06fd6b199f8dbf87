/** The ways in which an answer can be read, and the search inside. */
import type { JSX } from 'preact'
import { CopyButton } from '../parts/copy-button.tsx'
import { SearchField } from '../parts/search-field.tsx'

/** A way in which an answer can be read. */
export interface AnswerMode {
  readonly name: string
  readonly body: () => JSX.Element
}

export const AnswerTools = ({
  text,
  modes,
  mode,
  onMode,
  words,
  onSearch,
  status,
  onNext
}: {
  readonly text: string
  readonly modes: readonly AnswerMode[]
  readonly mode: AnswerMode | undefined
  readonly onMode: (name: string) => void
  readonly words: string
  readonly onSearch: (words: string) => void
  readonly status: string
  readonly onNext: (() => void) | undefined
}): JSX.Element => (
  <div class="tools">
    <fieldset class="modes">
      <legend class="hidden">Show as</legend>
      {modes.map(({ name }) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === mode?.name}
          onClick={() => onMode(name)}
        >
          {name}
        </button>
      ))}
    </fieldset>
    <search>
      <SearchField label="Search this answer" value={words} onSearch={onSearch} />
      <span role="status" class="quiet">
        {status}
      </span>
      {onNext !== undefined && (
        <button type="button" onClick={onNext}>
          Next
        </button>
      )}
    </search>
    <CopyButton text={text} label="Copy the answer" />
  </div>
)
