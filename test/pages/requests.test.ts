/** Requests as people paste them into Ask. */
import { describe, expect, it } from 'vitest'
import { readRequest } from '../../ui/request/asked-request.ts'

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
