/** Recordings of a bot, of rest.php and of Wikibase, and the same wikis answering otherwise: bodies, transport, and the requests that follow. */
import { compareCassettes } from '../../../src/drift/compare.ts'
import type { DriftReport } from '../../../src/drift/findings/drift-report.ts'
import type { CassetteSide } from '../../../src/drift/inputs/cassette-side.ts'
import { loadSide, wholeListingsOf } from '../../../src/drift/inputs/load-side.ts'
import type { Manifest } from '../../../src/recorder/cassette/format/manifest.ts'
import type {
  Interaction,
  RecordedBody,
  RecordedResponse
} from '../../../src/recorder/cassette/interaction.ts'
import { fromPlain, toPlain } from '../../../src/recorder/json/plain-json.ts'
import { readTree } from '../../../src/recorder/json/read-json.ts'
import { writeCompact } from '../../../src/recorder/json/write-json.ts'
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
  /** Somebody edited the wiki meanwhile. */
  readonly isEdited?: true
}

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

/** A wiki that answers as it was recorded, or otherwise. */
export interface StrangerWiki {
  /** What is told of the change. */
  readonly report: (change: StrangerChange, isBack?: boolean) => DriftReport
  /** True if the change makes any answer another one: a mutation of nothing proves nothing. */
  readonly isChanged: (change: StrangerChange) => boolean
}

/** @param folder of a cassette beside this file */
export function strangerWiki(
  folder: string,
  more: readonly Interaction[] = []
): StrangerWiki {
  const { side: recorded, facts } = loadSide(
    new URL(`./${folder}`, import.meta.url).pathname,
    'before'
  )
  const withEdits = ({ manifest }: CassetteSide, edits: number): Manifest => ({
    ...manifest,
    site: manifest.site && { ...manifest.site, statistics: { edits } }
  })
  const sideOf = (name: string, interactions: readonly Interaction[]): CassetteSide => ({
    ...recorded,
    manifest: withEdits(recorded, 1),
    name,
    interactions,
    listings: wholeListingsOf(interactions, facts)
  })
  // Members in the order that every change leaves them in.
  const before = sideOf(
    'before',
    [...recorded.interactions, ...more].map((one) =>
      mutated(one, { answer: (body) => body })
    )
  )
  return {
    report: (change, isBack = false) => {
      const after = sideOf(
        'after',
        before.interactions.map((one) => mutated(one, change))
      )
      if (change.isEdited)
        return compareCassettes(before, { ...after, manifest: withEdits(after, 2) })
      return isBack ? compareCassettes(after, before) : compareCassettes(before, after)
    },
    isChanged: (change) =>
      before.interactions.some(
        (one) =>
          JSON.stringify(plain(mutated(one, change))) !== JSON.stringify(plain(one))
      )
  }
}

/** Of rest.php JSON is kept as text. */
function mutatedBody(body: RecordedBody, text: string, answer: Mutation): RecordedBody {
  if (body.kind === 'json')
    return { ...body, tree: fromPlain(answer(toPlain(body.tree) as Json, text)) }
  const tree =
    body.kind === 'text' && text.startsWith('plain target=')
      ? readTree(body.text)
      : undefined
  return tree === undefined
    ? body
    : {
        kind: 'text',
        text: writeCompact(fromPlain(answer(toPlain(tree) as Json, text)), 'utf8')
      }
}

function mutated(one: Interaction, change: StrangerChange): Interaction {
  const text = textOfRequest(one.request)
  const respond = (given: RecordedResponse): RecordedResponse => {
    const { body } = given
    const answer = change.answer
    const now = answer === undefined ? body : mutatedBody(body, text, answer)
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

const plain = ({ request, responses }: Interaction): unknown => [
  [...request],
  responses.map(({ headers, ...rest }) => [[...headers], rest])
]

/** What a redirect answers. Source: ResultBuilder of Wikibase. */
export const redirect: readonly Interaction[] = [
  interaction('action=wbgetentities&ids=Q70', {
    body: {
      entities: {
        Q3: {
          pageid: 20,
          ns: 120,
          title: 'Item:Q3',
          lastrevid: 20,
          modified: '2026-11-28T14:46:40Z',
          redirects: { from: 'Q70', to: 'Q3' },
          type: 'item',
          id: 'Q3'
        }
      },
      success: 1
    }
  })
]

/** A bot's requests to a real 1.43. */
export const botWiki: StrangerWiki = strangerWiki('bot-1.43', login)

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
