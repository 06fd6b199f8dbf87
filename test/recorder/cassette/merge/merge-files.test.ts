import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeInteraction } from '../../../../src/recorder/cassette/format/encode-interaction.ts'
import {
  encodeManifest,
  type Manifest,
  newManifest
} from '../../../../src/recorder/cassette/format/manifest.ts'
import type { Interaction } from '../../../../src/recorder/cassette/interaction.ts'
import {
  conflict,
  mergeInteractions,
  mergeManifestTexts
} from '../../../../src/recorder/cassette/merge/merge-files.ts'
import {
  mergeByName,
  mergeManifests
} from '../../../../src/recorder/cassette/merge/merge-manifest.ts'
import { readJson } from '../../../../src/recorder/json/read-json.ts'
import { writePretty } from '../../../../src/recorder/json/write-json.ts'
import type { Namespace } from '../../../../src/recorder/wiki/site/site-facts.ts'
import { interactionOf, jsonBody, response } from '../../../helpers/recorded.ts'

const request = { action: 'query', titles: 'A' }
const recording = (...answers: readonly string[]): Interaction =>
  interactionOf(
    request,
    answers.map((one) =>
      response(jsonBody(`{"query":{"says":"${one}"},"curtimestamp":"${one}"}`))
    )
  )
const textOf = (interaction: Interaction): string =>
  encodeInteraction(interaction, 'a').text
const name = `a.${recording('x').key}.json`

const answers = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })

describe('two versions of a recording', () => {
  it('are never made into a third: one is taken whole, or both are shown', () => {
    fc.assert(
      fc.property(
        fc.option(answers, { nil: undefined }),
        answers,
        answers,
        (began, left, right) => {
          const base = began && textOf(recording(...began))
          const ours = textOf(recording(...left))
          const theirs = textOf(recording(...right))
          const result = mergeInteractions({ base, ours, theirs }, name)
          const turned = mergeInteractions({ base, ours: theirs, theirs: ours }, name)
          expect(turned.kind).toBe(result.kind)
          if (result.kind === 'merged') {
            expect([ours, theirs]).toContain(result.text)
            expect(turned.text).toBe(result.text)
          } else {
            expect(readJson(result.text).ok).toBe(false)
            for (const line of [...ours.split('\n'), ...theirs.split('\n')])
              expect(result.text.split('\n')).toContain(line)
          }
        }
      )
    )
  })

  it('become what recording one after the other leaves', () => {
    const cases: readonly (readonly [
      began: string,
      left: string,
      right: string,
      left: string | undefined
    ])[] = [
      ['', 'a', 'a', 'a'],
      ['', 'a', 'b', undefined],
      ['', 'a', 'ab', 'ab'],
      ['', 'abc', 'a', 'abc'],
      ['', 'ab', 'ac', undefined],
      ['a', 'a', 'b', 'b'],
      ['a', 'b', 'a', 'b'],
      ['a', 'b', 'c', undefined],
      ['a', 'ab', 'ab', 'ab'],
      ['a', 'ab', 'ac', undefined],
      ['ab', 'a', 'abc', undefined],
      ['ab', 'a', 'ab', 'a']
    ]
    for (const [began, left, right, wanted] of cases) {
      const [base, ours, theirs] = [began || 'x', left, right].map((one) =>
        textOf(recording(...one))
      )
      const versions = {
        base: began === '' ? undefined : base,
        ours: ours ?? '',
        theirs: theirs ?? ''
      }
      const result = mergeInteractions(versions, name)
      expect([
        began,
        left,
        right,
        result.kind === 'merged' ? result.text : undefined
      ]).toEqual([
        began,
        left,
        right,
        wanted === undefined ? undefined : textOf(recording(...wanted))
      ])
    }
  })
})

describe('two recordings that differ', () => {
  it('are told apart by everything that is not the body', () => {
    const one = interactionOf(request, [response(jsonBody('{}'))])
    const others = [
      interactionOf(request, [response(jsonBody('{}'))], { titles: ' A' }),
      interactionOf(request, [response(jsonBody('{}'), { status: 403 })]),
      interactionOf(request, [
        response(jsonBody('{}'), { headers: new Map([['retry-after', '5']]) })
      ])
    ]
    for (const other of others)
      expect(
        mergeInteractions(
          { base: undefined, ours: textOf(one), theirs: textOf(other) },
          name
        ).kind
      ).toBe('conflict')
  })

  it('may be of two requests: the one that the name tells is left', () => {
    const other = interactionOf({ action: 'query', titles: 'B' })
    const ours = textOf(recording('a'))
    const theirs = textOf(other)
    for (const [key, text] of [
      [recording('a').key, ours],
      [other.key, theirs]
    ] as const) {
      const result = mergeInteractions({ base: undefined, ours, theirs }, `x.${key}.json`)
      expect(result).toMatchObject({ kind: 'conflict', text, isOneSide: true })
    }
    const elsewhere = mergeInteractions(
      { base: undefined, ours, theirs },
      'x.000000000000.json'
    )
    expect(elsewhere).toMatchObject({ kind: 'conflict', isOneSide: false })
  })
})

it('two recordings that took another time are one', () => {
  const took = (seconds: number): string =>
    textOf(interactionOf(request, [response(jsonBody('{"query":{}}'), { seconds })]))
  const ours = took(2)
  const theirs = took(7)
  expect(mergeInteractions({ base: undefined, ours, theirs }, name)).toEqual({
    kind: 'merged',
    text: ours
  })
})

describe('marks', () => {
  it('hold every line of both sides, whatever its end', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', '', '{', '}'), { maxLength: 8 })
    fc.assert(
      fc.property(lines, lines, fc.constantFrom('\n', '\r\n'), (left, right, end) => {
        const ours = left.join(end) + end
        const theirs = `${right.join('\n')}\n`
        const { text } = conflict({ base: undefined, ours, theirs }, 'why')
        const [before = '', , ours2 = '', theirs2 = '', after = ''] =
          /^([\s\S]*?)(<<<<<<< ours\n)([\s\S]*?)=======\n([\s\S]*?)>>>>>>> theirs\n([\s\S]*)$/
            .exec(text)
            ?.slice(1) ?? []
        expect(before + ours2 + after).toBe(`${left.join('\n')}\n`)
        expect(before + theirs2 + after).toBe(theirs)
      })
    )
  })
})

const namespaces = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 0, max: 6 }),
    name: fc.constant('N'),
    aliases: fc.uniqueArray(fc.constantFrom('x', 'y', 'z')),
    firstLetter: fc.constant(true)
  }),
  { selector: ({ id }) => id }
)
const manifests = fc
  .record({
    engine: fc.constantFrom('', '1.43.9'),
    spaces: fc.option(namespaces, { nil: undefined }),
    describesItself: fc.boolean(),
    recorded: fc.constantFrom(undefined, '2026-01-01', '2026-02-02')
  })
  .map(
    ({ engine, spaces, describesItself, recorded }): Manifest => ({
      ...newManifest('http://wiki/', recorded),
      engine,
      describesItself,
      site: spaces && {
        generator: '',
        lang: 'ru',
        namespaces: [...spaces].sort((a, b) => a.id - b.id)
      }
    })
  )

describe('two versions of cassette.json', () => {
  const sorted = (manifest: Manifest) => ({
    ...manifest,
    site: manifest.site && {
      ...manifest.site,
      namespaces: manifest.site.namespaces.map((one) => ({
        ...one,
        aliases: [...one.aliases].sort()
      }))
    }
  })

  it('become all that both know, whichever comes first', () => {
    fc.assert(
      fc.property(manifests, manifests, (ours, theirs) => {
        const { manifest, conflicts } = mergeManifests(undefined, ours, theirs)
        expect(conflicts).toEqual([])
        expect(sorted(mergeManifests(undefined, theirs, ours).manifest)).toEqual(
          sorted(manifest)
        )
        expect(mergeManifests(undefined, manifest, ours).manifest).toEqual(manifest)
        expect(mergeManifests(ours, ours, theirs).manifest).toEqual(sameFacts(theirs))
        const known = ({ site }: Manifest): readonly Namespace[] => site?.namespaces ?? []
        for (const { id, aliases } of [...known(ours), ...known(theirs)])
          expect(known(manifest).find((one) => one.id === id)?.aliases).toEqual(
            expect.arrayContaining([...aliases])
          )
      })
    )
  })

  /** As the file says it. */
  const sameFacts = (manifest: Manifest): Manifest =>
    mergeManifests(undefined, manifest, manifest).manifest

  it('take the settings of either moment of one wiki', () => {
    const [ours, theirs] = [7, 9].map(
      (edits): Manifest => ({
        ...newManifest('http://wiki/'),
        site: {
          generator: '',
          lang: 'ru',
          namespaces: [],
          statistics: { edits },
          configuration: { extensions: [{ version: edits }] }
        }
      })
    )
    if (ours === undefined || theirs === undefined) throw new Error('two of them')
    expect(mergeManifests(undefined, ours, theirs)).toEqual({
      manifest: ours,
      conflicts: []
    })
  })

  it('know the session cookies that either has found', () => {
    const knowing = (...sessionCookies: string[]): Manifest => ({
      ...newManifest('http://w/api.php'),
      sessionCookies
    })
    const { manifest, conflicts } = mergeManifests(
      undefined,
      knowing('z', 'm'),
      knowing('a', 'm')
    )
    expect([sameFacts(manifest).sessionCookies, conflicts]).toEqual([['a', 'm', 'z'], []])
  })

  it('contradict each other where two wikis were recorded', () => {
    const text = (upstream: string, engine: string): string =>
      writePretty(encodeManifest({ ...newManifest(upstream), engine }))
    const result = mergeManifestTexts({
      base: undefined,
      ours: text('http://a/', '1'),
      theirs: text('http://b/', '2')
    })
    expect(result).toMatchObject({
      kind: 'conflict',
      reason: expect.stringContaining('engine and upstream are another one on each side')
    })
  })
})

describe('names merged three ways', () => {
  it('follow one side where the other left things as they were', () => {
    const map = fc
      .dictionary(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 2 }))
      .map((one) => new Map(Object.entries(one)))
    const same = (a: number, b: number): boolean => a === b
    fc.assert(
      fc.property(map, map, (base, side) => {
        expect(mergeByName(base, side, base, same)).toEqual({
          merged: side,
          conflicts: []
        })
        expect(new Map([...mergeByName(base, base, side, same).merged].sort())).toEqual(
          new Map([...side].sort())
        )
        expect(mergeByName(base, side, side, same)).toEqual({
          merged: side,
          conflicts: []
        })
      })
    )
  })

  it('are a conflict where one side deleted what the other changed', () => {
    const same = (a: number, b: number): boolean => a === b
    const result = mergeByName(new Map([['a', 1]]), new Map(), new Map([['a', 2]]), same)
    expect(result).toEqual({ merged: new Map([['a', 2]]), conflicts: ['a'] })
  })
})
