/** A request in words: what it asks for first, then its parameters. */
import type { JSX } from 'preact'
import { Text } from './text.tsx'

export function Words({
  of,
  whole
}: {
  readonly of: string
  /** The whole request, if this is a part of it. */
  readonly whole?: string
}): JSX.Element {
  const [subject = '', ...params] = of.split(' · ')
  return (
    <span class="words" title={whole === of ? undefined : whole}>
      <b>
        <Text>{subject.replace(/^(?:list|GET) /, '')}</Text>
      </b>
      {params.map((param, at) => (
        <Param key={at} text={param} />
      ))}
    </span>
  )
}

function Param({ text }: { readonly text: string }): JSX.Element {
  const at = text.indexOf('=')
  return (
    <span class="param">
      {' '}
      <i>{at < 0 ? '' : text.slice(0, at + 1)}</i>
      <Text>{text.slice(at + 1)}</Text>
    </span>
  )
}
