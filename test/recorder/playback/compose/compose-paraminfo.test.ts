/** `action=paraminfo` put together: module by module out of other answers, exactly what the wiki would say, or nothing. */
import { describe, expect, it } from 'vitest'
import type { Interaction } from '../../../../src/recorder/cassette/interaction.ts'
import type { JsonTree } from '../../../../src/recorder/json/json-tree.ts'
import { writeCompact } from '../../../../src/recorder/json/write-json.ts'
import { composeParaminfo } from '../../../../src/recorder/playback/compose/compose-paraminfo.ts'
import type { Identity } from '../../../../src/recorder/request/api-request.ts'
import { derive } from '../../../../src/recorder/request/derive.ts'
import { apiRequest } from '../../../helpers/api-requests.ts'
import { factsOfWiki } from '../../../helpers/described-wikis.ts'
import { jsonBody, response, treeOf } from '../../../helpers/recorded.ts'

const facts = factsOfWiki('1.43')
type Told = Readonly<Record<string, unknown>>

const derived = (query: string, identity: Identity = 'anonymous') =>
  derive(apiRequest(`action=paraminfo&${query}`, { identity }), facts)

/** An answer with these modules under that parameter. */
const answer = (
  modules: readonly Told[],
  param = 'modules',
  more: Told = { helpformat: 'none' }
): string => JSON.stringify({ paraminfo: { ...more, [param]: modules } })

function record(query: string, text: string, identity?: Identity): Interaction {
  const { key, canonical, sentValues: asked } = derived(query, identity)
  return {
    key,
    request: canonical,
    sentValues: asked,
    responses: [response(jsonBody(text))]
  }
}

const nothing = (): undefined => undefined
const composed = (
  query: string,
  recordings: readonly Interaction[],
  described: (path: string) => JsonTree | undefined = nothing,
  identity?: Identity
): string | undefined => {
  const found = composeParaminfo(derived(query, identity), recordings, described)
  return found && writeCompact(found.body, 'utf8')
}

const module = (path: string, more: Told = {}): Told => ({ path, ...more })
const tree = (told: Told): JsonTree => treeOf(JSON.stringify(told))
const [edit, query, info, links] = ['edit', 'query', 'query+info', 'query+links'].map(
  (path) => module(path)
) as [...[Told, Told, Told, Told]]

describe('a recording tells of modules', () => {
  const asked = 'modules=edit'
  const whole = answer([edit, query])
  const good = record('modules=edit|query', whole)

  it('where it says what was asked for and differs in nothing else', () => {
    expect(composed(asked, [good])).toBe(answer([edit]))
    expect(composeParaminfo(derived(asked), [good], nothing)?.from).toEqual([good.key])
    expect(composed(`${asked}&uselang=ru`, [good])).toBeUndefined()
    expect(
      composed(`${asked}&helpformat=html`, [
        record('modules=edit|query&helpformat=none', whole)
      ])
    ).toBeUndefined()
  })

  it('and not where it set a cookie, was answered twice, is no JSON, or tells of others', () => {
    const [first] = good.responses
    const cookie = { name: 'a', value: '', attributes: [], expiresIn: undefined }
    expect(composed(asked, [{ ...good, responses: [first, first] }])).toBeUndefined()
    expect(
      composed(asked, [{ ...good, responses: [{ ...first, cookies: [cookie] }] }])
    ).toBeUndefined()
    expect(
      composed(asked, [
        { ...good, responses: [{ ...first, body: { kind: 'text', text: 'x' } }] }
      ])
    ).toBeUndefined()
    expect(
      composed(asked, [record('modules=edit|query', answer([query, edit]))])
    ).toBeUndefined()
    expect(
      composed(asked, [record('modules=edit|query', answer([edit]))])
    ).toBeUndefined()
  })

  it('and not of more than fifty at once', () => {
    const paths = Array.from({ length: 51 }, (_, at) => `m${at + 10}`)
    const of = (count: number): string => `modules=${paths.slice(0, count).join('|')}`
    const told = (count: number): string =>
      answer(paths.slice(0, count).map((path) => module(path)))
    const each = [
      record(of(25), told(25)),
      ...paths.slice(25).map((path) => record(`modules=${path}`, answer([module(path)])))
    ]
    expect(composed(of(50), each)).toBe(told(50))
    expect(composed(of(51), each)).toBeUndefined()
    expect(composed('modules=m10', [record(of(50), told(50))])).toBe(told(1))
    expect(composed('modules=m10', [record(of(51), told(51))])).toBeUndefined()
  })

  it('that are another action’s are not asked for', () => {
    const other = derive(apiRequest('action=query&modules=edit'), facts)
    expect(composeParaminfo(other, [good], nothing)).toBeUndefined()
    const named = {
      ...other,
      canonical: new Map([...other.canonical, ['modules', 'edit'] as const])
    }
    expect(composeParaminfo(named, [good], nothing)).toBeUndefined()
  })
})

describe('an answer put together', () => {
  it('has the frame of the others, where all have the same', () => {
    const warned = record(
      'modules=query',
      answer([query], 'modules', { helpformat: 'raw' })
    )
    expect(
      composed('modules=edit', [
        record('modules=edit|query', answer([edit, query])),
        warned
      ])
    ).toBeUndefined()
  })

  it('has each module once, where it is first named', () => {
    const all = [
      record('modules=edit', answer([edit])),
      record('modules=query', answer([query]))
    ]
    expect(composed('modules=query|edit|query', all)).toBe(answer([query, edit]))
    expect(composed('modules=', all)).toBeUndefined()
  })

  it('has no module that two parameters name', () => {
    const text = (modules: readonly Told[], below: readonly Told[]): string =>
      JSON.stringify({ paraminfo: { helpformat: 'none', modules, querymodules: below } })
    const all = [
      record('modules=query%2Binfo&querymodules=links', text([info], [links])),
      record('modules=edit&querymodules=info', text([edit], [info]))
    ]
    expect(composed('modules=edit&querymodules=links', all)).toBe(text([edit], [links]))
    expect(composed('modules=query%2Binfo&querymodules=info', all)).toBeUndefined()
  })

  it('tells in which part of a query a module stands, under querymodules alone', () => {
    const allpages = module('query+allpages', { group: 'list', parameters: [] })
    const listed = { ...allpages, querytype: 'list' }
    const frame = record('querymodules=links', answer([links], 'querymodules'))
    const recorded = record('modules=query%2Ballpages', answer([allpages]))
    expect(composed('querymodules=allpages', [frame, recorded])).toBe(
      answer([listed], 'querymodules')
    )
  })

  it('has what a star stands for only where a star was asked for', () => {
    const star = record('modules=query%2B*', answer([info, links]))
    const more = record('modules=edit', answer([edit]))
    expect(composed('modules=query%2B*|edit', [star, more])).toBe(
      answer([info, links, edit])
    )
    expect(composed('modules=query%2Blinks', [star, more])).toBe(answer([links]))
    expect(composed('modules=main%2B*', [star, more])).toBeUndefined()
    expect(
      composed('modules=query%2B*|edit', [record('modules=query%2B*', answer([])), more])
    ).toBeUndefined()
    expect(
      composed('modules=query%2B*', [
        record('modules=query%2Binfo|query%2Blinks', answer([info, links]))
      ])
    ).toBeUndefined()
  })
})

const limits = (limit: number): Told => ({
  parameters: [{ name: 'titles', limit, lowlimit: 50, highlimit: 500 }]
})

const user: Identity = 'user:Bob'

describe('what others were told', () => {
  const [low, high] = [50, 500].map((limit) => module('query', limits(limit))) as [
    Told,
    Told
  ]

  it('holds in formatversion 1 as well', () => {
    const second = record(
      'modules=query&formatversion=2',
      answer([module('query', { deprecated: false, open: true })])
    )
    expect(composed('modules=query', [second])).toBe(
      answer([module('query', { open: '' })])
    )
    const first = record('modules=edit', answer([edit]))
    expect(composed('modules=edit&formatversion=2', [first])).toBeUndefined()
    expect(composed('modules=edit&formatversion=3', [first])).toBeUndefined()
  })

  it('holds for another caller, with the limits of that one', () => {
    const all = [
      record('modules=query', answer([low])),
      record('modules=edit', answer([module('edit', limits(500))]), user)
    ]
    expect(composed('modules=query', all, nothing, user)).toBe(answer([high]))
    expect(composed('modules=edit', all)).toBe(answer([module('edit', limits(50))]))
  })

  it('holds without limits of its own where nothing shows those of the caller', () => {
    const all = [
      record('modules=query', answer([low])),
      record('modules=edit', answer([edit]), user)
    ]
    expect(composed('modules=query', all, nothing, user)).toBeUndefined()
    expect(composed('modules=edit', all)).toBe(answer([edit]))
    const shown = [50, 500].map((limit) =>
      record(`modules=m${limit}`, answer([module(`m${limit}`, limits(limit))]), user)
    )
    expect(composed('modules=query', [...all, ...shown.slice(1)], nothing, user)).toBe(
      answer([high])
    )
    // Who was told of both kinds of limits has had other rights in between.
    expect(composed('modules=query', [...all, ...shown], nothing, user)).toBeUndefined()
  })
})

describe('what others were told otherwise', () => {
  it('does not hold beside a parameter that it was told without', () => {
    const all = [record('modules=edit', answer([edit]), user)]
    expect(composed('modules=edit', all)).toBe(answer([edit]))
    expect(composed('modules=edit&uselang=ru', all)).toBeUndefined()
    expect(
      composed('modules=edit', [record('modules=edit&uselang=ru', answer([edit]), user)])
    ).toBeUndefined()
  })

  it('does not hold where two were told differently, or in the language of the reader', () => {
    const other = module('edit', { deprecated: '' })
    const all = [
      record('modules=edit', answer([edit]), user),
      record('modules=edit', answer([other]), 'user:Eve')
    ]
    expect(composed('modules=edit', all)).toBeUndefined()
    expect(composed('modules=edit', all.slice(1))).toBe(answer([other]))
    const translated = module('edit', { source: 'Echo', sourcename: 'Эхо' })
    expect(
      composed('modules=edit', [record('modules=edit', answer([translated]), user)])
    ).toBeUndefined()
  })

  it('may be used for modules below query, and by stars where all of them are told of', () => {
    const all = [
      record('modules=query%2Binfo|query%2Blinks', answer([info, links]), user)
    ]
    const described = (path: string): JsonTree | undefined =>
      path === 'query'
        ? tree({
            parameters: [{ submodules: { info: 'query+info', links: 'query+links' } }]
          })
        : path === 'query+info' || path === 'query+links'
          ? tree(module(path))
          : undefined
    expect(composed('modules=query%2Binfo', all)).toBe(answer([info]))
    expect(composed('modules=query%2B*', all, described)).toBe(answer([info, links]))
    expect(composed('modules=query%2B**', all, described)).toBe(answer([info, links]))
    expect(composed('modules=query%2B*', all)).toBeUndefined()
    expect(composed('modules=*', all, described)).toBeUndefined()
    const main = (path: string): JsonTree | undefined =>
      path === 'main'
        ? tree({ parameters: [{ submodules: { info: 'info' } }] })
        : path === 'info'
          ? tree(module('info'))
          : undefined
    expect(composed('modules=*', all, main)).toBe(answer([module('info')]))
    expect(composed('modules=xquery%2B*x', all, described)).toBeUndefined()
  })
})

describe('what the recorder was told', () => {
  const user: Identity = 'user:Bob'
  const model = record('modules=edit', answer([edit]), user)

  it('holds for others, in their formatversion', () => {
    const described = (path: string) =>
      path === 'query' ? tree(module('query', { open: true })) : undefined
    expect(composed('modules=query', [model], described)).toBe(
      answer([module('query', { open: '' })])
    )
    expect(composed('modules=query', [], described)).toBeUndefined()
    const second = record('modules=edit&formatversion=2', answer([edit]), user)
    expect(composed('modules=query&formatversion=2', [second], described)).toBe(
      answer([module('query', { open: true })])
    )
  })

  it('does not hold where others were told something else since, nor without its licence', () => {
    const changed = (path: string) =>
      path === 'edit' ? tree(module('edit', { open: true })) : undefined
    expect(composed('modules=edit', [model], changed)).toBeUndefined()
    const same = (path: string) => (path === 'edit' ? tree(edit) : undefined)
    expect(composed('modules=edit', [model], same)).toBe(answer([edit]))
    const licensed = (path: string) =>
      path === 'query'
        ? tree(module('query', { source: 'Echo', licensetag: 'MIT' }))
        : undefined
    expect(composed('modules=query', [model], licensed)).toBeUndefined()
  })
})
