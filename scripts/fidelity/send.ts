/** What the comparisons with a wiki ask, and how they look at what comes back. */
import type { JsonTree } from '../../src/recorder/json/json-tree.ts'

/** Sends a query string, in the URL or as a form. */
export function send(url: string, query: string, posted: boolean): Promise<Response> {
  const once = (): Promise<Response> =>
    posted
      ? fetch(url, {
          method: 'POST',
          body: query,
          headers: { 'content-type': 'application/x-www-form-urlencoded' }
        })
      : fetch(`${url}?${query}`)
  // PHP's server may close a kept connection just as it is used again.
  return once().catch(once)
}

/** The same with the members of each object sorted by name: their order may follow the recording. */
export function sorted(tree: JsonTree): JsonTree {
  if (tree.kind === 'array') return { kind: 'array', items: tree.items.map(sorted) }
  if (tree.kind !== 'object') return tree
  const members = tree.members.map(({ key, value }) => ({ key, value: sorted(value) }))
  return { kind: 'object', members: members.sort((a, b) => (a.key < b.key ? -1 : 1)) }
}
