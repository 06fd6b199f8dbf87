/** The query string of a recorded request. */
import type { ParamView } from '../../src/pages/views.ts'

/** Tokens are not kept, only their kinds; this server answers one as any other of its kind. */
const tokens: Readonly<Record<string, string>> = {
  '(token)': `${'0'.repeat(40)}+\\`,
  '(anonymous token)': '+\\',
  '(empty)': ''
}

/** The value, or what can be sent in its place. */
export const sendable = (name: string, value: string): string =>
  /token$/i.test(name) ? (tokens[value] ?? value) : value

/** Parameters as sent; parts of a key that are none have a space in their names. */
export const sentParams = (
  params: readonly ParamView[]
): readonly (readonly [string, string])[] => {
  const sent = params.flatMap(({ name, value, sent = value }) =>
    name.includes(' ') ? [] : [[name, sendable(name, sent)] as const]
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
