/** Lines of access logs: all formats, and whatever strangers send. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LogLineReader } from '../../../src/cli/access-log/log-lines.ts'
import { clientName } from '../../../src/cli/access-log/log-tally.ts'
import { character } from '../../helpers/any-text.ts'
import { rounds } from '../../helpers/scale.ts'

const line = (request: string, userAgent = 'curl/8.1', address = '203.0.113.9'): string =>
  `${address} - - [10/Nov/2026:13:55:36 +0100] "${request}" 200 2326 "-" "${userAgent}"`
const time = Date.UTC(2026, 10, 10, 12, 55, 36)
const query = 'action=query&titles=A%7CB&format=json'
const get = `GET /w/api.php?${query} HTTP/1.1`
const request = { method: 'GET', path: '/w/api.php', query, time, userAgent: 'curl/8.1' }

const readAccessLogLine = (text: string) => new LogLineReader().read(text)

describe('lines of JSON', () => {
  const iso = new Date(time).toISOString()
  const target = `/w/api.php?${query}`
  it.each([
    [
      'Wikimedia',
      {
        dt: iso,
        http_method: 'GET',
        uri_path: '/w/api.php',
        uri_query: `?${query}`,
        user_agent: 'curl/8.1',
        ip: '203.0.113.9'
      }
    ],
    [
      'nginx, the request whole',
      { time_iso8601: iso, request: get, http_user_agent: 'curl/8.1' }
    ],
    [
      'nginx, the request in parts',
      {
        time_iso8601: iso,
        request_method: 'GET',
        request_uri: target,
        http_user_agent: 'curl/8.1'
      }
    ],
    [
      'Apache by logstash',
      {
        '@timestamp': iso,
        method: 'GET',
        path: '/w/api.php',
        query_string: query,
        user_agent: 'curl/8.1'
      }
    ],
    [
      'Caddy',
      {
        ts: time / 1000,
        request: { method: 'GET', uri: target, headers: { 'User-Agent': ['curl/8.1'] } }
      }
    ],
    [
      'Traefik',
      {
        StartUTC: iso,
        RequestMethod: 'GET',
        RequestPath: target,
        'request_User-Agent': 'curl/8.1'
      }
    ]
  ])('are read as %s writes them', (_, fields) => {
    expect(readAccessLogLine(JSON.stringify(fields))).toEqual(request)
    expect(readAccessLogLine(`<134>1 ${JSON.stringify(fields)}`)).toEqual(request)
  })

  it.each([
    '{',
    '{}',
    '[]',
    '{"request":3}',
    '{"request":{"uri":{}}}',
    '{"time":"x","request":"GET /"}'
  ])('without a request are none: %s', (text) => {
    expect(readAccessLogLine(text)).toBeUndefined()
  })
})

describe('lines in the extended format of W3C', () => {
  const fields =
    'date time c-ip cs-method cs-uri-stem cs-uri-query cs(User-Agent) sc-status'
  const values = (agent: string) => [
    '2026-11-10',
    '12:55:36',
    '203.0.113.9',
    'GET',
    '/w/api.php',
    query,
    agent,
    '200'
  ]

  it.each([
    ['CloudFront', '\t', 'a%2520b/1'],
    ['IIS', ' ', 'a+b/1']
  ])('are read by the names before them, as %s writes them', (_, separator, agent) => {
    const reader = new LogLineReader()
    expect(reader.read(values(agent).join(separator))).toBeUndefined()
    expect(reader.read('#Version: 1.0')).toBeUndefined()
    expect(reader.read(`#Fields: ${fields}`)).toBeUndefined()
    const read = reader.read(`${values(agent).join(separator)}\r`)
    expect(read).toEqual({ ...request, userAgent: 'a b/1' })
    expect(reader.read(values('-').join(separator))?.userAgent).toBe('')
  })
})

describe('lines in the common and the combined format', () => {
  it('reads the combined and the common format, IPv6, users, virtual hosts, HTTP/2 and absolute addresses', () => {
    expect(readAccessLogLine(line(get))).toEqual(request)
    expect(readAccessLogLine(`${line(get, 'curl/8.1', '2001:db8::1')}\r`)).toEqual(
      request
    )
    expect(
      readAccessLogLine(line(get, 'curl/8.1', 'wiki.example:443 203.0.113.9'))
    ).toEqual(request)
    expect(readAccessLogLine(line(get).replace('- -', '- "a b"'))).toEqual(request)
    expect(readAccessLogLine(line(get.replace('1.1', '2.0')))).toEqual(request)
    expect(
      readAccessLogLine(line(`GET https://wiki.example/w/api.php?${query}#top HTTP/1.1`))
    ).toEqual(request)
    expect(
      readAccessLogLine(`203.0.113.9 - - [10/Nov/2026:13:55:36 +0100] "${get}" 200 -`)
    ).toEqual({
      ...request,
      userAgent: ''
    })
    expect(readAccessLogLine(line('POST /w/api.php HTTP/1.1'))).toMatchObject({
      method: 'POST',
      query: ''
    })
  })

  it('undoes what nginx and Apache escape', () => {
    const escaped = 'GET /w/api.php?titles=\\x22\\xD0\\x90\\x22 HTTP/1.1'
    expect(readAccessLogLine(line(escaped))?.query).toBe('titles="\u00d0\u0090"')
    expect(readAccessLogLine(line(get, 'a \\"b\\" \\\\ \\x22c\\x22'))?.userAgent).toBe(
      'a "b" \\ "c"'
    )
  })

  it.each([
    ['', 'nothing'],
    ['action=query&list=allpages', 'a query string'],
    [line('\\x16\\x03\\x01'), 'a TLS greeting'],
    [line('-'), 'no request'],
    [line('GET /w/api.php?a=b c d HTTP/1.1'), 'spaces'],
    [line(get).replace('Nov', 'Foo'), 'no month'],
    [line(get).slice(0, 60), 'a line that was cut'],
    [JSON.stringify({ request: get }), 'JSON']
  ])('refuses %j: %s', (text) => {
    expect(readAccessLogLine(text)).toBeUndefined()
  })

  it('reads any query and User-Agent back that a server has escaped, and never throws', () => {
    const escaped = (text: string): string =>
      [...Buffer.from(text)]
        .map((byte) =>
          byte < 0x20 || byte > 0x7e || byte === 0x22 || byte === 0x5c
            ? `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`
            : String.fromCharCode(byte)
        )
        .join('')
    const text = fc.string({ unit: 'grapheme' })
    fc.assert(
      fc.property(text, text, (value, agent) => {
        const sent = `titles=${encodeURIComponent(value.toWellFormed())}&x=1`
        const read = readAccessLogLine(
          line(`GET /w/api.php?${sent} HTTP/2.0`, escaped(agent))
        )
        expect(read?.query).toBe(sent)
        expect(Buffer.from(read?.userAgent ?? '', 'latin1').toString()).toBe(
          agent.toWellFormed()
        )
      }),
      { numRuns: rounds(200) }
    )
    fc.assert(
      fc.property(fc.string({ unit: character }), fc.nat(150), (noise, at) => {
        const whole = line(get)
        readAccessLogLine(whole.slice(0, at) + noise + whole.slice(at))
      }),
      { numRuns: rounds(300) }
    )
  })

  it('takes no time for a long line that is nearly one', () => {
    const before = process.cpuUsage()
    readAccessLogLine(`[10/Nov/2026:13:55:36 +0100] "${'\\x22'.repeat(16_000)}`)
    readAccessLogLine(line(`GET /w/api.php?${'a=b&'.repeat(15_000)} `))
    // Of the processor, whatever else the machine does; tried again at each place, it would be minutes.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(5_000)
  })
})

describe('clientName', () => {
  it.each([
    ['', 'no User-Agent'],
    ['-', 'no User-Agent'],
    [
      'mwclient/0.10.1 (https://github.com/mwclient/mwclient)',
      'mwclient/0.10.1 (https://github.com/mwclient/mwclient)'
    ],
    [
      'script (wikipedia:ru; User:Foo) Pywikibot/9.1.0 (g12) Python/3.11.2.final.0',
      'script (wikipedia:ru; User:Foo) Pywikibot/9.1.0 (g12) Python/3.11.2.final.0'
    ],
    ['CoolBot/1.0 (https://example.org; bot@example.org) mwn/2.1', 'CoolBot/1.0 mwn/2.1'],
    ['CoolBot/1.0 (me at example dot org)', 'CoolBot/1.0'],
    ['CoolBot/1.0 from 192.0.2.77', 'CoolBot/1.0'],
    ['CoolBot/1.0 [2001:db8:0:1::7]', 'CoolBot/1.0'],
    ['ask bot@example.org', 'unnamed client'],
    [
      'Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0',
      'browsers'
    ],
    [
      'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
      'Googlebot/2.1'
    ],
    ['Bot/1.0 token=0123456789abcdef0123456789abcdef01234567+\\', 'Bot/1.0'],
    ['\u00d0\u0091\u00d0\u00be\u00d1\u0082/2', 'Бот/2']
  ])('of %j is %j', (sent, name) => {
    expect(clientName(sent)).toBe(name)
  })

  it('is never long', () => {
    expect(clientName('a'.repeat(9000)).length).toBeLessThanOrEqual(200)
  })
})
