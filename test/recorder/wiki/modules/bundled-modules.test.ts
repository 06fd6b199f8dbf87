import { describe, expect, it } from 'vitest'
import { knownModule } from '../../../../src/recorder/knowledge/known-modules.ts'
import {
  bundledLookup,
  type ModuleDescription,
  type ParamDescription
} from '../../../../src/recorder/wiki/modules/module-descriptions.ts'
import { describedVersions, factsOfWiki } from '../../../helpers/described-wikis.ts'

const paths = [
  'main',
  'json',
  'query',
  'query+allpages',
  'query+categorymembers',
  'query+revisions',
  'parse'
]
const generators = [
  undefined,
  'MediaWiki 1.19.24',
  'MediaWiki 1.30.0',
  'MediaWiki 1.45.0',
  'Fandom 3'
]

/** What the key is derived from. */
const told = ({
  type,
  multi,
  allowsDuplicates,
  default: standard
}: ParamDescription): object => ({
  type,
  multi,
  allowsDuplicates,
  default: standard
})

const real = (
  version: (typeof describedVersions)[number],
  path: string
): ModuleDescription | undefined => factsOfWiki(version).lookup(path)

describe('shipped descriptions', () => {
  it.each(describedVersions)('of %s are what that wiki says of itself', (version) => {
    const lookup = bundledLookup(`MediaWiki ${version}.1`)
    for (const path of paths) {
      const module = real(version, path)
      if (module === undefined) continue
      const shipped = lookup(path)
      expect([path, shipped?.prefix, shipped?.group, shipped?.acceptsUnlisted]).toEqual([
        path,
        module.prefix,
        module.group,
        true
      ])
      for (const [name, param] of module.parameters)
        expect({ path, name, ...told(shipped?.parameters.get(name) ?? param) }).toEqual({
          path,
          name,
          ...told(param)
        })
    }
  })

  it.each(generators)(
    'of %s say only what all versions around it agree on',
    (generator) => {
      const lookup = bundledLookup(generator)
      for (const path of paths)
        for (const [name, shipped] of lookup(path)?.parameters ?? [])
          for (const version of describedVersions) {
            const param = real(version, path)?.parameters.get(name)
            if (param === undefined || (generator ?? '').includes('1.30')) continue
            expect({ path, name, multi: shipped.multi }).toEqual({
              path,
              name,
              multi: param.multi
            })
            if (shipped.default !== undefined) expect(shipped.default).toBe(param.default)
          }
    }
  )

  it('lack what only some versions have, and what no version has', () => {
    expect(
      bundledLookup('MediaWiki 1.43.0')('query+revisions')?.parameters.has('slots')
    ).toBe(true)
    expect(bundledLookup(undefined)('query+revisions')?.parameters.has('slots')).toBe(
      false
    )
    expect(
      bundledLookup('MediaWiki 1.30.0')('query+revisions')?.parameters.has('slots')
    ).toBe(false)
    for (const path of ['noSuchModule', '__proto__', 'constructor', ''])
      expect(knownModule(path, undefined)).toBeUndefined()
  })

  it('name the submodules that other actions generate pages by', () => {
    const generator =
      bundledLookup('MediaWiki 1.43.0')('purge')?.parameters.get('generator')
    expect(generator?.submodules.get('allpages')).toBe('query+allpages')
    expect(generator?.submodulePrefix).toBe('g')
  })

  it('never fold a default that the wiki may have set itself', () => {
    for (const generator of generators) {
      const lookup = bundledLookup(generator)
      expect(lookup('opensearch')?.parameters.get('limit')?.default).toBeUndefined()
      expect(
        lookup('query+pageimages')?.parameters.get('license')?.default
      ).toBeUndefined()
    }
  })
})
