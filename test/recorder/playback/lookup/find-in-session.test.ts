/** What one session is answered: after its own writes, with its own answers, and with those that hold for all. */
import { describe, expect, it } from 'vitest'
import type {
  Interaction,
  RecordedResponse
} from '../../../../src/recorder/cassette/interaction.ts'
import { writeCompact } from '../../../../src/recorder/json/write-json.ts'
import {
  findInSession,
  type InteractionLookup,
  type SessionMatch
} from '../../../../src/recorder/playback/lookup/find-in-session.ts'
import {
  Session,
  writeDependencyOf
} from '../../../../src/recorder/playback/session/session.ts'
import type { SessionWrite } from '../../../../src/recorder/playback/session/write-log.ts'
import { type Derivation, derive } from '../../../../src/recorder/request/derive.ts'
import { parseRequestKey } from '../../../../src/recorder/request/request-key.ts'
import {
  keyForEpoch,
  keyForExactOrder,
  keyForSession
} from '../../../../src/recorder/request/scoped-keys.ts'
import { apiRequest } from '../../../helpers/api-requests.ts'
import { factsOfWiki } from '../../../helpers/described-wikis.ts'
import { jsonBody, response } from '../../../helpers/recorded.ts'

const facts = factsOfWiki('1.43')
const derived = (query: string, user?: string): Derivation =>
  derive(
    apiRequest('', {
      body: query,
      identity: user === undefined ? 'anonymous' : `user:${user}`
    }),
    facts
  )

/** A recording under that key, with one answer for each text. */
const recorded = (
  { key, canonical, sentValues: asked }: Derivation,
  first: string,
  ...more: readonly string[]
): Interaction => ({
  key,
  request: canonical,
  sentValues: asked,
  responses: [response(jsonBody(first)), ...more.map((one) => response(jsonBody(one)))]
})

const answered = (one: Interaction, rest: Partial<RecordedResponse>): Interaction => ({
  ...one,
  responses: [{ ...one.responses[0], ...rest }]
})

function write(number: number, title: string): SessionWrite {
  const key = parseRequestKey(String(number).padStart(12, '0')) ?? expect.fail()
  const reach = { ...({ kind: 'pages' } as const), titles: new Set([title]) }
  return { key, writeSet: { ...reach, ids: new Set<string>() } }
}

function find(
  query: string,
  recordings: readonly Interaction[],
  {
    user,
    session = new Session(undefined)
  }: { readonly user?: string; readonly session?: Session } = {}
): SessionMatch {
  const derivation = derived(query, user)
  const library: InteractionLookup = {
    find: (key) => recordings.find((one) => one.key === key),
    has: (key) => recordings.some((one) => one.key === key),
    site: facts.site,
    isOlder: false,
    turnOf: () => undefined
  }
  const standing = writeDependencyOf(derivation, session, facts.site)
  return findInSession(apiRequest(query), derivation, session, standing, library)
}

/** What was answered, and whether it stood elsewhere; or why there is nothing. */
function told({ match, fromEarlierEpoch: earlier }: SessionMatch): string {
  if (match.kind !== 'recorded') return match.kind
  const { body } = match.response
  const text = body.kind === 'json' ? writeCompact(body.tree, 'utf8') : body.kind
  return earlier ? `${text} of another place` : text
}

function sessionThat(
  name: string | undefined,
  ...writes: readonly SessionWrite[]
): Session {
  const session = new Session(name)
  for (const one of writes) session.addWrite(one)
  return session
}

const query = 'action=query&prop=revisions&titles=A'
const one = '{"query":{"n":1}}'
const two = '{"query":{"n":2}}'

describe('a session that has written', () => {
  const a = write(1, 'A')
  const b = write(2, 'B')
  const recordedAfter = (text: string, ...writes: readonly SessionWrite[]): Interaction =>
    recorded(keyForEpoch(derived(query), writes.map(({ key }) => key).join(' ')), text)

  it('is answered what was recorded after the writes that concern the request', () => {
    const all = [recorded(derived(query), one), recordedAfter(two, a)]
    expect(told(find(query, all, { session: sessionThat(undefined) }))).toBe(one)
    expect(told(find(query, all, { session: sessionThat(undefined, b) }))).toBe(one)
    expect(told(find(query, all, { session: sessionThat(undefined, a, b) }))).toBe(two)
    expect(
      told(find(query, [recordedAfter(two, b)], { session: sessionThat(undefined, a) }))
    ).toBe('missing')
  })

  it('is not answered what was the same before and after another write, or after more', () => {
    const all = [
      recorded(derived(query), one),
      recordedAfter(one, a),
      recordedAfter(one, a, b)
    ]
    const made = { ...b, writeSet: { kind: 'everything', reason: 'it is new' } as const }
    expect(told(find(query, all, { session: sessionThat(undefined, made) }))).toBe(
      'missing'
    )
  })

  it('is not answered what was recorded after the same writes in another order', () => {
    const again = write(3, 'A')
    const all = [recordedAfter(two, a, again)]
    expect(told(find(query, all, { session: sessionThat(undefined, a, again) }))).toBe(
      two
    )
    expect(told(find(query, all, { session: sessionThat(undefined, again, a) }))).toBe(
      'missing'
    )
  })

  it('is not answered so where it writes again', () => {
    const edit = 'action=edit&title=A&text=B'
    const made = write(3, 'A')
    const at = (state: string): Interaction =>
      recorded(keyForEpoch(derived(edit), state), one)
    const all = [at(''), at(made.key), at(a.key)]
    const session = sessionThat(undefined, made, a)
    expect(
      writeDependencyOf(derived(edit), session, facts.site).relevantWrites
    ).toHaveLength(2)
    expect(told(find(edit, all, { session }))).toBe('missing')
  })
})

describe('a session of its own', () => {
  const place = derived(query)
  const everybody = recorded(place, one)

  it('is answered what it was answered when it was recorded, and else what all are', () => {
    const own = recorded(keyForSession(place, 'mine'), two)
    expect(told(find(query, [everybody, own], { session: new Session('mine') }))).toBe(
      two
    )
    expect(told(find(query, [everybody, own], { session: new Session('yours') }))).toBe(
      one
    )
    expect(told(find(query, [everybody, own]))).toBe(one)
  })

  it('is answered so too where its titles were kept in their order', () => {
    const own = recorded(keyForExactOrder(keyForSession(place, 'mine')), two)
    expect(told(find(query, [everybody, own], { session: new Session('mine') }))).toBe(
      two
    )
  })

  it('is answered in turn', () => {
    const session = new Session(undefined)
    const twice = [recorded(place, one, two)]
    const first = find(query, twice, { session })
    expect(told(first)).toBe(one)
    const { match } = first
    if (match.kind === 'recorded')
      session.advance(match.exactKey, { key: match.key, position: 0, reordered: false })
    expect(told(find(query, twice, { session }))).toBe(two)
  })

  it('without a name cannot be told from others that were answered otherwise', () => {
    const another = recorded(keyForSession(place, undefined), two)
    const { match, fromEarlierEpoch: earlier } = find(query, [everybody, another])
    expect(match).toEqual({ kind: 'contradicted', between: [place.key, another.key] })
    expect(earlier).toBe(false)
  })
})

describe('what nobody in particular was answered', () => {
  const anybody = recorded(derived(query), one)

  it('holds for a caller with a name', () => {
    expect(told(find(query, [anybody], { user: 'Bob' }))).toBe(`${one} of another place`)
    const own = recorded(derived(query, 'Bob'), two)
    expect(told(find(query, [anybody, own], { user: 'Bob' }))).toBe(two)
  })

  it('is what was answered before the writes that concern it, where there were none since', () => {
    const session = sessionThat(undefined, write(1, 'A'))
    expect(told(find(query, [anybody], { user: 'Bob', session }))).toBe('missing')
  })

  it.each([
    ['is about the caller', 'action=query&meta=userinfo', '{"query":{"userinfo":{}}}'],
    ['warns', query, '{"warnings":{},"query":{}}'],
    ['goes on', query, '{"continue":{"continue":"||"},"query":{}}'],
    ['is a write', 'action=edit&title=A', '{"query":{}}']
  ])('does not where it %s', (_, asked, text) => {
    expect(told(find(asked, [recorded(derived(asked), text)], { user: 'Bob' }))).toBe(
      'missing'
    )
    expect(told(find(asked, [recorded(derived(asked), text)]))).toBe(text)
  })

  it('does not where it set a cookie, or is no JSON', () => {
    const cookie = { name: 'a', value: '', attributes: [], expiresIn: undefined }
    expect(
      told(find(query, [answered(anybody, { cookies: [cookie] })], { user: 'Bob' }))
    ).toBe('missing')
    const text = answered(anybody, { body: { kind: 'text', text: 'no' } })
    expect(told(find(query, [text], { user: 'Bob' }))).toBe('missing')
  })

  it('may be complete, and say so', () => {
    const whole = '{"batchcomplete":"","query":{}}'
    expect(told(find(query, [recorded(derived(query), whole)], { user: 'Bob' }))).toBe(
      `${whole} of another place`
    )
  })
})

describe('a miss', () => {
  it('tells of the recording in another order that stands nearest', () => {
    const titles = 'action=query&prop=info&titles='
    const other = recorded(derived(`${titles}A|B`), '{"warnings":{},"query":{}}')
    expect(find(`${titles}B|A`, [other]).match).toMatchObject({
      kind: 'other-order',
      interaction: other
    })
    expect(find(`${titles}B|A`, [other]).fromEarlierEpoch).toBe(false)
    const a = write(1, 'A')
    const c = write(2, 'C')
    const state = keyForEpoch(derived(`${titles}A|B`), `${a.key} ${c.key}`)
    const late = recorded(state, '{"warnings":{},"query":{}}')
    const session = sessionThat(undefined, a, c)
    expect(find(`${titles}B|A`, [late], { session }).match).toMatchObject({
      kind: 'other-order'
    })
  })
})
