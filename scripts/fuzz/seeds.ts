/** What fuzzing starts from: sound inputs of every kind that wikitape reads. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

function textsIn(folder: string, most: number): readonly string[] {
  const files = readdirSync(path.join(root, folder), {
    recursive: true,
    withFileTypes: true
  })
    .filter((entry) => entry.isFile() && /\.(?:json|ya?ml|har|txt)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
  const step = Math.max(1, Math.floor(files.length / most))
  return files
    .filter((_, at) => at % step === 0)
    .map((file) => readFileSync(file, 'utf8').slice(0, 4000))
}

const written: readonly string[] = [
  'action=query&list=allpages&apfrom=A&aplimit=500&format=json&continue=',
  'action=query&prop=info|categories&titles=%D0%92%D0%BE%D0%BB%D0%B3%D0%B0|A&redirects=&formatversion=2',
  'action=login&lgname=A&lgpassword=secret&lgtoken=0123456789abcdef0123456789abcdef%2B%5C',
  '{"query":{"pages":{"1":{"title":"A"},"-1":{"missing":""}}},"debuginfo":{"mwVersion":"1.43.9","log":[{"msg":"{"}]}}',
  '{"query-continue":{"allpages":{"apcontinue":"B"}},"query":{"allpages":[]}}',
  'a:2:{s:5:"query";a:1:{s:5:"token";s:6:"a1b2+\\";}s:9:"debuginfo";a:1:{s:9:"mwVersion";s:4:"1.43";}}',
  '<?xml version="1.0"?><api><query><userinfo id="0" name="10.1.2.3"/></query><debuginfo mwVersion="1.43"><log/></debuginfo></api>',
  '<html><script>mw.config.set({"debugInfo":{"mwVersion":"1.43","log":["a\\"b"]}})</script><!-- NewPP limit report\nCPU 1 -->',
  'x\n--x\r\nContent-Disposition: form-data; name="titles"\r\n\r\nA\r\n--x\nContent-Disposition: form-data; name="f"; filename="a.txt"\n\nb\n--x--',
  'GET /w/api.php?action=query&list=allpages&format=json HTTP/1.1\r\nHost: localhost\r\nX-Cassette-Mode: none\r\n\r\n',
  'POST /~ru-1.43@s/w/api.php HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 12\r\n\r\naction=query',
  'POST /w/api.php HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\na=b&c\r\n0\r\n\r\n',
  'wiki_session=abc; path=/; HttpOnly; expires=Sat, 21 Nov 2026 00:00:00 GMT; Max-Age=3600',
  'https://user:pass@ru.wikipedia.org/w/api.php?action=query&token=abc#x',
  'interactions:\n- request:\n    body: null\n    headers: {}\n    method: GET\n    uri: http://wiki.example/w/api.php?action=query\n  response:\n    body: {string: "{}"}\n    headers: {Content-Type: [application/json]}\n    status: {code: 200, message: OK}\nversion: 1\n',
  '{"log":{"version":"1.2","entries":[{"startedDateTime":"2026-01-01T00:00:00Z","request":{"method":"GET","url":"http://wiki.example/w/api.php?action=query","headers":[]},"response":{"status":200,"headers":[],"content":{"text":"{}"}}}]}}',
  '<<<<<<< ours\n{"request":{}}\n=======\n{"request":{"a":"b"}}\n>>>>>>> theirs\n'
]

export const seeds: readonly string[] = [
  ...written,
  ...textsIn('cassettes/ru-1.43', 60),
  ...textsIn('test/fixtures/recorders', 30)
]
