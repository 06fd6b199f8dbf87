/** A search field. Calls `onSearch` when the typing pauses. */
import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Milliseconds after the last key. */
const pauseMs = 80

export function SearchField({
  label,
  value,
  onSearch
}: {
  readonly label: string
  readonly value: string
  readonly onSearch: (text: string) => void
}): JSX.Element {
  const [text, setText] = useState(value)
  // The last search. When it comes back as `value`, it must not undo what was typed meanwhile.
  const lastSearch = useRef(value)
  useLayoutEffect(() => {
    if (value === lastSearch.current) return
    lastSearch.current = value
    setText(value)
  }, [value])
  const search = (): void => {
    if (text === lastSearch.current) return
    lastSearch.current = text
    onSearch(text)
  }
  useEffect(() => {
    if (text === lastSearch.current) return
    const timer = setTimeout(search, pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <input
      class="search"
      type="search"
      dir="auto"
      aria-label={label}
      placeholder={label}
      value={text}
      maxLength={300}
      // A chip that is clicked now adds to what was typed.
      onBlur={search}
      onInput={(event) => setText(event.currentTarget.value)}
    />
  )
}
