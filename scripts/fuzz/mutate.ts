/** Inputs out of other inputs: what parsers stumble over, drawn by a seed so that every run can be had again. */

export type Draw = (below: number) => number

/** Mulberry32. */
export function drawFrom(seed: number): Draw {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const words: readonly string[] = [
  ...[
    '"',
    '\\',
    '\\"',
    '\\u0000',
    '\\ud800',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '{"a":1}',
    '[[[[',
    'null',
    '-0',
    '1e999'
  ],
  ...[
    '&',
    '=',
    '%',
    '%00',
    '%ff',
    '%ED%A0%80',
    '+',
    '|',
    '\u001f',
    '[]',
    '[a][b]',
    '__proto__',
    'constructor',
    ';'
  ],
  ...[
    '\r\n',
    '\n',
    '\0',
    '\ufeff',
    '\u2028',
    '\ud83d',
    'é',
    '\u200b',
    '<',
    '>',
    '<!--',
    '-->',
    '<debuginfo',
    '</debuginfo>'
  ],
  ...[
    'a:1:{',
    'i:0;',
    's:9:"debuginfo";',
    's:99999999:"',
    'O:8:"stdClass":0:{}',
    'mwVersion',
    '"debuginfo":{',
    'mw.config.set({"debugInfo":{'
  ],
  ...[
    'token=',
    '+\\',
    '"token":"',
    'a@b.c',
    '2001:db8::1',
    '10.0.0.1',
    'eyJhbGciOi.eyJ.x',
    '-----BEGIN PRIVATE KEY-----',
    'Basic '
  ],
  ...[
    'action=',
    'query',
    'list=allpages',
    'titles=',
    'apfrom=',
    'format=json',
    'callback=',
    'requestid=',
    'continue=',
    'rawcontinue='
  ],
  ...[
    'request',
    'responses',
    'json',
    'lines',
    'base64',
    'file',
    'headers',
    'status',
    'cookies',
    '../',
    '/etc/passwd',
    '/~',
    '@'
  ],
  ...[
    'Host: ',
    'Content-Length: 0',
    'Transfer-Encoding: chunked',
    'X-Cassette: ',
    'HTTP/1.1',
    'POST ',
    '0\r\n\r\n',
    '\r\n\r\n'
  ],
  ...[
    '- ',
    '? ',
    '!!binary ',
    '&x',
    '*x',
    '|-',
    '---',
    '<<: ',
    "'",
    '#',
    '//',
    '/*',
    'expires=',
    'Max-Age=-1',
    '--x',
    '9'.repeat(400)
  ]
]

const longest = 4096

export function mutate(input: string, other: string, draw: Draw): string {
  let text = input
  for (let turns = 1 + draw(4); turns > 0; turns -= 1) text = once(text, other, draw)
  return text.length > longest
    ? text.slice(draw(text.length - longest + 1)).slice(0, longest)
    : text
}

function once(text: string, other: string, draw: Draw): string {
  const at = draw(text.length + 1)
  const length = draw(Math.min(40, text.length - at + 1))
  const part = text.slice(at, at + length)
  const before = text.slice(0, at)
  const behind = text.slice(at + length)
  switch (draw(8)) {
    case 0:
      return before + behind
    case 1:
      return before + part.repeat(1 + draw(6)) + behind
    case 2:
      return before + String.fromCharCode(draw(draw(3) === 0 ? 65_536 : 256)) + behind
    case 3:
      return before + part + (words[draw(words.length)] ?? '') + behind
    case 4:
      return before + (words[draw(words.length)] ?? '') + behind
    case 5:
      return before + other.slice(draw(other.length + 1))
    case 6:
      return before + String(draw(2) === 0 ? draw(1000) : -draw(2 ** 31)) + behind
    default:
      return text.slice(at) + before
  }
}
