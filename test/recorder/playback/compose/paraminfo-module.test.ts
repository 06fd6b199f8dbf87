/** What a wiki says of one module, turned to another caller: exactly what that one is told, or nothing. */
import { describe, expect, it } from 'vitest'
import { writeCompact } from '../../../../src/recorder/json/write-json.ts'
import {
  forLimitClass,
  inFormat1,
  isLanguageIndependent,
  licenceLink,
  limitClassOf,
  pathsNamed,
  withLicence
} from '../../../../src/recorder/playback/compose/paraminfo-module.ts'
import { treeOf } from '../../../helpers/recorded.ts'

const tree = (value: unknown) => treeOf(JSON.stringify(value))
const value = (told: ReturnType<typeof forLimitClass>): unknown =>
  told && JSON.parse(writeCompact(told, 'utf8'))

describe('a module in formatversion 1', () => {
  it('has what is true as an empty text, and lacks what is false, however deep', () => {
    const second = {
      a: true,
      b: false,
      c: null,
      d: [{ e: true, f: false, g: 0 }],
      h: 'true'
    }
    expect(value(inFormat1(tree(second)))).toEqual({
      a: '',
      c: null,
      d: [{ e: '', g: 0 }],
      h: 'true'
    })
  })
})

describe('limits of a module', () => {
  const module = (limit: number | undefined, list = 'parameters') =>
    tree({
      name: 'x',
      [list]: [{ name: 'titles', limit, lowlimit: 50, highlimit: 500 }, { name: 'prop' }]
    })

  it.each(['parameters', 'templatedparameters'])(
    'are those of the class that asks, among the %s',
    (list) => {
      for (const [limits, limit] of [
        ['low', 50],
        ['high', 500]
      ] as const) {
        expect(value(forLimitClass(module(50, list), limits))).toEqual(
          value(module(limit, list))
        )
        expect(limitClassOf(module(limit, list))).toBe(limits)
      }
    }
  )

  it('are left alone where they are not of parameters', () => {
    const other = tree({ other: [{ limit: 1, lowlimit: 2, highlimit: 3 }] })
    expect(value(forLimitClass(other, 'high'))).toEqual(value(other))
    expect(limitClassOf(other)).toBeUndefined()
  })

  it('say nothing of the class where there are none, or the same for all, or others than either', () => {
    expect(limitClassOf(module(undefined))).toBeUndefined()
    expect(limitClassOf(module(70))).toBeUndefined()
    expect(
      limitClassOf(tree({ parameters: [{ limit: 50, lowlimit: 50, highlimit: 50 }] }))
    ).toBeUndefined()
  })

  it('are not known for another class where it is not said whose they are', () => {
    expect(forLimitClass(tree({ parameters: [{ limit: 50 }] }), 'low')).toBeUndefined()
    expect(value(forLimitClass(tree({ parameters: [{ name: 'a' }] }), 'low'))).toEqual({
      parameters: [{ name: 'a' }]
    })
  })
})

describe('what an extension is called', () => {
  it('is for all readers where it is its own name', () => {
    expect(isLanguageIndependent(tree({ source: 'Echo', sourcename: 'Echo' }))).toBe(true)
    expect(isLanguageIndependent(tree({ source: 'Echo', sourcename: 'Эхо' }))).toBe(false)
  })
})

describe('the link to a licence', () => {
  const link = 'http://wiki.test/wiki/Special:Version/License/'
  const others = [
    tree({ source: 'Other', licenselink: `${link}Nothing` }),
    tree({ source: 'A', licenselink: `${link}A` })
  ]

  it('stands where those of other modules do', () => {
    expect(licenceLink(tree({ source: 'Echo' }), others)).toBe(`${link}Echo`)
    expect(licenceLink(tree({ source: 'Echo' }), others.slice(0, 1))).toBeUndefined()
  })

  it('is not told where the name would be written otherwise in it', () => {
    expect(licenceLink(tree({ source: 'Two words' }), others)).toBeUndefined()
    expect(licenceLink(tree({}), others)).toBeUndefined()
  })

  it('comes behind the licence, and only where there is one', () => {
    const plain = tree({ source: 'Echo', path: 'echo' })
    expect(withLicence(plain, [])).toBe(plain)
    const licensed = tree({ source: 'Echo', licensetag: 'MIT', path: 'echo' })
    expect(withLicence(licensed, [])).toBeUndefined()
    const told = withLicence(licensed, others)
    expect(told && writeCompact(told, 'utf8')).toBe(
      JSON.stringify({
        source: 'Echo',
        licensetag: 'MIT',
        licenselink: `${link}Echo`,
        path: 'echo'
      })
    )
  })
})

describe('the modules below one', () => {
  const modules: Readonly<Record<string, unknown>> = {
    main: { parameters: [{ submodules: { query: 'query', edit: 'edit' } }] },
    edit: {},
    query: {
      parameters: [
        { submodules: { links: 'query+links' } },
        { submodules: { info: 'query+info' } }
      ]
    },
    'query+info': {},
    'query+links': { parameters: [{ submodules: { any: 'main', all: 'query+info' } }] }
  }
  const described = (path: string) => (path in modules ? tree(modules[path]) : undefined)

  it('are sorted, each before its own', () => {
    expect(pathsNamed('query+*', described)).toEqual(['query+info', 'query+links'])
    expect(pathsNamed('*', described)).toEqual(['edit', 'query'])
    expect(pathsNamed('**', described)).toEqual([
      'edit',
      'query',
      'query+info',
      'query+links'
    ])
  })

  it('are not known where one of them is not described', () => {
    const less = (path: string) => (path === 'query+info' ? undefined : described(path))
    expect(pathsNamed('query+**', less)).toBeUndefined()
    expect(pathsNamed('query+*', less)).toEqual(['query+info', 'query+links'])
    expect(pathsNamed('parse+*', described)).toBeUndefined()
  })
})
