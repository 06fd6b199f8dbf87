/** Recorded requests and a log, made of query strings. */
import {
  type Exchange,
  type RunLogRequest,
  readExchange
} from '../../src/review/traffic.ts'
import { factsOfWiki } from '../helpers/described-wikis.ts'
import { interactionOf, jsonBody, response } from '../helpers/recorded.ts'

const { lookup } = factsOfWiki('1.43')

/** @param query canonical parameters. @param answer JSON */
export function exchange(query: string, answer: unknown = {}): Exchange {
  const request = Object.fromEntries(new URLSearchParams(query))
  const interaction = interactionOf(request, [response(jsonBody(JSON.stringify(answer)))])
  const found = readExchange(interaction, lookup, `${interaction.key}.json`)
  if (found === undefined) throw new Error('no request to the API')
  return found
}

/** Lines of a log: one after the other, a second apart, 100 ms each, unless `more` says otherwise. */
export const logOf = (
  exchanges: readonly Exchange[],
  more: (one: Exchange, at: number) => Partial<RunLogRequest> = () => ({})
): readonly RunLogRequest[] =>
  exchanges.map((one, at) => ({
    time: new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString(),
    ms: 100,
    cassette: 'tape',
    outcome: 'recorded',
    module: one.request.get('action') ?? '',
    key: one.key,
    agent: 'Bot/1.0 (https://example.org)',
    ...more(one, at)
  }))
