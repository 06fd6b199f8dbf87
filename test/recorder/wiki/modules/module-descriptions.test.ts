import { describe, expect, it } from 'vitest'
import {
  activeModules,
  findParamDescriptions
} from '../../../../src/recorder/wiki/modules/active-modules.ts'
import { decodeModule } from '../../../../src/recorder/wiki/modules/module-descriptions.ts'
import { decodeSiteinfo } from '../../../../src/recorder/wiki/site/site-facts.ts'
import { paramsOf } from '../../../helpers/api-requests.ts'
import {
  describedVersions,
  factsOfWiki,
  readSample
} from '../../../helpers/described-wikis.ts'

const inPlay = (query: string, version = '1.43', format = 'json') =>
  activeModules(paramsOf(query), format, factsOfWiki(version).lookup).map(
    ({ path, prefix }) => `${path} ${prefix}`.trim()
  )

describe('a module as the wiki describes it', () => {
  it.each(describedVersions)('%s: query+allpages', (version) => {
    const module = factsOfWiki(version).lookup('query+allpages')
    expect(module).toMatchObject({
      prefix: 'ap',
      generator: true,
      mustBePosted: false,
      writes: false,
      acceptsUnlisted: false,
      isCore: true
    })
    expect(module?.parameters.get('limit')).toMatchObject({
      default: '10',
      max: 500,
      highMax: 5000,
      multi: false,
      type: 'limit'
    })
    expect(module?.parameters.get('namespace')?.default).toBe('0')
    expect(module?.parameters.get('filterredir')).toMatchObject({ type: 'enum' })
  })

  it.each(describedVersions)('%s: what a module may do and keeps secret', (version) => {
    const { lookup } = factsOfWiki(version)
    expect(lookup('edit')).toMatchObject({ mustBePosted: true, writes: true })
    expect(lookup('edit')?.parameters.get('token')).toMatchObject({
      tokenType: 'csrf',
      sensitive: true
    })
    expect(lookup('login')?.parameters.get('password')).toMatchObject({ sensitive: true })
    expect(lookup('query+allmessages')?.parameters.get('args')).toMatchObject({
      multi: true,
      onlySelects: false,
      allowsDuplicates: true
    })
    expect(
      ['compare', 'clientlogin', 'createaccount', 'parse'].map(
        (path) => lookup(path)?.acceptsUnlisted
      )
    ).toEqual([false, true, true, false])
    expect(lookup('query+iwlinks')?.parameters.get('url')?.deprecated).toBe(true)
    expect(lookup('main')?.parameters.get('action')?.submodules.get('parse')).toBe(
      'parse'
    )
  })

  it('takes what fits a templated name as a parameter, and nothing else', () => {
    const query = 'action=compare&fromslots=main&fromtext-main=a&fromtext=b&rand=1'
    const modules = activeModules(paramsOf(query), 'json', factsOfWiki('1.43').lookup)
    const known = (name: string): number => findParamDescriptions(name, modules).length
    expect(
      ['fromtext-main', 'fromtext-', 'xfromtext-main', 'fromtext', 'rand'].map(known)
    ).toEqual([1, 1, 0, 1, 0])
    const odd = decodeModule({
      path: 'a',
      prefix: 'x',
      templatedparameters: [{ name: 'a.b-{c}-d' }, {}, 1]
    })
    const inPlay = [{ path: 'a', prefix: 'x', description: odd }]
    expect(
      ['xa.b-1-d', 'xa.b-\n-d', 'xaXb-1-d', 'a.b-1-d'].map(
        (name) => findParamDescriptions(name, inPlay).length
      )
    ).toEqual([1, 1, 0, 0])
  })
})

describe('a module as a wiki describes it otherwise', () => {
  it('names deprecated values where they draw a warning', () => {
    expect(
      factsOfWiki('1.43')
        .lookup('parse')
        ?.parameters.get('prop')
        ?.deprecatedValues.has('headitems')
    ).toBe(true)
    expect(
      factsOfWiki('1.35')
        .lookup('query+userinfo')
        ?.parameters.get('prop')
        ?.deprecatedValues.has('preferencestoken')
    ).toBe(true)
  })

  it.each(['1.35', '1.43'])('%s: formatversion 1 and 2 describe the same', (version) => {
    const { lookup } = factsOfWiki(version)
    const old = factsOfWiki(`${version}.formatversion-1`).lookup
    for (const path of [
      'main',
      'json',
      'query',
      'query+allpages',
      'query+info',
      'parse',
      'edit',
      'compare',
      'expandtemplates'
    ])
      expect(old(path), path).toEqual(lookup(path))
  })

  it('is none where the shape is another', () => {
    for (const value of [undefined, null, 1, 'x', [], {}, { path: 5 }])
      expect(decodeModule(value)).toBeUndefined()
    expect(
      decodeModule({
        path: 'a',
        parameters: [1, null, {}, { name: 'x' }, { name: 'y', type: 7, default: {} }]
      })
    ).toMatchObject({
      path: 'a',
      prefix: '',
      acceptsUnlisted: false,
      isCore: true
    })
  })

  it('takes names from the prototype chain as names like any other', () => {
    const module = decodeModule(
      JSON.parse('{"path":"a","parameters":[{"name":"__proto__","multi":true}]}')
    )
    expect(module?.parameters.get('__proto__')?.multi).toBe(true)
    expect(module?.parameters.get('constructor')).toBeUndefined()
    expect(factsOfWiki('1.43').lookup('__proto__')).toBeUndefined()
  })
})

describe('modules in play', () => {
  it('are main, the format, the action, and all that it names', () => {
    expect(
      inPlay('action=query&list=allpages&prop=info|categories&meta=userinfo')
    ).toEqual([
      'main',
      'json',
      'query',
      'query+info in',
      'query+categories cl',
      'query+allpages ap',
      'query+userinfo ui'
    ])
    expect(inPlay('action=parse', '1.43', 'xml')).toEqual(['main', 'xml', 'parse'])
    expect(inPlay('')).toEqual(['main', 'json', 'help'])
  })

  it('read parameters of a generator with a g in front, beside the same module as a list', () => {
    expect(inPlay('action=query&generator=allpages&list=allpages')).toEqual([
      'main',
      'json',
      'query',
      'query+allpages ap',
      'query+allpages gap'
    ])
  })

  it('come once each, in both forms of a list', () => {
    expect(inPlay('action=query&prop=info|info|info')).toEqual(
      inPlay('action=query&prop=info')
    )
    expect(inPlay('action=query&prop=%1Finfo%1Fcategories')).toEqual(
      inPlay('action=query&prop=info|categories')
    )
  })

  it('include what is not described', () => {
    const [, , , unknown] = activeModules(
      paramsOf('action=query&list=nonsense'),
      'json',
      factsOfWiki('1.43').lookup
    )
    expect(unknown).toEqual({
      path: 'query+nonsense',
      prefix: '',
      description: undefined
    })
  })
})

describe('modules in play below others', () => {
  it('follow submodules with the prefix that the wiki gives them', () => {
    const flow = decodeModule({
      path: 'flow',
      parameters: [
        {
          name: 'submodule',
          type: ['view'],
          submodules: { view: 'flow+view' },
          submoduleparamprefix: 's'
        }
      ]
    })
    const view = decodeModule({
      path: 'flow+view',
      prefix: 'v',
      parameters: [{ name: 'page' }]
    })
    const lookup = (path: string) => [flow, view].find((one) => one?.path === path)
    const modules = activeModules(paramsOf('action=flow&submodule=view'), 'json', lookup)
    expect(modules.map(({ path, prefix }) => `${path} ${prefix}`)).toEqual([
      'main ',
      'json ',
      'flow ',
      'flow+view sv'
    ])
    expect(findParamDescriptions('svpage', modules).map(({ name }) => name)).toEqual([
      'page'
    ])
  })

  it('are found in time that does not grow with the square of a hostile list', () => {
    const values = Array.from({ length: 100_000 }, (_, at) => `x${at}`).join('|')
    expect(inPlay(`action=query&prop=${values}&generator=${values}`)).toHaveLength(
      200_003
    )
  })
})

describe('findParams', () => {
  it('finds each description that reads a name', () => {
    const modules = activeModules(
      paramsOf('action=query&prop=iwlinks'),
      'json',
      factsOfWiki('1.43').lookup
    )
    expect(findParamDescriptions('iwurl', modules)).toHaveLength(2)
    expect(findParamDescriptions('iwlimit', modules)).toHaveLength(1)
    expect(findParamDescriptions('nonsense', modules)).toEqual([])
    expect(findParamDescriptions('__proto__', modules)).toEqual([])
  })
})

describe('site facts', () => {
  it.each(describedVersions)('%s', (version) => {
    const site = factsOfWiki(version).site
    expect(site?.lang).toBe('ru')
    expect(site?.generator).toMatch(new RegExp(`^MediaWiki ${version}\\.`))
    expect(site?.namespaces.find(({ id }) => id === 6)).toMatchObject({
      name: 'Файл',
      firstLetter: true
    })
    expect(site?.namespaces.find(({ id }) => id === 6)?.aliases).toEqual(
      expect.arrayContaining(['File', 'Image', 'Изображение'])
    )
    expect(site?.namespaces.map(({ id }) => id)).toEqual(
      [...(site?.namespaces ?? [])].map(({ id }) => id).sort((a, b) => a - b)
    )
  })

  it.each(['1.35', '1.43'])('%s: formatversion 1 and 2 say the same', (version) => {
    expect(decodeSiteinfo(readSample(`${version}.formatversion-1`).site)).toEqual(
      decodeSiteinfo(readSample(version).site)
    )
  })

  it('are none where the shape is another', () => {
    for (const value of [
      undefined,
      null,
      [],
      {},
      { query: {} },
      { query: { general: {}, namespaces: 5 } }
    ])
      expect(decodeSiteinfo(value)).toBeUndefined()
  })
})
