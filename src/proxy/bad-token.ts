/** A token of the wrong kind, refused as the wiki would. Source: https://www.mediawiki.org/wiki/API:Tokens; measured on 1.35 and 1.43. */
import { jsonOf } from '../cassette/body.ts'
import type { RecordedResponse } from '../cassette/interaction.ts'
import { type JsonTree, jsonObject, jsonString, memberOf } from '../json/tree.ts'
import type { Match } from '../playback/match.ts'
import type { WikiRequest } from '../request/api-request.ts'
import type { Derivation } from '../request/derive.ts'
import { withTokenKind } from '../request/places.ts'
import { tokenKinds } from '../request/secrets.ts'
import type { Store } from '../store/store.ts'
import { hasSucceeded } from '../wiki/effects.ts'

/** Recordings that are searched for the wiki's way to refer to its documentation. */
const searched = 500

export class TokenGuard {
  readonly #store: Store
  /** Which kind of token was handed out as this one. */
  readonly #kindOf: (token: string) => string | undefined
  #docref: JsonTree | 'none' | undefined

  constructor(store: Store, kindOf: (token: string) => string | undefined) {
    this.#store = store
    this.#kindOf = kindOf
  }

  /** True where a token was sent that was handed out for something else. */
  isForOther(request: WikiRequest, { tokenTypes }: Derivation): boolean {
    if (request.kind === 'plain') return false
    return [...tokenTypes].some(([name, type]) => {
      const kind = this.#kindOf(request.params.get(name) ?? '')
      return kind !== undefined && kind !== type
    })
  }

  /** The same request with another kind of token, in the hope that it was recorded. */
  *withOthers(derivation: Derivation): IterableIterator<Derivation> {
    for (const name of derivation.tokenTypes.keys())
      for (const kind of tokenKinds)
        if (derivation.canonical.get(name) !== kind) yield withTokenKind(derivation, name, kind)
  }

  /** What the wiki says to such a request; undefined where that is not known. */
  answer(request: WikiRequest): RecordedResponse | undefined {
    if (request.kind === 'plain' || request.envelope.kind === 'opaque') return undefined
    const minor = Number(/^MediaWiki 1\.(\d+)/.exec(this.#store.manifest.site?.generator ?? '')?.[1] ?? 0)
    const { params } = request
    if (minor < 27 || (params.get('errorformat') ?? 'bc') !== 'bc') return undefined
    if (params.get('action') === 'login')
      return respond([['login', jsonObject([['result', jsonString('WrongToken')]])]])
    const docref = this.#findDocref()
    const info = minor < 29 ? 'Invalid token' : 'Invalid CSRF token.'
    const error: (readonly [string, JsonTree])[] = [
      ['code', jsonString('badtoken')],
      ['info', jsonString(info)],
    ]
    if (docref !== undefined) error.push([params.get('formatversion') === '2' ? 'docref' : '*', docref])
    return respond([['error', jsonObject(error)]], 'badtoken')
  }

  /** Each error of a wiki ends in the same words. */
  #findDocref(): JsonTree | undefined {
    this.#docref ??= this.#searchDocref() ?? 'none'
    return this.#docref === 'none' ? undefined : this.#docref
  }

  #searchDocref(): JsonTree | undefined {
    let count = 0
    for (const [key] of this.#store.paths()) {
      const found = this.#store.find(key)
      for (const { body } of found.kind === 'found' ? found.interaction.responses : []) {
        const error = memberOf(jsonOf(body), 'error')
        const docref = memberOf(error, '*') ?? memberOf(error, 'docref')
        if (docref !== undefined) return docref
      }
      count += 1
      if (count >= searched) return undefined
    }
    return undefined
  }
}

export const isBadToken = ({ headers }: RecordedResponse): boolean =>
  headers.get('mediawiki-api-error') === 'badtoken'

/** True where the token was the right one when this was recorded. */
export const hasWorked = (match: Match): boolean =>
  match.kind === 'recorded' &&
  match.interaction.responses.some(({ headers, body }) => {
    const tree = jsonOf(body)
    const action = match.interaction.request.get('action') ?? ''
    return !headers.has('mediawiki-api-error') && tree !== undefined && hasSucceeded(action, tree)
  })

function respond(members: readonly (readonly [string, JsonTree])[], error?: string): RecordedResponse {
  return {
    status: 200,
    headers: new Map(error === undefined ? [] : [['mediawiki-api-error', error]]),
    cookies: [],
    body: { kind: 'json', tree: jsonObject(members), spelling: 'utf8' },
  }
}
