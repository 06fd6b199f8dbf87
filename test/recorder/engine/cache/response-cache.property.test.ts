/**
 * A cached reply is the one that the engine would render: shipped cassettes are asked for what they hold, in drawn
 * spellings, through an engine with a warm cache and through a new one.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Engine } from '../../../../src/recorder/engine/engine.ts'
import { SessionRegistry } from '../../../../src/recorder/engine/session/session-registry.ts'
import type {
  IncomingRequest,
  Reply
} from '../../../../src/recorder/http/incoming-request.ts'
import { CassetteStore } from '../../../../src/recorder/store/cassette-store.ts'
import { scaled } from '../../../helpers/scale.ts'

const shipped = ['ru-1.35', 'ru-1.43'].map((name) =>
  CassetteStore.open(`cassettes/${name}`)
)

const engineOf = (store: CassetteStore): Engine =>
  new Engine({
    store,
    sessions: new SessionRegistry(() => []),
    mode: 'none',
    live: undefined,
    secrets: undefined,
    missStatus: 200,
    onMiss: 'error',
    recordErrors: false,
    refuseWrites: false,
    readOnly: true,
    now: () => Date.UTC(2026, 10, 22),
    onEvent: () => undefined,
    onEntry: () => undefined
  })

/** Recorded parameters as they were sent, of what every client may ask for. */
const asked = shipped.map((store) =>
  [...store.paths()].flatMap(([key]) => {
    const found = store.get(key)
    if (found.kind !== 'found' || found.interaction.request.has('as user')) return []
    const { request, sentValues: sent } = found.interaction
    return [
      [...request]
        .filter(([name]) => !name.includes(' '))
        .map(([name, value]) => [name, sent.get(name) ?? value] as const)
    ]
  })
)

interface Spelling {
  /** Sorts the parameters. */
  readonly lots: readonly number[]
  readonly more: readonly (readonly [string, string])[]
  readonly posted: boolean
  /** How many of the parameters stand in the URL of a POST. */
  readonly inUrl: number
  readonly twice: boolean
  readonly underscores: boolean
  readonly allEscaped: boolean
}

const spelling: fc.Arbitrary<Spelling> = fc.record({
  lots: fc.array(fc.nat(99), { minLength: 30, maxLength: 30 }),
  more: fc.subarray<readonly [string, string]>(
    [
      ['utf8', ''],
      ['formatversion', '2'],
      ['requestid', 'one'],
      ['callback', 'f'],
      ['origin', '*'],
      ['maxlag', '5'],
      ['zunknown', '1'],
      ['aunknown', '2'],
      ['uselang', 'ru']
    ],
    { maxLength: 3 }
  ),
  posted: fc.boolean(),
  inUrl: fc.nat(3),
  twice: fc.boolean(),
  underscores: fc.boolean(),
  allEscaped: fc.boolean()
})

/** As most clients ask; drawn ones may all be such that nothing is kept of them. */
const plainly: Spelling = {
  lots: [],
  more: [],
  posted: false,
  inUrl: 0,
  twice: false,
  underscores: false,
  allEscaped: false
}

const escapeAll = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

function exchangeOf(
  params: readonly (readonly [string, string])[],
  how: Spelling
): IncomingRequest {
  const turned = [...params, ['format', 'json'] as const, ...how.more]
    .map(([name, value], at) => ({
      text: `${name}=${how.allEscaped ? escapeAll(how.underscores ? value.replaceAll(' ', '_') : value) : encodeURIComponent(how.underscores ? value.replaceAll(' ', '_') : value)}`,
      lot: how.lots[at] ?? 0
    }))
    .sort((a, b) => a.lot - b.lot)
    .map(({ text }) => text)
  const pairs = how.twice
    ? [`${turned.at(-1)?.split('=', 1)[0]}=another`, ...turned]
    : turned
  const cut = how.posted ? how.inUrl : pairs.length
  return {
    method: how.posted ? 'POST' : 'GET',
    target: `/w/api.php?${pairs.slice(0, cut).join('&')}`,
    headers: how.posted ? { 'content-type': 'application/x-www-form-urlencoded' } : {},
    body: Buffer.from(pairs.slice(cut).join('&')),
    session: '',
    signal: undefined
  }
}

const shown = (reply: Reply): unknown => ({
  ...reply,
  body: reply.body.toString('latin1')
})

describe('a cached reply', () => {
  it('is the one that would be made', async () => {
    const remembering = shipped.map((store) => engineOf(store))
    const seen = new WeakSet<Reply>()
    let cached = 0
    await fc.assert(
      fc.asyncProperty(
        fc.nat(1),
        fc.nat(),
        fc.array(spelling, { minLength: 2, maxLength: 6 }),
        async (of, at, spellings) => {
          const store = shipped[of]
          const engine = remembering[of]
          const all = asked[of] ?? []
          const params = all[at % all.length]
          if (store === undefined || engine === undefined || params === undefined)
            throw new Error('no cassette')
          for (const one of [...spellings, ...spellings]) {
            const exchange = exchangeOf(params, one)
            const reply = await engine.handle(exchange)
            if (seen.has(reply)) cached += 1
            seen.add(reply)
            expect(shown(reply)).toEqual(shown(await engineOf(store).handle(exchange)))
          }
        }
      ),
      { numRuns: scaled(25, 300), examples: [[0, 0, [plainly, plainly]]] }
    )
    expect(cached).toBeGreaterThan(0)
  })
})
