/** A bot's recording of a real 1.43, and the same wiki answering otherwise: bodies, transport, and the requests that follow. */
import { compareCassettes } from '../../../src/drift/compare.ts'
import type { DriftReport } from '../../../src/drift/findings/drift-report.ts'
import type { CassetteSide } from '../../../src/drift/inputs/cassette-side.ts'
import { loadSide, wholeListingsOf } from '../../../src/drift/inputs/load-side.ts'
import type {
  Interaction,
  RecordedResponse
} from '../../../src/recorder/cassette/interaction.ts'
import { fromPlain, toPlain } from '../../../src/recorder/json/plain-json.ts'
import {
  type CanonicalRequest,
  requestKey
} from '../../../src/recorder/request/request-key.ts'
import type { Json, Mutation } from '../content/mutating-wiki.ts'
import { interaction } from '../sides.ts'

/** What a wiki does otherwise. */
export interface StrangerChange {
  readonly answer?: Mutation
  readonly response?: (response: RecordedResponse, request: string) => RecordedResponse
  /** A client sends back what it was given. */
  readonly request?: (name: string, value: string) => readonly [string, string]
}

const { side: recorded, facts } = loadSide(
  new URL('./bot-1.43', import.meta.url).pathname,
  'before'
)

const session = (name: string, value: string): RecordedResponse['cookies'][number] => ({
  name,
  value,
  attributes: ['path=/', 'HttpOnly'],
  expiresIn: undefined
})

/** A login, which no file of requests can hold. */
const login: readonly Interaction[] = [
  interaction('action=login&lgname=Bob&lgpassword=x&lgtoken=y', {
    body: { login: { result: 'Success', lguserid: 2, lgusername: 'Bob' } },
    cookies: [session('wiki143_session', 'x'), session('wiki143UserID', '2')]
  }),
  interaction('action=edit&title=Волга&text=x&token=y', {
    body: { edit: { result: 'Success', pageid: 2, title: 'Волга', newrevid: 14 } },
    cookies: [session('wiki143_session', 'x')]
  })
]

export const textOfRequest = (request: CanonicalRequest): string =>
  [...request].map(([name, value]) => `${name}=${value}`).join('&')

function sideOf(name: string, interactions: readonly Interaction[]): CassetteSide {
  return {
    ...recorded,
    name,
    interactions,
    listings: wholeListingsOf(interactions, facts)
  }
}

function mutated(one: Interaction, change: StrangerChange): Interaction {
  const text = textOfRequest(one.request)
  const respond = (given: RecordedResponse): RecordedResponse => {
    const { body } = given
    const answer = change.answer
    const now =
      body.kind === 'json' && answer !== undefined
        ? { ...body, tree: fromPlain(answer(toPlain(body.tree) as Json, text)) }
        : body
    const response = { ...given, body: now }
    return change.response === undefined ? response : change.response(response, text)
  }
  const [first, ...more] = one.responses
  const renamed = change.request
  const request =
    renamed === undefined
      ? one.request
      : new Map(
          [...one.request]
            .map(([name, value]) => renamed(name, value))
            .sort(([a], [b]) => (a < b ? -1 : 1))
        )
  const responses = [respond(first), ...more.map(respond)] as const
  return { ...one, request, key: requestKey(request), responses }
}

/** Members in the order that every change leaves them in. */
const before: CassetteSide = sideOf(
  'before',
  [...recorded.interactions, ...login].map((one) =>
    mutated(one, { answer: (body) => body })
  )
)

/** What is told of the change, with what else happened on the wiki meanwhile. */
export function strangerReport(change: StrangerChange, isBack = false): DriftReport {
  const after = sideOf(
    'after',
    before.interactions.map((one) => mutated(one, change))
  )
  return isBack ? compareCassettes(after, before) : compareCassettes(before, after)
}

/** True if the change makes any answer another one: a mutation of nothing proves nothing. */
export const changesAnswers = (change: StrangerChange): boolean =>
  before.interactions.some((one) => {
    const after = mutated(one, change)
    return JSON.stringify(plain(after)) !== JSON.stringify(plain(one))
  })
const plain = ({ request, responses }: Interaction): unknown => [
  [...request],
  responses.map(({ headers, ...rest }) => [[...headers], rest])
]

/** A cause as `severity title [kinds]`, content and noise left out. */
export const causesIn = ({ causes }: DriftReport): readonly (readonly string[])[] =>
  causes.flatMap(({ findings: [worst, ...more] }) =>
    worst.axis === 'data' || worst.severity === 'noise'
      ? []
      : [
          [worst, ...more].map(
            ({ severity, kind, place }) => `${severity} ${kind} ${place}`
          )
        ]
  )
