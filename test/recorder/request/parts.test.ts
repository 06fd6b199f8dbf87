/** What stands in a key beside the parameters: who asks, from where, in which order, exactly as sent. */
import { describe, expect, it } from 'vitest'
import { parseRequest } from '../../../src/recorder/http/parse-request.ts'
import { derive, type WikiFacts } from '../../../src/recorder/request/derive.ts'
import { decodeModule } from '../../../src/recorder/wiki/modules/module-descriptions.ts'
import { apiRequest } from '../../helpers/api-requests.ts'
import { factsOfWiki } from '../../helpers/described-wikis.ts'

const known = factsOfWiki('1.43')
const purge = decodeModule({
  path: 'purge',
  mustbeposted: true,
  parameters: [{ name: 'titles', type: 'string', multi: true }]
})
const wiki: WikiFacts = {
  ...known,
  lookup: (path) => (path === 'purge' ? purge : known.lookup(path))
}
const of = (query: string, facts: WikiFacts = wiki) => derive(apiRequest(query), facts)
const keyOf = (query: string, facts: WikiFacts = wiki) => of(query, facts).key
const rules = (query: string) =>
  of(query).steps.map(({ name, rule, became }) => `${name} ${rule} ${became ?? '-'}`)

describe('a page that is not the API', () => {
  const plain = (identity: 'anonymous' | 'user:Bob') =>
    derive(
      {
        kind: 'plain',
        target: '/wiki/A',
        posted: false,

        bodyDigest: '',
        form: new Map(),
        identity
      },
      wiki
    )

  it('is asked for by somebody or nobody', () => {
    expect(plain('anonymous').canonical.has('as user')).toBe(false)
    expect(plain('user:Bob').canonical.get('as user')).toBe('user:Bob')
  })
})

describe('a module that has to be posted', () => {
  it('reads what its form sends, and drops the guards of a write, as one that writes does', () => {
    expect(keyOf('action=purge&titles=A&extra=1')).not.toBe(
      keyOf('action=purge&titles=A&extra=2')
    )
    expect(keyOf('action=purge&titles=A&starttimestamp=now')).toBe(
      keyOf('action=purge&titles=A')
    )
  })
})

describe('a body that was not understood', () => {
  it('may be of a write, and is told by its digest', () => {
    const request = apiRequest('action=query&titles=A')
    const unread = derive(
      { ...request, unread: { why: 'it is packed', digest: 'abc' } },
      wiki
    )
    expect([unread.effect, unread.canonical.get('unread body')]).toEqual(['write', 'abc'])
    expect(derive(request, wiki).effect).toBe('read')
  })
})

describe('a POST without Content-Type', () => {
  const typed = (
    headers: Readonly<Record<string, string>>,
    method: 'GET' | 'POST' = 'POST'
  ): string => {
    const target = '/w/api.php?action=query&titles=A&format=json'
    const body = Buffer.alloc(0)
    const incoming = { method, target, headers, body, session: '', signal: undefined }
    return derive(parseRequest(incoming, () => 'anonymous').request, wiki).key
  }

  it('is not the GET, since the wiki warns of it', () => {
    expect(typed({})).not.toBe(typed({}, 'GET'))
    for (const type of ['application/x-www-form-urlencoded', 'text/plain'])
      expect(typed({ 'content-type': type })).toBe(typed({}, 'GET'))
  })
})

describe('the kinds of tokens', () => {
  it('are those that the wiki names, by parameter', () => {
    expect([...of('action=edit&title=A&text=B&token=x').tokenTypes]).toEqual([
      ['token', 'csrf']
    ])
    expect([
      ...of('action=clientlogin&username=A&password=B&logintoken=x').tokenTypes
    ]).toEqual([['logintoken', 'login']])
    expect([...of('action=query&titles=A').tokenTypes]).toEqual([])
  })
})

describe('a parameter', () => {
  it('that is a moment or a title is told as such', () => {
    expect(
      rules('action=query&list=usercontribs&ucuser=Bob&ucstart=20260102030405').at(-1)
    ).toBe('ucstart timestamp 2026-01-02T03:04:05Z')
    expect(rules('action=edit&returnto=волга').at(-1)).toBe('returnto title Волга')
  })

  it('of one value that begins with U+001F is one that the wiki complains of', () => {
    expect(rules('action=query&list=allpages&rawcontinue=%1Fx').at(-1)).toBe(
      'rawcontinue as-sent \u001fx'
    )
  })

  it('of fifty values is a set, and of more is left as it was sent', () => {
    const titles = (count: number): string[] =>
      Array.from({ length: count }, (_, at) => `Т${at + 10}`)
    const turned = (count: number): boolean => {
      const [one, other] = [titles(count), titles(count).reverse()].map(
        (all) => `action=query&titles=${all.join('|')}`
      )
      return keyOf(one ?? '') === keyOf(other ?? '')
    }
    expect([2, 50, 51].map(turned)).toEqual([true, true, false])
  })

  it('may be a list by U+001F since 1.28', () => {
    const since = ['1.27.7', '1.28.0', '1.43.9'].map((version) => {
      const facts: WikiFacts = {
        ...wiki,
        site: {
          lang: 'ru',
          namespaces: [],
          generator: `MediaWiki ${version}`
        }
      }
      return (
        keyOf('action=query&prop=%1Finfo%1Fcategories', facts) ===
        keyOf('action=query&prop=categories|info', facts)
      )
    })
    expect(since).toEqual([false, true, true])
    const silent: WikiFacts = { ...wiki, site: undefined }
    expect(keyOf('action=query&prop=%1Finfo', silent)).not.toBe(
      keyOf('action=query&prop=info', silent)
    )
  })
})

describe('names that no module knows', () => {
  const inOrder = (query: string) =>
    of(`action=query&list=allpages${query}`).canonical.get('unknown in order')

  it('stand in their order where it is not that of the alphabet', () => {
    expect([inOrder(''), inOrder('&b=1'), inOrder('&a=1&b=1')]).toEqual([
      undefined,
      undefined,
      undefined
    ])
    expect(inOrder('&b=1&a=1')).toBe('b|a')
  })
})

describe('a caller from another origin', () => {
  const elsewhere = (query: string): boolean => of(query).canonical.has('other origin')

  it('gets no tokens, so that it is told apart where some are given or wanted', () => {
    for (const from of ['callback=f', 'origin=*']) {
      expect(elsewhere(`action=query&meta=tokens&${from}`)).toBe(true)
      expect(elsewhere(`action=purge&titles=A&${from}`)).toBe(true)
      expect(elsewhere(`action=query&prop=info&intoken=edit&titles=A&${from}`)).toBe(true)
      expect(
        elsewhere(`action=query&list=recentchanges&rcprop=title|patroltoken&${from}`)
      ).toBe(true)
      expect(elsewhere(`action=query&meta=userinfo&uiprop=*&${from}`)).toBe(true)
      expect(elsewhere(`action=query&titles=A&${from}`)).toBe(false)
    }
  })

  it('gets no kinds of tokens in what modules of old versions say of themselves', () => {
    const query = 'action=paraminfo&modules=query%2Binfo&callback=f'
    const on = (generator: string): boolean => {
      const { site: known } = factsOfWiki('1.43')
      const site = known && { ...known, generator }
      return derive(apiRequest(query), { ...wiki, site }).canonical.has('other origin')
    }
    expect([on('MediaWiki 1.35.13'), on('MediaWiki 1.39.17')]).toEqual([true, false])
  })

  it('is none who names the origin', () => {
    expect(elsewhere('action=query&meta=tokens&origin=https://x')).toBe(false)
    expect(elsewhere('action=query&meta=tokens')).toBe(false)
  })
})

describe('a request that counts as it was sent', () => {
  const strict: WikiFacts = { ...wiki, strict: true }
  const sent = (query: string, body?: string) =>
    derive(apiRequest(query, body === undefined ? {} : { body }), strict).canonical.get(
      'as sent'
    )

  it('has its method, its order and its spelling in the key', () => {
    expect(sent('list=allpages&action=query&aplimit=10&rand=1')).toBe(
      'GET list=allpages&action=query&aplimit=10&rand=1'
    )
    expect(sent('', 'action=purge&titles=B|A')).toBe('POST action=purge&titles=B|A')
    expect(of('action=query').canonical.has('as sent')).toBe(false)
  })

  it('has no secret in it, whether a module knows the parameter or not', () => {
    expect(sent('action=login&lgname=A&lgpassword=hunter2')).toBe(
      'GET action=login&lgname=A&lgpassword=(secret)'
    )
    expect(sent('action=query&titles=A&api_key=hunter2')).toBe(
      'GET action=query&titles=A&api_key=(secret)'
    )
    expect(sent('action=query&titles=A&rand=hunter2')).toBe(
      'GET action=query&titles=A&rand=hunter2'
    )
  })
})
