/** Edits all over a cassette, each in a recording of its own: exactly as many findings, kind by kind; and back again. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Kind } from '../../src/drift/changes/kinds.ts'
import { compareCassettes } from '../../src/drift/compare.ts'
import type { CassetteSide } from '../../src/drift/inputs/cassette-side.ts'
import { rounds } from '../helpers/scale.ts'
import { type Answer, interaction, side } from './sides.ts'

/** One recording before and after an edit, and what each direction of it is called. */
interface Edit {
  readonly query: string
  readonly before: unknown
  readonly after: unknown
  readonly kind: Kind
  readonly back: Kind
}

const answer = (body: unknown, rest: Omit<Answer, 'body'> = {}): Answer => ({
  body,
  ...rest
})
const list = (...titles: readonly string[]): unknown => ({
  query: { allpages: titles.map((title) => ({ title, ns: 0 })) }
})
const user = (rest: object): unknown => ({ query: { users: [{ name: 'Bob', ...rest }] } })
const failure = (code: string, info = 'words'): unknown => ({ error: { code, info } })
const warned = (text: string): unknown => ({
  warnings: { main: { '*': text } },
  parse: {}
})
const more = (continuation: object, titles: readonly string[] = ['А', 'Б']): unknown => ({
  ...continuation,
  query: { allpages: titles.map((title) => ({ title, ns: 0 })) }
})

const both = (
  kind: Kind,
  before: unknown,
  after: unknown,
  back: Kind = kind
): Omit<Edit, 'query'> => ({
  kind,
  back,
  before,
  after
})

const edits: readonly Edit[] = [
  both('status.changed', answer({ a: 1 }), answer({ a: 1 }, { status: 404 })),
  both('content-type.changed', { parse: {} }, '<!DOCTYPE html><title>x</title>'),
  both(
    'error.appeared',
    { edit: { result: 'Success' } },
    failure('readonly'),
    'error.disappeared'
  ),
  both('error.code-changed', failure('ap_badinteger'), failure('badinteger')),
  both(
    'auth.required',
    { edit: {} },
    failure('notoken', 'The "token" parameter must be set.'),
    'auth.dropped'
  ),
  both('method.required', { purge: [] }, failure('mustbeposted'), 'method.dropped'),
  both(
    'warning.appeared',
    { parse: {} },
    warned('Something odd happened.'),
    'warning.removed'
  ),
  both(
    'deprecation.appeared',
    { parse: {} },
    warned('This is deprecated.'),
    'warning.removed'
  ),
  both(
    'continuation.format',
    more({ 'query-continue': { allpages: { apcontinue: 'В' } } }),
    more({ continue: { apcontinue: 'В', continue: '-||' } })
  ),
  both(
    'continuation.param',
    more({ continue: { apfrom: 'В', continue: '-||' } }),
    more({ continue: { apcontinue: 'В', continue: '-||' } })
  ),
  both(
    'continuation.value-shape',
    more({ continue: { apcontinue: '0|В', continue: '-||' } }),
    more({ continue: { apcontinue: '20260101000000|7', continue: '-||' } })
  ),
  both('field.removed', user({ gender: 'male', id: 5 }), user({ id: 5 }), 'field.added'),
  both(
    'field.renamed',
    user({ registration: 'some words' }),
    user({ registered: 'some words' })
  ),
  both(
    'field.nullable',
    user({ gender: 'male' }),
    user({ gender: null }),
    'field.non-null'
  ),
  both('type.changed', user({ editcount: 5 }), user({ editcount: '5' })),
  both(
    'value.format',
    user({ blockexpiry: 'infinity' }),
    user({ blockexpiry: 'infinite' })
  ),
  both(
    'enum.value-added',
    user({ groups: ['bot'] }),
    user({ groups: ['bot', 'sysop'] }),
    'enum.value-removed'
  ),
  both(
    'enum.value-changed',
    { edit: { result: 'Success' } },
    { edit: { result: 'Failure' } }
  ),
  both(
    'encoding.flag',
    { query: { pages: [{ title: 'А', missing: '' }] } },
    { query: { pages: [{ title: 'А', missing: true }] } }
  ),
  both('encoding.empty', { parse: { links: [] } }, { parse: { links: {} } }),
  both('items.more', list('А'), list('А', 'Б'), 'items.fewer'),
  both('order.changed', list('А', 'Б', 'В', 'Г'), list('Б', 'А', 'Г', 'В')),
  both(
    'html.structure',
    { parse: { text: '<p>a</p>' } },
    { parse: { text: '<div>a</div>' } }
  ),
  both('html.text', { parse: { text: '<p>one</p>' } }, { parse: { text: '<p>two</p>' } }),
  both(
    'header.added',
    answer({}),
    answer({}, { headers: { 'content-language': 'ru' } }),
    'header.removed'
  )
].map((edit, at) => ({ ...edit, query: `action=query&list=module${at}` }))

const kindsIn = (a: CassetteSide, b: CassetteSide): readonly string[] =>
  compareCassettes(a, b)
    .findings.map(({ kind }) => kind)
    .sort()

/** The cassette with some of its recordings edited, in an order of its own. */
const taped = (
  edited: ReadonlySet<Edit>,
  order: readonly Edit[] = edits
): CassetteSide => ({
  ...side('x', {}),
  interactions: order.map((one) =>
    interaction(one.query, edited.has(one) ? one.after : one.before)
  )
})

describe('edits all over a cassette', () => {
  it.each(edits)('$kind alone is one finding, and $back is its mirror', (edit) => {
    const edited = taped(new Set([edit]))
    expect(kindsIn(taped(new Set()), edited)).toEqual([edit.kind])
    expect(kindsIn(edited, taped(new Set()))).toEqual([edit.back])
    expect(kindsIn(edited, edited)).toEqual([])
  })

  it('n of them are n findings, kind by kind, whatever the order of the files; none are none', () => {
    const shuffled = fc.shuffledSubarray([...edits], { minLength: edits.length })
    fc.assert(
      fc.property(fc.subarray([...edits]), shuffled, (chosen, order) => {
        const a = taped(new Set())
        const b = taped(new Set(chosen), order)
        expect(kindsIn(a, b)).toEqual(chosen.map(({ kind }) => kind).sort())
        expect(kindsIn(b, a)).toEqual(chosen.map(({ back }) => back).sort())
        expect(kindsIn(b, b)).toEqual([])
      })
    )
  })
})

describe('keyed lists', () => {
  const titles = fc.uniqueArray(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
    {
      minLength: 2,
      maxLength: 40
    }
  )
  const pages = (names: readonly string[]): CassetteSide =>
    side('x', {
      'action=query&list=allpages': {
        query: {
          allpages: names.map((title) => ({ ns: 0, title, length: title.length }))
        }
      }
    })

  it('shuffled give one order.changed, and nothing of their items', () => {
    const pair = titles.chain((names) =>
      fc.tuple(
        fc.constant(names),
        fc.shuffledSubarray(names, { minLength: names.length })
      )
    )
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const same = before.every((title, at) => title === after[at])
        expect(kindsIn(pages(before), pages(after))).toEqual(
          same ? [] : ['order.changed']
        )
      }),
      { numRuns: rounds(300) }
    )
  })
})
