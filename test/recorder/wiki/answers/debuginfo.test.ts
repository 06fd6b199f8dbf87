import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeCompact } from '../../../../src/recorder/json/write-json.ts'
import {
  emptyPageBlocks,
  holdsPageBlock,
  stripDebuginfo,
  stripDebuginfoText as stripText
} from '../../../../src/recorder/wiki/answers/debuginfo.ts'
import { answerOf, goldenSeeds, readable } from '../../../helpers/golden-calls.ts'
import { treeOf } from '../../../helpers/recorded.ts'

const stripDebuginfoText = (text: string, type: string) => stripText(text, type, true)

describe('debuginfo of JSON', () => {
  it.each([
    '{"debuginfo":{"mwVersion":"1.25.4"},"a":1,"b":2}',
    '{"a":1,"debuginfo":{"mwVersion":"1.25.4"},"b":2}',
    '{"a":1,"b":2,"debuginfo":{"mwVersion":"1.25.4"}}'
  ])('is cut out wherever it stands: %s', (text) => {
    const { rest, engine } = stripDebuginfo(treeOf(text))
    expect([writeCompact(rest, 'ascii'), engine]).toEqual(['{"a":1,"b":2}', '1.25.4'])
  })

  it('is left alone where it is content', () => {
    const text = '{"query":{"debuginfo":{"mwVersion":"x"}},"a":"debuginfo"}'
    expect(stripDebuginfo(treeOf(text))).toEqual({
      rest: treeOf(text),
      engine: undefined
    })
    expect(stripDebuginfo(treeOf('["debuginfo"]')).rest).toEqual(treeOf('["debuginfo"]'))
  })

  it.each(
    goldenSeeds
      .filter(({ body }) => body.includes('debuginfo'))
      .map((call) => [readable(call), call] as const)
  )('of a real 1.25.4 leaves the answer byte for byte: %s', (_name, call) => {
    const text = Buffer.from(answerOf(call).body).toString('utf8')
    const { rest, engine } = stripDebuginfo(treeOf(text))
    const cut = text.indexOf('"debuginfo":')
    expect(engine).toBe('1.25.4')
    expect(`${text.slice(0, cut).replace(/,$/, '')}}`).toBe(writeCompact(rest, 'ascii'))
  })
})

describe('the block of a page that is a value', () => {
  const page =
    '<script>mw.config.set({"debugInfo":{"mwVersion":"1.43.9","request":{"COOKIE":"a}=\\"1"}}});</script>'

  it('is emptied in JSON', () => {
    const tree = treeOf(JSON.stringify({ help: { help: page }, other: 'x' }))
    expect(holdsPageBlock(JSON.stringify({ page }))).toBe(true)
    const text = writeCompact(emptyPageBlocks(tree), 'utf8')
    expect(JSON.parse(text)).toEqual({
      help: { help: '<script>mw.config.set({"debugInfo":{}});</script>' },
      other: 'x'
    })
    expect(holdsPageBlock(text)).toBe(false)
  })

  it.each([
    ['text/xml', `<api><help>${page.replaceAll('<', '&lt;')}</help></api>`],
    [
      'text/xml',
      `<api help="${page.replaceAll('<', '&lt;').replaceAll('"', '&quot;')}" />`
    ],
    ['application/vnd.php.serialized', serialize({ help: page })]
  ])('keeps an answer in another format from being recorded: %s', (type, text) => {
    expect(stripDebuginfoText(text, type)).toBeUndefined()
  })
})

/** PHP's serialize, lengths in bytes. */
function serialize(value: unknown): string {
  if (value === null) return 'N;'
  if (typeof value === 'boolean') return `b:${value ? 1 : 0};`
  if (typeof value === 'number')
    return Number.isInteger(value) ? `i:${value};` : `d:${value};`
  if (typeof value === 'string') return `s:${Buffer.byteLength(value)}:"${value}";`
  const entries = Array.isArray(value)
    ? value.map((item, at) => [at, item] as const)
    : Object.entries(value ?? {})
  return `a:${entries.length}:{${entries.map(([key, item]) => serialize(key) + serialize(item)).join('')}}`
}

describe('debuginfo of php', () => {
  const info = {
    mwVersion: '1.43.9',
    time: 0.5,
    log: [{ msg: 'Волга";}' }],
    nothing: null,
    yes: true
  }

  it.each([
    [{ query: { title: 'Волга' }, debuginfo: info }, { query: { title: 'Волга' } }],
    [{ debuginfo: info, query: ['"debuginfo"', '😀'] }, { query: ['"debuginfo"', '😀'] }],
    [
      { a: 1.5, debuginfo: info, b: null },
      { a: 1.5, b: null }
    ],
    [{ debuginfo: info }, {}]
  ])('is cut out with lengths that count bytes: %j', (sent, kept) => {
    expect(stripDebuginfoText(serialize(sent), 'application/vnd.php.serialized')).toEqual(
      {
        rest: serialize(kept),
        engine: '1.43.9'
      }
    )
  })

  it('is not mistaken for content of that name', () => {
    const text = serialize({ query: { debuginfo: info, text: 's:9:"debuginfo";' } })
    expect(stripDebuginfoText(text, 'application/vnd.php.serialized')).toEqual({
      rest: text,
      engine: undefined
    })
  })
})

describe('debuginfo of php, wherever it stands', () => {
  it('never survives: what cannot be parsed is refused', () => {
    for (const text of [
      'debuginfo',
      'a:1:{s:9:"debuginfo";O:3:"Foo":0:{}}',
      'a:2:{s:9:"debuginfo";N;',
      'a:9:{s:9:"debugXnfo";N;}debuginfo',
      'a:1:{s:99:"debuginfo";N;}'
    ])
      expect(
        stripDebuginfoText(text, 'application/vnd.php.serialized'),
        text
      ).toBeUndefined()
  })

  it('is found in any array, however deep', () => {
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.string({ unit: 'grapheme' }),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.string({ unit: 'grapheme-ascii' }), tie('value'), {
          maxKeys: 3
        })
      )
    })).value
    fc.assert(
      fc.property(value, value, value, (before, inside, after) => {
        const stripped = stripDebuginfoText(
          serialize({ a: before, debuginfo: { mwVersion: '1.1', x: inside }, z: after }),
          'application/vnd.php.serialized'
        )
        expect(stripped).toEqual({
          rest: serialize({ a: before, z: after }),
          engine: '1.1'
        })
      })
    )
    const deep = `a:1:{s:9:"debuginfo";${'a:1:{i:0;'.repeat(100_000)}N;${'}'.repeat(100_000)}}`
    expect(stripDebuginfoText(deep, 'application/vnd.php.serialized')).toEqual({
      rest: 'a:0:{}',
      engine: undefined
    })
  })
})

describe('debuginfo of other formats', () => {
  it('is not seen in the script that shows it', () => {
    const text =
      'mw.loader.impl(function(){var debugInfo=data;node(": "+this.data.mwVersion+" ")})'
    expect(stripDebuginfoText(text, 'text/javascript')).toEqual({
      rest: text,
      engine: undefined
    })
  })

  it('is emptied in the scripts of a page, and refused where the page shows it too', () => {
    const script =
      '<script>mw.config.set({"debugInfo":{"mwVersion":"1.43.9","log":[{"msg":"}\\""}]}});</script>'
    expect(stripDebuginfoText(`<p>x</p>${script}`, 'text/html')).toEqual({
      rest: '<p>x</p><script>mw.config.set({"debugInfo":{}});</script>',
      engine: '1.43.9'
    })
    expect(
      stripDebuginfoText(`&lt;debuginfo mwVersion="1.43.9"&gt;${script}`, 'text/html')
    ).toBeUndefined()
    expect(stripDebuginfoText(script.slice(0, -20), 'text/html')).toBeUndefined()
  })

  it('is cut out of xml', () => {
    const block =
      '<debuginfo mwVersion="1.43.9" time="0.1"><log><_v msg="&lt;/debuginfo>" /></log></debuginfo>'
    expect(
      stripDebuginfoText(
        `<?xml version="1.0"?><api><query title="debuginfo" />${block}</api>`,
        'text/xml'
      )
    ).toEqual({
      rest: '<?xml version="1.0"?><api><query title="debuginfo" /></api>',
      engine: '1.43.9'
    })
    expect(
      stripDebuginfoText(
        '<?xml version="1.0"?><api title="debuginfo"/>',
        'application/rsd+xml'
      )?.engine
    ).toBeUndefined()
    expect(
      stripDebuginfoText('<api><debuginfo mwVersion="1">', 'application/rsd+xml')
    ).toBeUndefined()
  })

  it.each(['', 'fn.x'])(
    'is cut out of JSON that is kept as text, callback "%s"',
    (callback) => {
      const wrapped = (json: string): string =>
        callback === '' ? json : `/**/${callback}(${json})`
      const type = callback === '' ? 'application/manifest+json' : 'text/javascript'
      const block = '"debuginfo":{"mwVersion":"1.43.9","log":[{"msg":"(})"}]}'
      expect(stripDebuginfoText(wrapped(`{"a":1.50,${block},"b":"\\/"}`), type)).toEqual({
        rest: wrapped('{"a":1.50,"b":"\\/"}'),
        engine: '1.43.9'
      })
      expect(
        stripDebuginfoText(wrapped(`{"html":${JSON.stringify(`{${block}}`)}}`), type)
      ).toBeUndefined()
      expect(stripDebuginfoText(wrapped(`{"a":,${block}}`), type)).toBeUndefined()
    }
  )

  it('is refused in pages that show it and allowed where text only mentions it', () => {
    for (const type of ['text/html', 'application/json', 'text/plain', ''])
      expect(
        stripDebuginfoText('&quot;debuginfo&quot;: { &quot;mwVersion&quot;', type),
        type
      ).toBeUndefined()
    expect(stripDebuginfoText('how to read debuginfo', 'text/html')).toEqual({
      rest: 'how to read debuginfo',
      engine: undefined
    })
    expect(stripDebuginfoText('', 'application/rsd+xml')).toEqual({
      rest: '',
      engine: undefined
    })
  })
})

/** Pages of MediaWiki 1.35, 1.39 and 1.43 for `titles=A%26B`, less most of the block and of the skin. */
describe('debuginfo in a page for people', () => {
  const page = (shown: string, script: string) =>
    `<body class="skin-apioutput action-view"><div class="api-pretty-header"><p>format=<kbd>xml</kbd></p></div>` +
    `<pre class="api-pretty-content">${shown}</pre>\n<div class="printfooter"></div>\n` +
    `<script>(RLQ=window.RLQ||[]).push(function(){mw.config.set({"debugInfo":${script}});mw.config.set({"wgBackendResponseTime":49});});</script></body></html>`
  const script = (version: string) =>
    `{"mwVersion":"${version}","log":[{"msg":"MWDebug output complete"}],"debugLog":["\\nCOOKIE: a=1\\n<pre class=\\"x\\">"]}`
  const attributes = (version: string) =>
    `mwVersion="${version}" phpEngine="PHP" memory="1,1 Мб"`
  const xml = (block: string) => `&lt;?xml version="1.0"?>
&lt;api batchcomplete="">
  &lt;query>
    &lt;pages>
      &lt;page _idx="-1" ns="0" title="A&amp;amp;B" missing="" />
    &lt;/pages>
  &lt;/query>${block}
&lt;/api>`
  const xmlBlock = (version: string) => `
  &lt;debuginfo ${attributes(version)}>
    &lt;debugLog>
      &lt;msg>

Start request GET /w/api.php?action=query&amp;amp;titles=A%26B&amp;amp;format=xmlfm
COOKIE: a=1&lt;/msg>
    &lt;/debugLog>
  &lt;/debuginfo>`
  const php = (count: number, block: string) =>
    `a:${count}:{s:13:"batchcomplete";s:0:"";s:5:"query";a:1:{s:5:"pages";a:1:{i:-1;a:3:{s:2:"ns";i:0;s:5:"title";s:3:"A&amp;B";s:7:"missing";s:0:"";}}}${block}}`
  const phpBlock = (version: string) =>
    `s:9:"debuginfo";a:2:{s:9:"mwVersion";s:${version.length}:"${version}";s:8:"debugLog";a:1:{i:0;s:8:"&lt;Мб&amp;b>";}}`
  const strip = (text: string) => stripDebuginfoText(text, 'text/html')

  it.each(['1.35.13', '1.39.17', '1.43.9'])(
    'leaves the page that a wiki without the toolbar writes: %s',
    (version) => {
      expect(strip(page(xml(xmlBlock(version)), script(version)))).toEqual({
        rest: page(xml(''), '{}'),
        engine: version
      })
      expect(strip(page(php(3, phpBlock(version)), script(version)))).toEqual({
        rest: page(php(2, ''), '{}'),
        engine: version
      })
    }
  )

  it('leaves an empty element where the answer was nothing else', () => {
    const empty = (rest: string) => `&lt;?xml version="1.0"?>\n&lt;api${rest}`
    const sent = empty(` batchcomplete="">${xmlBlock('1.43.9')}\n&lt;/api>`)
    expect(strip(page(sent, '{}'))?.rest).toBe(page(empty(' batchcomplete="" />'), '{}'))
  })

  const shown = xml(xmlBlock('1.43.9'))
  it.each([
    [
      'highlighted',
      page(shown.replace('&lt;query>', '<span class="nt">&lt;query></span>'), '{}')
    ],
    ['escaped in another way', page(shown.replaceAll('>', '&gt;'), '{}')],
    ['shown twice', page(`${shown}</pre><pre class="api-pretty-content">${shown}`, '{}')],
    ['cut off', page(shown.slice(0, -30), '{}')],
    ['of no such format', page(phpBlock('1.43.9'), '{}')]
  ])('is refused where it is %s', (_, text) => {
    expect(strip(text)).toBeUndefined()
  })

  it('is content in a page of the wiki', () => {
    expect(stripText(page(shown, '{}'), 'text/html', false)).toBeUndefined()
  })
})
