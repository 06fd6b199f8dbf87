/** The query string of a recorded request. */
import type { ParamView } from '../../src/pages/views.ts'

/** Parameters as sent; parts of a key that are none have a space in their names. */
export const sentParams = (
  params: readonly ParamView[]
): readonly (readonly [string, string])[] => {
  const sent = params.flatMap(({ name, value, sent = value }) =>
    name.includes(' ') ? [] : [[name, sent] as const]
  )
  return sent.some(([name]) => name === 'format')
    ? sent
    : [...sent, ['format', 'json'] as const]
}

export function queryOfParams(params: readonly ParamView[]): string {
  const target = params.find(({ name }) => name === 'plain target')?.value
  return (
    target ??
    new URLSearchParams(
      sentParams(params).map(([name, value]) => [name, value])
    ).toString()
  )
}
