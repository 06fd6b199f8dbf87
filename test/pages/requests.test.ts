/** Requests as people paste them into Ask, and as Copy gives them to other programs. */
import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { readRequest } from '../../ui/request/asked-request.ts'
import { copyForms } from '../../ui/request/copy-as.ts'

describe('a pasted request', () => {
  const url = 'https://wiki.example/w/api.php?action=query&list=allpages'

  it.each([
    ['action=query&list=allpages', 'action=query&list=allpages&format=json', undefined],
    ['?action=query&format=xml', 'action=query&format=xml', undefined],
    [url, url, undefined],
    [`GET ${url}`, url, undefined],
    ['POST /w/api.php\naction=edit\ntitle=A', '/w/api.php', 'action=edit&title=A'],
    [`curl '${url}'`, url, undefined],
    [`curl -s -H 'Cookie: a=b' --compressed "${url}"`, url, undefined],
    [
      'curl https://w.example/api.php -d action=edit -d title=A',
      'https://w.example/api.php',
      'action=edit&title=A'
    ],
    [
      'curl -G https://w.example/api.php \\\n  -d action=query --data-urlencode "titles=a b"',
      'https://w.example/api.php?action=query&titles=a%20b',
      undefined
    ],
    [
      "curl -X POST --url=https://w.example/api.php --data='action=login'",
      'https://w.example/api.php',
      'action=login'
    ],
    [
      "curl -daction=query 'https://w.example/api.php' -H $'X: it\\'s'",
      'https://w.example/api.php',
      'action=query'
    ]
  ])('%s', (text, address, form) => {
    expect(readRequest(text)).toEqual({ address, form })
  })
})

describe('a copied request', () => {
  const params = [
    ['action', 'query'],
    ['titles', 'It\'s|"a" $HOME \\ Б&c=d'],
    ['format', 'json']
  ] as const
  const formsOf = (isPost: boolean) =>
    new Map(copyForms({ api: 'https://wiki.example/w/api.php', params, isPost }))

  it.each([false, true])(
    'as curl is read again as the same request by Ask, posted: %s',
    (isPost) => {
      const { address, form } = readRequest(formsOf(isPost).get('curl') ?? '')
      const query = isPost ? (form ?? '') : (address.split('?')[1] ?? '')
      expect([...new URLSearchParams(query)]).toEqual(params)
      expect(form === undefined).toBe(!isPost)
    }
  )

  it('as curl gives a shell these very words', () => {
    const line = (formsOf(false).get('curl') ?? '').replace(/^curl/, "printf '%s\\n'")
    expect(
      spawnSync('sh', ['-c', line], { encoding: 'utf8' }).stdout.split('\n')
    ).toContain(`titles=${params[1][1]}`)
  })

  it('as fetch is JavaScript that sends it', async () => {
    const sent: string[] = []
    const fetch = async (target: string): Promise<object> => {
      sent.push(target)
      return { json: () => ({}) }
    }
    const code = `return (async () => { ${formsOf(false).get('fetch')} })()`
    await (new Function('fetch', code) as (fetch: unknown) => Promise<void>)(fetch)
    expect([...new URL(sent[0] ?? '').searchParams]).toEqual(params)
  })

  it('as Python names every parameter, and mwclient the host', () => {
    const forms = formsOf(true)
    expect(forms.get('Python, requests')).toContain(
      '"titles": "It\'s|\\"a\\" $HOME \\\\ Б&c=d",'
    )
    expect(forms.get('Python, mwclient')).toContain(
      'mwclient.Site("wiki.example", path="/w/", scheme="https")'
    )
    const python = spawnSync('python3', [
      '-c',
      `import ast; ast.parse(${JSON.stringify(forms.get('Python, mwclient'))})`
    ])
    expect(python.error === undefined ? python.status : 0).toBe(0)
  })
})
