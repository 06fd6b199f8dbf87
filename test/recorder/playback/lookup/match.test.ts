import { describe, expect, it } from 'vitest'
import type {
  Interaction,
  RecordedResponse
} from '../../../../src/recorder/cassette/interaction.ts'
import { writeCompact } from '../../../../src/recorder/json/write-json.ts'
import {
  findMatch,
  type Match,
  withRefusedOrigin
} from '../../../../src/recorder/playback/lookup/match.ts'
import { derive } from '../../../../src/recorder/request/derive.ts'
import { keyForExactOrder } from '../../../../src/recorder/request/scoped-keys.ts'
import { apiRequest } from '../../../helpers/api-requests.ts'
import { factsOfWiki } from '../../../helpers/described-wikis.ts'
import { jsonBody, response } from '../../../helpers/recorded.ts'

const facts = factsOfWiki('1.43')
const empty = '{"batchcomplete":"","query":{}}'

/** A recording of that request with that JSON, or with whole responses. */
function record(
  query: string,
  body: string | readonly [RecordedResponse, ...RecordedResponse[]] = empty,
  inOrder = false
): Interaction {
  const derived = derive(apiRequest(query), facts)
  const {
    key,
    canonical,
    sentValues: asked
  } = inOrder ? keyForExactOrder(derived) : derived
  const responses: Interaction['responses'] =
    typeof body === 'string' ? [response(jsonBody(body))] : body
  return { key, request: canonical, sentValues: asked, responses }
}

const match = (query: string, ...recordings: readonly Interaction[]): Match =>
  findMatch(
    apiRequest(query),
    derive(apiRequest(query), facts),
    (key) => recordings.find((one) => one.key === key),
    facts.site
  )

const outcome = (query: string, ...recordings: readonly Interaction[]): string => {
  const found = match(query, ...recordings)
  return found.kind === 'recorded'
    ? found.reordered
      ? 'reordered'
      : 'recorded'
    : found.kind
}

const served = (query: string, ...recordings: readonly Interaction[]): string => {
  const found = match(query, ...recordings)
  if (found.kind !== 'recorded') return found.kind
  const { body } = found.response
  return body.kind === 'json' ? writeCompact(body.tree, 'utf8') : body.kind
}

describe('findMatch', () => {
  it('finds the same request in any spelling that its key folds', () => {
    const recording = record('action=query&list=allpages&aplimit=10&format=json')
    expect(outcome('format=jsonfm&list=allpages&action=query', recording)).toBe(
      'recorded'
    )
    expect(outcome('action=query&list=allpages&aplimit=11', recording)).toBe('missing')
  })

  it('never takes an equal key for an equal request', () => {
    const real = record('action=query&list=allpages')
    const colliding = { ...record('action=query&list=allimages'), key: real.key }
    expect(outcome('action=query&list=allpages', colliding)).toBe('missing')
    expect(
      outcome('action=query&list=allpages', {
        ...real,
        request: new Map([...real.request, ['x', '1']])
      })
    ).toBe('missing')
  })

  it('turns nothing round in an answer that is not JSON', () => {
    const bytes = record('action=query&titles=A|B', [
      response({ kind: 'binary', bytes: Buffer.from('no JSON') })
    ])
    expect(outcome('action=query&titles=A|B', bytes)).toBe('recorded')
    expect(outcome('action=query&titles=B|A', bytes)).toBe('other-order')
  })

  it('serves a closed list of values in any order, whichever was recorded', () => {
    const [one, two] = ['general|namespaces', 'namespaces|general'].map(
      (props) => `action=query&meta=siteinfo&siprop=${props}`
    )
    expect([
      outcome(one ?? '', record(two ?? '')),
      outcome(two ?? '', record(one ?? ''))
    ]).toEqual(['reordered', 'reordered'])
    expect(outcome(one ?? '', record(one ?? ''))).toBe('recorded')
  })

  it.each([
    ['warnings', '{"warnings":{},"query":{}}'],
    ['an error', '{"error":{}}'],
    ['errors', '{"errors":[]}'],
    [
      'a list of finished modules',
      '{"continue":{"continue":"||info|categories"},"query":{}}'
    ]
  ])('does not serve another order of an answer with %s', (_name, body) => {
    expect(
      outcome(
        'action=query&prop=info|categories&titles=А',
        record('action=query&prop=categories|info&titles=А', body)
      )
    ).toBe('other-order')
  })
})

describe('findMatch with another order', () => {
  describe('of several props', () => {
    const page = '"pageid":1,"ns":0,"title":"А"'
    const info = '"touched":"T","length":3'
    const categories = '"categories":[{"title":"К"}]'
    const answer = (...said: readonly string[]): string =>
      `{"batchcomplete":"","query":{"pages":{"1":{${[page, ...said].join()}},"-1":{"ns":0,"title":"Б","missing":""}}}}`
    const query = 'action=query&titles=А|Б&prop='

    it('has what each module says where the request names it', () => {
      const recording = record(
        `${query}info|categories`,
        answer(info ?? '', categories ?? '')
      )
      expect(served(`${query}categories|info`, recording)).toBe(
        answer(categories ?? '', info ?? '')
      )
      expect(served(`${query}info|categories`, recording)).toBe(
        answer(info ?? '', categories ?? '')
      )
    })

    it.each([
      [
        'it is not certain who said what',
        'info|mystery',
        answer(info ?? '', '"other":1')
      ],
      [
        'it does not stand as the request had it',
        'info|categories',
        answer(categories ?? '', info ?? '')
      ],
      [
        'it goes on, and tells so in the order of the modules',
        'info|categories',
        '{"continue":{"clcontinue":"1|А","continue":"||info"},"query":{"pages":{}}}'
      ]
    ])('is missed where %s', (_, props, body) => {
      const other = props.split('|').toReversed().join('|')
      const found = match(`${query}${other}`, record(`${query}${props}`, body))
      expect(found.kind === 'other-order' && found.why).toContain('"prop"')
    })
  })

  it('does not serve another order of text, or of what was answered twice', () => {
    const text = response({ kind: 'text', text: 'x' })
    expect(
      outcome(
        'action=query&prop=info|categories',
        record('action=query&prop=categories|info', [text])
      )
    ).toBe('other-order')
    const twice = [response(jsonBody(empty)), response(jsonBody(empty))] as const
    expect(
      outcome('action=query&titles=Б|А', record('action=query&titles=А|Б', [...twice]))
    ).toBe('other-order')
  })

  it('does not serve another order of an open list', () => {
    expect(
      outcome(
        'action=query&list=blocks&bkusers=Б|А',
        record('action=query&list=blocks&bkusers=А|Б')
      )
    ).toBe('other-order')
    expect(
      outcome(
        'action=paraminfo&modules=query|main',
        record('action=paraminfo&modules=main|query')
      )
    ).not.toBe('reordered')
  })

  it('prefers a recording of the very order', () => {
    const folded = record(
      'action=query&list=blocks&bkusers=А|Б',
      '{"query":{"blocks":[1]}}'
    )
    const exact = record(
      'action=query&list=blocks&bkusers=Б|А',
      '{"query":{"blocks":[2]}}',
      true
    )
    expect(served('action=query&list=blocks&bkusers=Б|А', folded, exact)).toBe(
      '{"query":{"blocks":[2]}}'
    )
    expect(served('action=query&list=blocks&bkusers=А|Б', folded, exact)).toBe(
      '{"query":{"blocks":[1]}}'
    )
  })
})

describe('titles in another order or spelling', () => {
  const pages =
    '"-1":{"ns":0,"title":"Нет","missing":""},"-2":{"ns":0,"title":"Ничто","missing":""},"5":{"pageid":5,"ns":0,"title":"Волга"}'
  const recording = record(
    'action=query&titles=Нет|Ничто|Волга',
    `{"batchcomplete":"","query":{"pages":{${pages}}}}`
  )

  it('number what is missing as the request does', () => {
    expect(served('action=query&titles=Ничто|Волга|Нет', recording)).toBe(
      '{"batchcomplete":"","query":{"pages":{"-1":{"ns":0,"title":"Ничто","missing":""},"-2":{"ns":0,"title":"Нет","missing":""},"5":{"pageid":5,"ns":0,"title":"Волга"}}}}'
    )
  })

  it('are normalized as that version does, where no recorded entry shows how', () => {
    const normalized = '"normalized":[{"from":"нет","to":"Нет"}]'
    expect(served('action=query&titles=нет|Ничто|Волга', recording)).toBe(
      `{"batchcomplete":"","query":{${normalized},"pages":{${pages}}}}`
    )
    const newer = '"normalized":[{"fromencoded":false,"from":"нет","to":"Нет"}]'
    const body =
      '{"batchcomplete":true,"query":{"pages":[{"ns":0,"title":"Нет","missing":true}]}}'
    const second = record('action=query&titles=Нет&formatversion=2', body)
    expect(served('action=query&titles=нет&formatversion=2', second)).toBe(
      body.replace('"pages"', `${newer},"pages"`)
    )
  })

  it('are normalized like recorded ones', () => {
    const normalized = record(
      'action=query&titles=волга',
      '{"batchcomplete":"","query":{"normalized":[{"from":"волга","to":"Волга"}],"pages":{"5":{"pageid":5,"ns":0,"title":"Волга"}}}}'
    )
    expect(served('action=query&titles=Волга', normalized)).toBe(
      '{"batchcomplete":"","query":{"pages":{"5":{"pageid":5,"ns":0,"title":"Волга"}}}}'
    )
    expect(served('action=query&titles=_Волга', normalized)).toBe(
      '{"batchcomplete":"","query":{"normalized":[{"from":"_Волга","to":"Волга"}],"pages":{"5":{"pageid":5,"ns":0,"title":"Волга"}}}}'
    )
  })
})

describe('titles that are a miss', () => {
  it.each([
    [
      'a page of another name',
      '{"query":{"normalized":[{"from":"б","to":"Б"}],"pages":{"5":{"pageid":5,"ns":2,"title":"Участница:Алиса"},"6":{"pageid":6,"ns":0,"title":"Б"}}}}',
      'Участник:Алиса|Б'
    ],
    [
      'an invalid title in another spelling',
      '{"query":{"pages":{"-1":{"title":"А]","invalid":""},"6":{"pageid":6,"ns":0,"title":"Б"}}}}',
      'А|Б'
    ],
    [
      'another member of query',
      '{"query":{"interwiki":[],"pages":{"5":{"pageid":5,"ns":0,"title":"А"},"6":{"pageid":6,"ns":0,"title":"Б"}}}}',
      'А|Б'
    ],
    [
      'a continuation',
      '{"continue":{"continue":"-||"},"query":{"pages":{"5":{"pageid":5,"ns":0,"title":"А"},"6":{"pageid":6,"ns":0,"title":"Б"}}}}',
      'А|Б'
    ],
    ['too few pages', '{"query":{"pages":{"5":{"pageid":5,"ns":0,"title":"А"}}}}', 'А|Б'],
    [
      "an order that is not the database's",
      '{"query":{"pages":{"9":{"pageid":9,"ns":0,"title":"Б"},"5":{"pageid":5,"ns":0,"title":"А"},"7":{"pageid":7,"ns":0,"title":"В"}}}}',
      'А|Б|В'
    ]
  ])('are a miss where the answer holds %s', (_name, body, titles) => {
    const turned = titles.split('|').reverse().join('|')
    expect(
      served(
        `action=query&titles=${turned}`,
        record(`action=query&titles=${titles}`, body)
      )
    ).toBe('other-order')
  })
})

describe('a refused origin', () => {
  it('is kept for callers from that origin', () => {
    const query = 'action=query&list=allpages&origin=https://x'
    const refused = withRefusedOrigin(apiRequest(query), derive(apiRequest(query), facts))
    const recording: Interaction = {
      key: refused?.key ?? expect.fail('no key'),
      request: refused?.canonical ?? new Map(),
      sentValues: new Map(),
      responses: [response({ kind: 'text', text: 'no' }, { status: 403 })]
    }
    expect(outcome(query, recording)).toBe('recorded')
    expect(outcome('action=query&list=allpages', recording)).toBe('missing')
    expect(outcome('action=query&list=allpages&origin=https://y', recording)).toBe(
      'missing'
    )
    expect(
      withRefusedOrigin(
        apiRequest('action=query'),
        derive(apiRequest('action=query'), facts)
      )
    ).toBeUndefined()
  })
})

describe('another spelling with the same answer', () => {
  it('is an empty continue', () => {
    const recording = record('action=query&titles=A')
    expect(outcome('action=query&titles=A&continue=', recording)).toBe('recorded')
    expect(
      outcome('action=query&titles=A', record('action=query&titles=A&continue='))
    ).toBe('recorded')
    expect(outcome('action=query&titles=A&continue=-||', recording)).toBe('missing')
    expect(outcome('action=query&titles=A&rawcontinue=', recording)).toBe('missing')
    expect(outcome('action=parse&page=A&continue=', record('action=parse&page=A'))).toBe(
      'missing'
    )
  })

  it('is formatversion=2 of what opensearch finds, not of its errors', () => {
    const query = 'action=opensearch&search=A'
    expect(outcome(`${query}&formatversion=2`, record(query, '["A",[],[],[]]'))).toBe(
      'recorded'
    )
    expect(outcome(query, record(`${query}&formatversion=2`, '["A",[],[],[]]'))).toBe(
      'recorded'
    )
    expect(outcome(`${query}&formatversion=2`, record(query, '{"error":{}}'))).toBe(
      'missing'
    )
  })
})

describe('an error that holds warnings, as with warningsaserror', () => {
  const query = 'action=opensearch&search=A&warningsaserror='
  const refused = (names: string): string =>
    `{"error":{"code":"warnings","warnings":{"main":{"*":"Unrecognized parameters: ${names}."}}}}`

  it('is not that of a request whose callback has read `_`', () => {
    const recording = record(`${query}&foo=1&_=1`, refused('foo, _'))
    expect(outcome(`${query}&foo=1&_=1&callback=f`, recording)).toBe('missing')
  })
})

describe('an answer that warns of unknown parameters', () => {
  const query = 'action=query&prop=info|bogus'
  const warned = (names: string): string =>
    `{"warnings":{"main":{"*":"Unrecognized parameters: ${names}."},"query":{"*":"bogus"}},"query":{}}`

  it('is served in the order that it lists them in', () => {
    const recording = record(`${query}&foo=1&bar=2`, warned('foo, bar'))
    expect(outcome(`${query}&foo=1&bar=2`, recording)).toBe('recorded')
    expect(outcome(`${query}&bar=2&foo=1`, recording)).toBe('other-order')
    expect(outcome(`${query}&bar=2&foo=1`, record(`${query}&foo=1&bar=2`))).toBe(
      'recorded'
    )
  })

  it('lists them in what main says, whatever sentences of modules name', () => {
    const asked = 'action=nobodyknows&format=json&foo=1'
    const inSentences = `"nobodyknows":{"*":"a legacy format has been used"}`
    const old = record(
      asked,
      `{"warnings":{"main":{"*":"Unrecognized parameter: 'foo'"},${inSentences}},"nobodyknows":{}}`
    )
    expect(outcome(asked, old)).toBe('recorded')

    const listed =
      '{"code":"unrecognizedparams","text":"Unrecognized: bar, foo.","module":"main"}'
    const more = '{"code":"x","text":"The foo is not bar.","module":"query"}'
    const modern = record(
      `${query}&bar=1&foo=2`,
      `{"warnings":[${more},${listed}],"query":{}}`
    )
    expect(outcome(`${query}&bar=1&foo=2`, modern)).toBe('recorded')
    expect(outcome(`${query}&foo=2&bar=1`, modern)).toBe('other-order')
  })

  it('lists them where it has no JSON, too: in XML, and after a format that failed', () => {
    const xml = `<?xml version="1.0"?><api><warnings><main xml:space="preserve">Unrecognized parameters: foo, bar.</main></warnings></api>`
    const recording = record(`${query}&format=xml&foo=1&bar=2`, [
      response({ kind: 'text', text: xml })
    ])
    expect(outcome(`${query}&format=xml&foo=1&bar=2`, recording)).toBe('recorded')
    expect(outcome(`${query}&format=xml&bar=2&foo=1`, recording)).toBe('other-order')

    const failed = `${warned('foo, bar').slice(0, -1)},"error":{"code":"badvalue"}}`
    const inNone = record(`${query}&format=json&formatversion=9&foo=1&bar=2`, [
      response({ kind: 'text', text: failed })
    ])
    expect(outcome(`${query}&format=json&formatversion=9&foo=1&bar=2`, inNone)).toBe(
      'recorded'
    )
    expect(outcome(`${query}&format=json&formatversion=9&bar=2&foo=1`, inNone)).toBe(
      'other-order'
    )
  })
})

describe('values that hooks may read', () => {
  it('are answered as they were recorded, and from recordings that do not name them', () => {
    const recording = record('action=parse&page=A&dtenable=0', '{"parse":{}}')
    expect(outcome('action=parse&page=A&dtenable=0', recording)).toBe('recorded')
    expect(outcome('action=parse&page=A&dtenable=1', recording)).toBe('other-order')
  })
})

describe('members in the order of values', () => {
  it('are turned together with titles', () => {
    const recording = record(
      'action=query&titles=A|B&prop=categories|links&meta=siteinfo|userinfo',
      '{"batchcomplete":"","query":{"pages":{"-1":{"ns":0,"title":"A","missing":""},"-2":{"ns":0,"title":"B","missing":""}},"general":{},"userinfo":{}}}'
    )
    expect(
      served(
        'action=query&titles=B|A&prop=links|categories&meta=userinfo|siteinfo',
        recording
      )
    ).toBe(
      '{"batchcomplete":"","query":{"pages":{"-1":{"ns":0,"title":"B","missing":""},"-2":{"ns":0,"title":"A","missing":""}},"userinfo":{},"general":{}}}'
    )
  })
})
