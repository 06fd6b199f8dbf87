import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Identity } from '../../../src/recorder/request/api-request.ts'
import {
  type Derivation,
  derive,
  type WikiFacts
} from '../../../src/recorder/request/derive.ts'
import { requestKey } from '../../../src/recorder/request/request-key.ts'
import { keyForExactOrder } from '../../../src/recorder/request/scoped-keys.ts'
import {
  bundledLookup,
  type ModuleLookup
} from '../../../src/recorder/wiki/modules/module-descriptions.ts'
import { character } from '../../helpers/any-text.ts'
import { apiRequest, fromParams, paramsOf } from '../../helpers/api-requests.ts'
import { describedVersions, factsOfWiki } from '../../helpers/described-wikis.ts'
import { rounds } from '../../helpers/scale.ts'

const wiki = factsOfWiki('1.43')
const of = (query: string, facts: WikiFacts = wiki): Derivation =>
  derive(apiRequest(query), facts)
const canonical = (query: string, facts: WikiFacts = wiki): Record<string, string> =>
  Object.fromEntries(of(query, facts).canonical)
const ruleOf = (query: string, name: string): string => {
  const step = of(query).steps.find((one) => one.name === name)
  return step === undefined ? 'no step' : `${step.rule}: ${step.became ?? 'dropped'}`
}
const same = (a: string, b: string, facts: WikiFacts = wiki): void =>
  expect(of(b, facts).key, `${a}\n${b}`).toBe(of(a, facts).key)
const apart = (a: string, b: string, facts: WikiFacts = wiki): void =>
  expect(of(b, facts).key, `${a}\n${b}`).not.toBe(of(a, facts).key)

describe.each(describedVersions)('the key of a request to %s', (version) => {
  const facts = factsOfWiki(version)
  const base = 'action=query&list=allpages&format=json'

  it('does not depend on how the answer is wrapped and transported', () => {
    for (const extra of [
      'format=jsonfm',
      'callback=f',
      'requestid=7',
      'origin=https://x',
      'maxlag=5',
      'smaxage=1',
      'maxage=1',
      'utf8=',
      'ascii='
    ])
      same(base, `${base}&${extra}`, facts)
    same(base, 'action=query&list=allpages', facts)
  })

  it('depends on what another format would keep outside of an answer in a form of its own', () => {
    for (const extra of ['requestid=7', 'utf8=', 'ascii=', 'callback=f'])
      apart('action=rsd', `action=rsd&${extra}`, facts)
    same('action=rsd', 'action=rsd&format=json&maxlag=5', facts)
  })

  it('does not depend on the order of parameters, on duplicates, or on GET and POST', () => {
    same(
      `${base}&apfrom=B&aplimit=5`,
      'aplimit=5&format=json&apfrom=A&list=allpages&apfrom=B&action=query',
      facts
    )
    const posted = derive(apiRequest('', { body: `${base}&apfrom=B` }), facts)
    const mixed = derive(
      apiRequest('action=query&apfrom=url', { body: 'list=allpages&apfrom=B' }),
      facts
    )
    expect([posted.key, mixed.key]).toEqual([
      of(`${base}&apfrom=B`, facts).key,
      of(`${base}&apfrom=B`, facts).key
    ])
  })

  it('takes a default as absent, spelled as the wiki spells it', () => {
    same(
      base,
      `${base}&aplimit=10&apnamespace=0&apdir=ascending&apfilterredir=all&formatversion=1&uselang=user`,
      facts
    )
    for (const other of [
      'aplimit=010',
      'aplimit=max',
      'apnamespace=1',
      'apdir=descending',
      'formatversion=2',
      'uselang=ru'
    ])
      apart(base, `${base}&${other}`, facts)
  })

  it('keeps values that an action reads without listing them', () => {
    const info = 'action=paraminfo&modules='
    const like = facts.lookup('query+allpages')
    const from = like?.parameters.get('from')
    const parameters = new Map(from ? [['modules', { ...from, name: 'modules' }]] : [])
    const lookup: ModuleLookup = (path) =>
      path === 'paraminfo'
        ? like && { ...like, path, prefix: '', parameters }
        : facts.lookup(path)
    const described = { ...facts, lookup }
    for (const name of ['titles', 'pageids'])
      apart(`${info}edit&${name}=1`, `${info}edit&${name}=x`, described)
    for (const modules of ['query', 'edit|query', '*', '**', 'main%2B*'])
      apart(`${info}${modules}&prop=info`, `${info}${modules}&prop=bogus`, described)
    for (const modules of ['edit', 'query%2Ballpages', 'query%2Binfo|parse'])
      same(`${info}${modules}&prop=info`, `${info}${modules}&prop=bogus`, described)
  })

  it('knows booleans by their presence', () => {
    same(`${base}&rawcontinue=`, `${base}&rawcontinue=false`, facts)
    apart(base, `${base}&rawcontinue=false`, facts)
  })

  it('tells the three ways of continuing apart', () => {
    const keys = ['', '&continue=', '&rawcontinue='].map(
      (extra) => of(base + extra, facts).key
    )
    expect(new Set(keys).size).toBe(3)
  })

  it('counts the name of an unknown parameter, and not its value', () => {
    same(`${base}&rand=1`, `${base}&rand=2`, facts)
    same(`${base}&_=1&rand=`, `${base}&_=Ы&rand=7`, facts)
    apart(base, `${base}&rand=1`, facts)
    apart(`${base}&rand=1`, `${base}&_=1`, facts)
  })
})

describe.each(describedVersions)('names in the key of a request to %s', (version) => {
  const facts = factsOfWiki(version)
  const base = 'action=query&list=allpages&format=json'

  it('counts the order of unknown names, which a warning repeats', () => {
    apart(`${base}&a1=1&b1=1`, `${base}&b1=1&a1=1`, facts)
    apart(`${base}&zfoo=1&mytoken=1`, `${base}&mytoken=1&zfoo=1`, facts)
    same(`a1=1&${base}&b1=1`, `${base}&a1=1&b1=1`, facts)
  })

  it('counts the values of unlisted parameters where a module reads more than it lists', () => {
    apart(
      'action=compare&fromrev=1&torev=2&fromtext-main=a',
      'action=compare&fromrev=1&torev=2&fromtext-main=b',
      facts
    )
    apart(`${base}|nonsense&rand=1`, `${base}|nonsense&rand=2`, facts)
    apart('action=edit&title=A&wpExtra=1', 'action=edit&title=A&wpExtra=2', facts)
  })
})

it.each(describedVersions)(
  'a field of a login that is not known to be harmless is a secret in the key of a request to %s',
  (version) => {
    for (const name of 'smscode otpcode mfa 2fa passkey samlresponse ldap_pw'.split(
      ' '
    )) {
      const [one, two] = ['first', 'second'].map((value) =>
        derive(
          apiRequest(`action=clientlogin&username=A&${name}=${value}`),
          factsOfWiki(version)
        )
      )
      expect(one?.canonical.get(name)).toBe('(secret)')
      expect(two?.key).toBe(one?.key)
    }
  }
)

describe.each(describedVersions)('values in the key of a request to %s', (version) => {
  const facts = factsOfWiki(version)

  it('takes a set in any order and each member once, and remembers how it was asked', () => {
    const one = of('action=query&prop=info|categories&titles=Б|А', facts)
    const two = of('action=query&prop=categories|info|categories&titles=А|Б', facts)
    expect(two.key).toBe(one.key)
    expect([...one.sentValues.keys()]).toEqual(['prop', 'titles'])
    expect([...two.sentValues.keys()]).toEqual(['prop'])
    expect([...one.orderless]).toEqual([])
    expect(one.sentValues.get('titles')).toBe('Б|А')
  })

  it('says which orders cannot show, whichever side had to be folded', () => {
    const query = 'action=query&prop=categories'
    expect(of(`${query}&clprop=timestamp|hidden`, facts).orderless.has('clprop')).toBe(
      true
    )
    expect(of(`${query}&clprop=hidden|timestamp`, facts).orderless.has('clprop')).toBe(
      true
    )
  })

  it('takes both forms of a list as one', () => {
    same(
      'action=query&prop=info|categories',
      'action=query&prop=%1Fcategories%1Finfo',
      facts
    )
    same('action=query&titles=%1FА%1FБ', 'action=query&titles=А|Б', facts)
  })

  it('tells empty values from none, of which the wiki does not warn', () => {
    for (const empty of ['titles=', 'list=search&srsearch=x&srprop='])
      for (const more of ['|', '||'])
        apart(`action=query&${empty}`, `action=query&${empty}${more}`, facts)
  })

  it('keeps the order where the wiki counts places', () => {
    const args = 'action=query&meta=allmessages&ammessages=x&amargs='
    apart(`${args}a|b`, `${args}b|a`, facts)
    apart(`${args}a|a`, `${args}a`, facts)
  })

  it('knows titles by their canonical form', () => {
    same(
      'action=query&titles=Файл:Map 07.png',
      'action=query&titles=file:map_07.png',
      facts
    )
    same('action=query&titles=волга', 'action=query&titles=_Волга_', facts)
    apart('action=query&titles=en:волга', 'action=query&titles=en:Волга', facts)
  })

  it('knows a moment in both usual spellings, and leaves impossible ones alone', () => {
    const start = 'action=query&list=usercontribs&ucuser=Bob&ucstart='
    same(`${start}20260102030405`, `${start}2026-01-02T03:04:05Z`, facts)
    for (const [digits, iso] of [
      ['20261301000000', '2026-13-01T00:00:00Z'],
      ['20260230000000', '2026-02-30T00:00:00Z'],
      ['20260101240000', '2026-01-01T24:00:00Z'],
      ['00000000000000', '0000-00-00T00:00:00Z']
    ] as const)
      apart(start + digits, start + iso, facts)
  })
})

describe.each(describedVersions)(
  'parameters that stay in the key of a request to %s',
  (version) => {
    const facts = factsOfWiki(version)
    const base = 'action=query&list=allpages&format=json'

    it('keeps parameters that the wiki would complain of', () => {
      for (const extra of [
        'maxlag=x',
        'maxlag=-1',
        'smaxage=-5',
        'maxage=',
        'requestid=%01',
        'requestid=%FF',
        'callback=%00',
        'utf8=e%CC%81'
      ])
        apart(base, `${base}&${extra}`, facts)
      apart(`${base}&rawcontinue=`, `${base}&rawcontinue=%01`, facts)
      apart('action=query&titles=%FF', 'action=query&titles=%EF%BF%BD', facts)
      apart('action=query&titles=%FF', 'action=query&titles=%FE', facts)
      apart(`${base}&rand=1`, 'action=query&list=allpages&format=json&rand[]=1', facts)
    })

    it('counts what MediaWiki reads behind the back of its API', () => {
      for (const name of ['variant', 'useskin', 'debug', 'linkconvert', 'useformat'])
        apart(`${base}&${name}=a`, `${base}&${name}=b`, facts)
    })

    it('keeps what chooses another text', () => {
      for (const extra of [
        'errorformat=plaintext',
        'uselang=en',
        'variant=sr-el',
        'assert=user',
        'assertuser=Bob',
        'curtimestamp=1',
        'servedby=1',
        'responselanginfo='
      ])
        apart(base, `${base}&${extra}`, facts)
      apart(base, base.replace('json', 'xml'), facts)
      apart(base.replace('json', 'xml'), base.replace('json', 'php'), facts)
      apart(
        base.replace('json', 'xml'),
        `${base.replace('json', 'xml')}&requestid=1`,
        facts
      )
    })

    it('keeps a list beyond the limit of an anonymous caller as it was sent', () => {
      const many = Array.from({ length: 60 }, (_, at) => `Т${at}`)
      apart(
        `action=query&titles=${many.join('|')}`,
        `action=query&titles=${[...many].reverse().join('|')}`,
        facts
      )
      apart(
        'action=query&prop=info',
        `action=query&prop=${Array.from({ length: 51 }, () => 'info').join('|')}`,
        facts
      )
    })

    it('drops guards of a write that guard nothing, and only there', () => {
      const edit = 'action=edit&title=A&text=B'
      const md5 = '9d5ed678fe57bcca610140957afab571'
      same(edit, `${edit}&basetimestamp=&starttimestamp=now&md5=${md5}`, facts)
      apart(edit, `${edit}&basetimestamp=2026-01-01T00:00:00Z`, facts)
      apart(edit, `${edit}&md5=x`, facts)
      apart(edit, `${edit}&appendtext=C&md5=${md5}`, facts)
      const added = 'action=edit&title=A&prependtext=A&appendtext=B'
      same(added, `${added}&md5=b86fc6b051f63d73de262d4c34e3a0a9`, facts)
      apart(base, `${base}&md5=x`, facts)
      apart('action=login&lgname=A', 'action=login&lgname=A&text=x', facts)
    })
  }
)

describe('the key', () => {
  it('keeps a deprecated parameter with its default, which draws a warning', () => {
    const info = 'action=query&titles=А&prop=iwlinks'
    apart(info, `${info}&iwurl=`)
  })

  it('leaves a parameter alone that two modules read', () => {
    expect(ruleOf('action=query&prop=iwlinks&iwurl=1', 'iwurl')).toBe('as-sent: 1')
  })

  it('does not take a default in another order for the default', () => {
    const parse = 'action=parse&text=x&prop='
    apart('action=parse&text=x', `${parse}categories|text`)
    const standard = wiki.lookup('parse')?.parameters.get('prop')?.default ?? ''
    same('action=parse&text=x', parse + standard)
    apart('action=parse&text=x', parse + standard.split('|').reverse().join('|'))
  })

  it('tells who asks', () => {
    const keys = (
      ['anonymous', 'authorized', 'user:Bob', 'user:Алиса'] satisfies Identity[]
    ).map(
      (identity) =>
        derive(apiRequest('action=query&meta=userinfo', { identity }), wiki).key
    )
    expect(new Set(keys).size).toBe(4)
  })

  it('knows files by their content', () => {
    const upload = (digest: string, bytes = 3) =>
      derive(
        apiRequest('action=upload', {
          files: [{ name: 'file', filename: 'a.png', digest, bytes }]
        }),
        wiki
      ).key
    expect(upload('aa')).toBe(upload('aa'))
    expect(new Set([upload('aa'), upload('ab'), upload('aa', 4)]).size).toBe(3)
  })

  it('keeps a page of HTML apart from the JSON that it shows', () => {
    const params = paramsOf('action=query&list=allpages&format=jsonfm')
    const page = derive(
      { ...fromParams(params), envelope: { kind: 'opaque', format: 'jsonfm' } },
      wiki
    )
    expect(page.key).not.toBe(derive(fromParams(params), wiki).key)
    expect(page.canonical.get('format')).toBe('jsonfm')
    apart(
      'action=query&list=allpages&format=json',
      'action=query&list=allpages&format=json&wrappedhtml=1'
    )
  })
})

describe('the key of other requests', () => {
  it('takes the path, method and body of anything that is not the API', () => {
    const plain = (target: string, posted = false, bodyDigest = '') =>
      derive(
        {
          kind: 'plain',
          target,
          posted,
          bodyDigest,
          form: new Map(),
          identity: 'anonymous'
        },
        wiki
      ).key
    expect(
      new Set([
        plain('/a'),
        plain('/b'),
        plain('/a?x'),
        plain('/a', true),
        plain('/a', true, 'ff')
      ]).size
    ).toBe(5)
  })

  it('has another one for a set in its order', () => {
    const one = of('action=query&titles=Б|А')
    const two = of('action=query&titles=А|Б')
    expect(two.key).toBe(one.key)
    expect(keyForExactOrder(one).key).not.toBe(one.key)
    expect(keyForExactOrder(one).sentValues.size).toBe(0)
    // The folded key may hold another spelling.
    expect(
      new Set([two.key, keyForExactOrder(one).key, keyForExactOrder(two).key]).size
    ).toBe(3)
  })

  it('keeps everything as sent where the wiki describes nothing', () => {
    const silent: WikiFacts = { lookup: () => undefined, site: undefined }
    expect(
      canonical(
        'action=query&list=allpages&titles=б|а&rand=1&aplimit=10&format=json',
        silent
      )
    ).toEqual({
      action: 'query',
      aplimit: '10',
      list: 'allpages',
      rand: '1',
      titles: 'б|а'
    })
    expect(of('action=query&list=allpages', silent).undescribed).toEqual([
      'main',
      'json',
      'query',
      'query+allpages'
    ])
  })
})

describe('the key by shipped descriptions, and its explanation', () => {
  it('folds what shipped descriptions are sure of, and takes nothing for unknown', () => {
    const shipped: WikiFacts = { lookup: bundledLookup(undefined), site: undefined }
    expect(
      canonical(
        'action=query&prop=revisions|info&titles=б|а&rand=1&rvprop=user|ids',
        shipped
      )
    ).toEqual({
      action: 'query',
      prop: 'info|revisions',
      rand: '1',
      rvprop: 'ids|user',
      titles: 'а|б'
    })
  })

  it('does not fold U+001F lists of wikis that took it for a character', () => {
    const old: WikiFacts = {
      ...wiki,
      site: { lang: 'ru', namespaces: [], generator: 'MediaWiki 1.25.4' }
    }
    apart(
      'action=query&prop=info|categories',
      'action=query&prop=%1Fcategories%1Finfo',
      old
    )
    apart(
      'action=query&prop=%1Finfo%1Fcategories',
      'action=query&prop=%1Fcategories%1Finfo',
      old
    )
  })

  it('explains each parameter in the order sent', () => {
    const steps = of(
      'action=query&list=allpages&format=json&aplimit=10&rand=1&titles=б|а&rawcontinue=yes'
    ).steps
    expect(
      steps.map(({ name, rule, became }) => `${name} ${rule} ${became ?? '-'}`)
    ).toEqual([
      'action as-sent query',
      'list as-sent allpages',
      'format transport -',
      'aplimit default -',
      'rand unknown ',
      'titles set А|Б',
      'rawcontinue presence '
    ])
  })

  it('is twelve hex digits of the canonical request, whatever its order', () => {
    const entries = [
      ['b', '1'],
      ['a', '2']
    ] as const
    expect(requestKey(new Map(entries))).toBe(requestKey(new Map([...entries].reverse())))
    expect(requestKey(new Map(entries))).toMatch(/^[0-9a-f]{12}$/)
    expect(requestKey(new Map([['a', 'b=c']]))).not.toBe(
      requestKey(new Map([['a=b', 'c']]))
    )
  })
})

const name = fc.constantFrom(
  'aplimit',
  'apfrom',
  'apprefix',
  'apnamespace',
  'titles',
  'prop',
  'generator',
  'gapfrom',
  'rvprop',
  'uselang',
  'curtimestamp',
  'x',
  '_',
  '__proto__',
  'token',
  'lgpassword'
)

const value = fc.oneof(
  fc.constantFrom('', '1', '10', 'А|Б', 'info|revisions', 'allpages', '\u001fА\u001fБ|В'),
  fc.string({ unit: character, maxLength: 6 })
)

const entries = fc
  .uniqueArray(fc.tuple(name, value), { selector: ([one]) => one, maxLength: 8 })
  .map(
    (pairs) => [['action', 'query'], ['list', 'allpages'], ...pairs] as [string, string][]
  )

const keyOf = (pairs: readonly (readonly [string, string])[]) =>
  derive(fromParams(new Map(pairs)), wiki).key

describe('the key of any request', () => {
  const isKnown = (one: string): boolean =>
    /^(?:ap|titles|prop$|uselang|curtimestamp)/.test(one)

  it('does not change with the order of known parameters', () => {
    fc.assert(
      fc.property(entries, fc.integer(), (pairs, seed) => {
        const known = pairs.filter(([one]) => isKnown(one))
        const shuffled = [...known].sort(([a], [b]) => hash(a, seed) - hash(b, seed))
        expect(keyOf(shuffled)).toBe(keyOf(known))
      }),
      { numRuns: rounds(500) }
    )
  })

  it('is all the same in any order, unless that of unknown names differs', () => {
    const derived = (pairs: readonly (readonly [string, string])[]) =>
      derive(fromParams(new Map(pairs)), wiki)
    fc.assert(
      fc.property(entries, fc.integer(), (pairs, seed) => {
        const one = derived(pairs)
        const other = derived(
          [...pairs].sort(([a], [b]) => hash(a, seed) - hash(b, seed))
        )
        const unknown = 'unknown in order'
        if (other.canonical.get(unknown) === one.canonical.get(unknown))
          expect([other.key, other.sentValues]).toEqual([one.key, one.sentValues])
      }),
      { numRuns: rounds(500) }
    )
  })
})

describe('the key of any request with other values', () => {
  it('changes with any other value of a significant parameter', () => {
    const significant = fc.constantFrom(
      'apfrom',
      'apprefix',
      'uselang',
      'apcontinue',
      'continue',
      'action',
      'list'
    )
    const clean = fc.string({ unit: 'grapheme', maxLength: 6 })
    fc.assert(
      fc.property(entries, significant, clean, clean, (pairs, one, a, b) => {
        fc.pre(a !== b && ![a, b].includes('user'))
        const others = pairs.filter(([other]) => other !== one)
        expect(keyOf([...others, [one, a]])).not.toBe(keyOf([...others, [one, b]]))
      }),
      { numRuns: rounds(500) }
    )
  })

  it('comes out the same when derived from its own canonical form', () => {
    const plain = fc.constantFrom(
      'aplimit',
      'apfrom',
      'apnamespace',
      'titles',
      'prop',
      'rvprop',
      'uselang'
    )
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(plain, value), { selector: ([one]) => one }),
        (pairs) => {
          const first = derive(
            fromParams(new Map([['action', 'query'], ['list', 'allpages'], ...pairs])),
            wiki
          )
          expect(derive(fromParams(first.canonical), wiki).key).toBe(first.key)
        }
      ),
      { numRuns: rounds(500) }
    )
  })
})

describe('the key of secret parameters', () => {
  it('holds no secret', () => {
    const secretName = fc.constantFrom(
      'token',
      'lgtoken',
      'lgpassword',
      'password',
      'retype',
      'createtoken',
      'logintoken',
      'OATHToken',
      'oauth_signature',
      'newPassword',
      'token[]',
      'password[a]',
      'rollbacktoken'
    )
    const action = fc.constantFrom(
      'login',
      'clientlogin',
      'createaccount',
      'edit',
      'query',
      'tokens',
      'nonsense',
      'logout'
    )
    const secret = fc.constantFrom(
      'S3cr3t-Жар-Птица',
      'd41d8cd98f00b204e9800998ecf8427e5f0c1a2b+\\'
    )
    fc.assert(
      fc.property(
        action,
        fc.uniqueArray(secretName, { minLength: 1 }),
        secret,
        fc.constantFrom(...describedVersions),
        (verb, names, hidden, version) => {
          const derivation = derive(
            fromParams(
              new Map([['action', verb], ...names.map((one) => [one, hidden] as const)])
            ),
            factsOfWiki(version)
          )
          expect(
            JSON.stringify([...derivation.canonical, ...derivation.sentValues])
          ).not.toContain(hidden)
        }
      )
    )
    expect(of('action=edit&token=A').key).toBe(of('action=edit&token=B').key)
    apart('action=edit&token=A', 'action=edit')
    apart('action=edit&token=', 'action=edit')
    apart(
      'action=edit&token=%2B%5C',
      'action=edit&token=d41d8cd98f00b204e9800998ecf8427e5f0c1a2b%2B%5C'
    )
  })
})

describe('the key of hostile parameters', () => {
  it('survives hostile parameters in time that grows with their length', () => {
    const hostile: readonly (readonly [string, string])[] = [
      ['__proto__', '\0'],
      ['titles', 'Ы'.repeat(1_000_000)],
      ['titles', '|'.repeat(10_000)],
      ['titles', Array.from({ length: 100_000 }, (_, at) => `Т ${at}`).join('|')],
      ['titles', ' '.repeat(1_000_000)],
      ['titles', `${'/..'.repeat(300_000)}x`],
      ['prop', Array.from({ length: 100_000 }, (_, at) => `p${at}`).join('|')],
      ['list', '\ud800'],
      ['apfrom', '\u001f'.repeat(100_000)],
      ['ucstart', '9'.repeat(100_000)],
      ['constructor', 'toString']
    ]
    for (const [one, text] of hostile) {
      const derivation = derive(
        fromParams(
          new Map([
            ['action', 'query'],
            ['list', 'allpages'],
            [one, text]
          ])
        ),
        wiki
      )
      expect(derivation.key).toMatch(/^[0-9a-f]{12}$/)
    }
    const many = new Map(
      Array.from({ length: 20_000 }, (_, at) => [`n${at}`, 'x'] as const)
    )
    expect(
      derive(
        fromParams(
          new Map([
            ['action', 'query'],
            ['prop', Array.from({ length: 20_000 }, (_, at) => `p${at}`).join('|')],
            ...many
          ])
        ),
        wiki
      ).steps
    ).toHaveLength(20_002)
  })
})

/** A number that orders names in a way that a seed decides. */
const hash = (text: string, seed: number): number =>
  Number.parseInt(requestKey(new Map([[text, String(seed)]])).slice(0, 8), 16)

describe('the token of a watchlist', () => {
  const token = '0123456789'.repeat(4)
  const lookup = bundledLookup('MediaWiki 1.43.9')

  it('is a secret that the answer is about, unlike one that goes with a write', () => {
    const aboutSecret = [
      `action=query&list=watchlist&wlowner=Bob&wltoken=${token}`,
      `action=query&list=watchlistraw&wrowner=Bob&wrtoken=${token}`,
      `action=watch&titles=A&token=${token}%2B%5C`,
      'action=query&list=watchlist&wlowner=Bob'
    ].map((query) => of(query, { ...wiki, lookup }).aboutSecret)
    expect(aboutSecret).toEqual(['wltoken', 'wrtoken', undefined, undefined])
  })
})
