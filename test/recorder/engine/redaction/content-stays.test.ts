/** What people wrote is recorded and replayed byte for byte, however much it looks like a secret; and nothing is learned. */
import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { type FakeAnswer, fakeWiki } from '../../../helpers/fake-wiki.ts'
import { ask, type HttpReply, post } from '../../../helpers/http-client.ts'
import { startProxy } from '../../../helpers/proxies.ts'

type Headers = Readonly<Record<string, string>>
interface Step {
  readonly target: string
  readonly answer: FakeAnswer
  readonly headers?: Headers
}

const typed = (type: string, body: string): FakeAnswer => ({
  body,
  headers: { 'content-type': type }
})
const bodyOf = (answer: FakeAnswer): string =>
  String(typeof answer === 'string' ? answer : answer.body)

/** All are recorded in one run, with nothing said, and come back as the wiki said them. */
async function staysAsItIs(steps: readonly Step[]): Promise<void> {
  let next: FakeAnswer = ''
  const wiki = await fakeWiki(() => next)
  const recording = await startProxy(wiki.api)
  for (const { target, answer, headers = {} } of steps) {
    next = answer
    const reply = await ask(recording.origin + target, { headers })
    expect([target, reply.headers['x-cassette-status']]).toEqual([target, 'recorded'])
  }
  await recording.close()
  expect(recording.reports).toEqual([])
  const replay = await startProxy(undefined, { cassette: recording.cassette })
  for (const { target, answer, headers = {} } of steps)
    expect((await ask(replay.origin + target, { headers })).text).toBe(bodyOf(answer))
}

const api = '/w/api.php?format=json&'
const article = (text: string): Step => ({
  target: `${api}action=parse&page=Article`,
  answer: JSON.stringify({
    parse: { title: 'A', text: { '*': text }, wikitext: { '*': text } }
  })
})

describe.each(['alreadyblocked', 'cantunblock', 'blockedasrange', 'ipb_already_blocked'])(
  '%s',
  (code) => {
    it('names a vandal, whose address stays in the log, the history and the list of blocks', async () => {
      const vandal = '203.0.113.9'
      await staysAsItIs([
        {
          target: `${api}action=query&titles=B`,
          answer: JSON.stringify({
            error: { code, info: `The IP address ${vandal} is blocked.` }
          })
        },
        {
          target: `${api}action=query&list=blocks`,
          answer: JSON.stringify({ query: { blocks: [{ user: vandal }] } })
        },
        {
          target: `${api}action=query&list=usercontribs&ucuser=${vandal}`,
          answer: JSON.stringify({ query: { usercontribs: [{ user: vandal }] } })
        },
        {
          target: `/wiki/Special:Contributions/${vandal}`,
          answer: typed('text/html', `<p>${vandal}</p>`)
        },
        article(`blocked ${vandal}`)
      ])
    })
  }
)

const pair = (name: string, value: string): string => JSON.stringify({ [name]: value })
const pages: readonly (readonly [string, string, FakeAnswer])[] = [
  [
    'raw JSON',
    '/w/index.php?title=A.json&action=raw',
    typed('application/json', pair('token', 'Wikipedia'))
  ],
  [
    'raw JSON of contacts',
    '/w/index.php?title=B.json&action=raw',
    typed('application/json', pair('email', 'contact@museum.example'))
  ],
  [
    'a raw script',
    '/w/index.php?title=MediaWiki:Common.js&action=raw&ctype=text/javascript',
    typed(
      'text/javascript',
      'var x = { password: "Battle of Hastings 1066", token: "museum" }'
    )
  ],
  [
    'raw wikitext',
    '/w/index.php?title=A&action=raw',
    typed(
      'text/x-wiki',
      '{{Box|password=tart|token=Wikipedia|email=contact@museum.example}}<input name="password" value="tart">'
    )
  ],
  [
    'jsondata',
    `${api}action=jsondata&title=A.tab`,
    JSON.stringify({ jsondata: { token: 'Wikipedia', email: 'contact@museum.example' } })
  ],
  [
    'wikitext of a parse',
    `${api}action=parse&page=A&prop=wikitext`,
    JSON.stringify({ parse: { wikitext: pair('password', 'Wikipedia') } })
  ],
  [
    'a form in an article',
    '/wiki/A',
    typed(
      'text/html',
      '<div class="mw-parser-output"><input name="password" value="Wikipedia"></div>'
    )
  ],
  [
    'an export',
    '/w/api.php?action=query&export&exportnowrap&titles=A',
    typed(
      'text/xml; charset=utf-8',
      '<mediawiki><text>password=Wikipedia token="museum" secret: contact@museum.example</text></mediawiki>'
    )
  ],
  [
    'formatted XML',
    '/w/api.php?action=query&prop=revisions&titles=A&format=xmlfm',
    typed(
      'text/html',
      '<pre class="api-pretty-content">&lt;?xml version="1.0"?>&lt;api>&lt;rev>password=Wikipedia token="museum"&lt;/rev>&lt;/api></pre>'
    )
  ],
  [
    'a formatted raw text',
    '/w/api.php?action=query&titles=A&format=rawfm',
    typed(
      'text/html',
      '<pre class="api-pretty-content">password = Wikipedia\n token = museum</pre>'
    )
  ]
]

describe('after a page of pairs that look like secrets, their words stay everywhere', () => {
  it.each(pages)('%s', async (_, target, answer) => {
    await staysAsItIs([
      { target, answer },
      article('Wikipedia, the museum and the tart; contact@museum.example'),
      {
        target: `${api}action=query&titles=Wikipedia`,
        answer: JSON.stringify({
          query: { normalized: [{ from: 'wikipedia', to: 'Wikipedia' }] }
        })
      }
    ])
  })
})

it('the title in a cookie stays in the article', async () => {
  const headers = { cookie: 'lastPage=Battle_of_Stalingrad_1942; skin=Vector_2022_night' }
  await staysAsItIs([
    { ...article('The Battle_of_Stalingrad_1942 in Vector_2022_night'), headers },
    {
      target: `${api}action=query&titles=Battle_of_Stalingrad_1942`,
      answer: '{"query":{"x":"Battle_of_Stalingrad_1942"}}',
      headers
    }
  ])
})

describe('an address that many have', () => {
  const own = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address)

  it.each(['10.0.0.1', '192.168.0.1', '172.16.3.4', 'fd00::1234:5678', ...own])(
    '%s stays in an article',
    async (one) => {
      const headers: Headers = own.includes(one) ? {} : { 'x-forwarded-for': one }
      await staysAsItIs([
        { ...article(`set the router to ${one}`), headers },
        {
          target: `${api}action=query&titles=User:${one}`,
          answer: JSON.stringify({
            query: { pages: { '-1': { title: `User:${one}` } } }
          }),
          headers
        },
        {
          target: `/w/index.php?title=User:${one}&action=raw`,
          answer: typed('text/x-wiki', one),
          headers
        }
      ])
    }
  )
})

it('the contact of a program stays in the article that names it', async () => {
  const headers = {
    'user-agent': 'museum-bot/1 (https://museum.example; press@museum.example)',
    from: 'press@museum.example'
  }
  await staysAsItIs([
    { ...article('Write to press@museum.example.'), headers },
    {
      target: '/w/index.php?title=Museum&action=raw',
      answer: typed('text/x-wiki', 'press@museum.example'),
      headers
    },
    {
      target: `${api}action=query&list=search&srsearch=press@museum.example`,
      answer: JSON.stringify({
        query: { search: [{ title: 'A', snippet: 'press@museum.example' }] }
      }),
      headers
    }
  ])
})

it('options with names like secrets and tokens that tests send lose no answer', async () => {
  const wiki = await fakeWiki(() => '{"options":"success","x":"dark mode"}')
  const recording = await startProxy(wiki.api)
  const replies: HttpReply[] = []
  for (const body of [
    'action=options&format=json&optionname=userjs-my-password-tool&optionvalue=dark%20mode',
    'action=options&format=json&change=userjs-token-colour%3Dblue',
    'action=edit&format=json&title=A&text=b&token=badtoken'
  ])
    replies.push(await post(recording.api, body))
  const other = await ask(
    `${recording.api}?action=query&format=json&titles=badtoken|dark%20mode|blue`
  )
  await recording.close()
  expect(
    [...replies, other].map(({ headers }) => headers['x-cassette-status'])
  ).not.toContain('passthrough')
  expect(recording.reports).toEqual([])
})
