/** Where real wikis put `requestid` and `debuginfo`, and that taking them out and putting them back is exact. */
import { describe, expect, it } from 'vitest'
import { labUrl, labWikisAnswering } from '../../scripts/wiki/lab.ts'
import { renderReply } from '../../src/recorder/http/render-reply.ts'
import { cutMembers } from '../../src/recorder/json/edit-json.ts'
import { requestKey } from '../../src/recorder/request/request-key.ts'
import {
  stripDebuginfo,
  stripDebuginfoText
} from '../../src/recorder/wiki/answers/debuginfo.ts'
import { equalIgnoringVolatile } from '../../src/recorder/wiki/answers/volatile.ts'
import {
  mediaType,
  type WikiAnswer
} from '../../src/recorder/wiki/answers/wiki-answer.ts'
import { apiRequest } from '../helpers/api-requests.ts'
import { toRecordedResponse } from '../helpers/converted.ts'
import { treeOf } from '../helpers/recorded.ts'

const queries = [
  'action=query&list=allpages&aplimit=1',
  'action=query&list=allpages&aplimit=1&rawcontinue=',
  'action=query&list=allpages&aplimit=max',
  'action=query&list=allpages&aplimit=1&bogus=1&formatversion=2',
  'action=query&list=allpages|nope&aplimit=900',
  'action=query&titles=Волга|Нет такого&bogus=1&responselanginfo=1',
  'action=query&list=usercontribs',
  'action=query&list=usercontribs&errorformat=plaintext&utf8=',
  'action=query&list=allpages|nope&aplimit=abc',
  'action=nonsense',
  'action=parse&text={{PAGENAME}}&title=Волга&disablelimitreport=1',
  'action=opensearch&search=Волга',
  'action=logout'
] as const

async function ask(url: string, query: string): Promise<WikiAnswer> {
  const response = await fetch(`${url}?${encodeURI(query)}`)
  return {
    status: response.status,
    headers: new Map(response.headers),
    setCookies: response.headers.getSetCookie(),
    body: new Uint8Array(await response.arrayBuffer())
  }
}

describe.each(await labWikisAnswering())('MediaWiki %s', (version) => {
  const url = labUrl(version)

  it.each(queries)(
    'gets its answer back exactly, requestid and all: %s',
    async (query) => {
      const asked = `${query}&format=json&requestid=Ы"`
      const answer = await ask(url, asked)
      const request = apiRequest(asked)
      const taking = toRecordedResponse(request, answer, 0)
      if (taking.kind === 'refused') return expect.fail(taking.reason)
      expect(taking.response.body.kind).toBe('json')
      const reply = renderReply(taking.response, request, {
        status: 'replayed',
        key: requestKey(new Map()),
        now: 0
      })
      if (typeof reply === 'string') return expect.fail(reply)
      expect(reply.body.toString('utf8')).toBe(
        cutMembers(Buffer.from(answer.body).toString('utf8'), ['debuginfo'])
      )
    }
  )

  it.each(['xml', 'php'])(
    'loses its debuginfo in %s, and nothing else',
    async (format) => {
      const query = `action=query&titles=Волга|Нет такого&prop=info&format=${format}`
      const { headers, body } = await ask(url, query)
      const text = Buffer.from(body).toString('utf8')
      expect(text).toContain('debuginfo')
      const stripped = stripDebuginfoText(text, mediaType(headers))
      expect(stripped?.engine).toMatch(new RegExp(`^${version.replace('.', '\\.')}\\.`))
      expect(stripped?.rest).not.toMatch(/debuginfo|mwVersion/)
      expect(stripped?.rest).toContain('Волга')
      const lengths = [...(stripped?.rest ?? '').matchAll(/s:(\d+):"([^"]*)";/g)]
      for (const [, length, value = ''] of lengths)
        expect(Buffer.byteLength(value)).toBe(Number(length))
      expect(stripped?.rest.endsWith(format === 'xml' ? '</api>' : '}')).toBe(true)
    }
  )

  it.each(['xmlfm', 'phpfm'])(
    'loses its debuginfo in a page for people, of %s',
    async (format) => {
      const query = `action=query&titles=Волга&prop=info&format=${format}`
      const taking = toRecordedResponse(apiRequest(query), await ask(url, query), 0)
      if (taking.kind === 'refused' || taking.response.body.kind !== 'text')
        return expect.fail('not recorded as text')
      const { text } = taking.response.body
      expect(text).not.toMatch(/debuginfo|mwVersion/)
      expect(text).toMatch(/(?:\n {2}&lt;\/query>\n&lt;\/api>|;\}{4})<\/pre>/)
      expect(text).toContain('Волга')
    }
  )

  it('varies between two parses of one page by its reports alone', async () => {
    const query = 'action=parse&page=Волга&prop=text|headhtml&format=json&formatversion=2'
    const [one, two] = [await ask(url, query), await ask(url, query)].map(
      ({ body }) => stripDebuginfo(treeOf(Buffer.from(body).toString('utf8'))).rest
    )
    expect(
      one !== undefined && two !== undefined && equalIgnoringVolatile(one, two)
    ).toBe(true)
  })
})
