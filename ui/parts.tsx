/** Components shared by several views. */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { FetchState } from './server-api.ts'

/** Text of a wiki or a client in its own direction, without effect on the text around it. */
export const Text = ({ children }: { readonly children: string }): JSX.Element => (
  <bdi dir="auto">{children}</bdi>
)

/** An answer of the server, or why there is none yet. */
export function Fetched<T>({
  state,
  children,
}: {
  readonly state: FetchState<T>
  readonly children: (value: T) => ComponentChildren
}): JSX.Element {
  if (state.fault !== undefined)
    return (
      <p class="fault" role="alert">
        <Text>{state.fault}</Text>
      </p>
    )
  if (state.value === undefined)
    return (
      <p class="quiet" role="status">
        Loading…
      </p>
    )
  return <>{children(state.value)}</>
}

/** A command with a button that copies it. */
export function Command({ children }: { readonly children: string }): JSX.Element {
  const [status, setStatus] = useState('')
  const text = useRef<HTMLElement>(null)
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(children)
      setStatus('Copied')
    } catch {
      // Without permission for the clipboard, the user presses Ctrl+C.
      if (text.current !== null) getSelection()?.selectAllChildren(text.current)
      setStatus('Selected: press Ctrl+C')
    }
  }
  return (
    <div class="command">
      <code ref={text} dir="ltr">
        {children}
      </code>
      <button type="button" onClick={() => void copy()}>
        Copy
      </button>
      <span role="status">{status}</span>
    </div>
  )
}

/** Links to the previous and the next page. */
export function Pager({
  from,
  count,
  total,
  link,
}: {
  readonly from: number
  readonly count: number
  readonly total: number
  readonly link: (from: number) => string
}): JSX.Element | null {
  if (total <= count && from === 0) return null
  const step = 100
  return (
    <nav class="pager" aria-label="pages">
      {from > 0 && <a href={link(Math.max(0, from - step))}>← Previous</a>}
      <span>
        {number(from + 1)}–{number(from + count)} of {number(total)}
      </span>
      {from + count < total && <a href={link(from + step)}>Next →</a>}
    </nav>
  )
}

export const number = (value: number): string => value.toLocaleString('en-US')

export const plural = (count: number, noun: string): string =>
  `${number(count)} ${noun}${count === 1 ? '' : 's'}`

/** An outcome or a state as a coloured word. */
export const Badge = ({ of }: { readonly of: string }): JSX.Element => <span class={`badge ${of}`}>{of}</span>

/** A search field. Calls `onSearch` when the typing pauses. */
export function Search({
  label,
  value,
  onSearch,
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
  useEffect(() => {
    if (text === lastSearch.current) return
    const timer = setTimeout(() => {
      lastSearch.current = text
      onSearch(text)
    }, 200)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <label class="search">
      <span>{label}</span>
      <input
        type="search"
        dir="auto"
        value={text}
        maxLength={300}
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </label>
  )
}
