/** Walks through a model's answers, and requests as a cassette has them. */
import { nextRequest } from '../../../src/cli/capture/recorded-answers.ts'
import type { Interaction } from '../../../src/recorder/cassette/interaction.ts'
import type { JsonTree } from '../../../src/recorder/json/json-tree.ts'
import { readTree } from '../../../src/recorder/json/read-json.ts'
import { writeCompact } from '../../../src/recorder/json/write-json.ts'
import { deriveQuery } from './fake-wiki.ts'

export type Params = ReadonlyMap<string, string>
export type Answering = (params: Params) => JsonTree

export const text = (tree: JsonTree): string => writeCompact(tree, 'utf8')
export const queryOf = (params: Params): string =>
  [...params].map((pair) => pair.join('=')).join('&')

export function record(query: string, tree: JsonTree): Interaction {
  const { key, canonical, sentValues } = deriveQuery(query)
  const body = { kind: 'json', tree, spelling: 'utf8' } as const
  const response = { status: 200, headers: new Map<string, string>(), cookies: [], body }
  return { key, request: canonical, sentValues, responses: [response] }
}

/** All requests of a walk with what the wiki says to each. */
export function walk(
  answering: Answering,
  first: Params
): readonly (readonly [Params, JsonTree])[] {
  const steps: (readonly [Params, JsonTree])[] = []
  for (
    let params: Params | undefined = first;
    params !== undefined && steps.length < 300;
  ) {
    const body = answering(params)
    steps.push([params, body])
    params = nextRequest(first, params, readTree(text(body)))
  }
  return steps
}
