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

/** The address of a request to another page than `api.php`; undefined for one to the API. */
export const plainTarget = (params: readonly ParamView[]): string | undefined =>
  params.find(({ name }) => name === 'plain target')?.value

export function queryOfParams(params: readonly ParamView[]): string {
  const pairs = sentParams(params).map(([name, value]): [string, string] => [name, value])
  return plainTarget(params) ?? new URLSearchParams(pairs).toString()
}
