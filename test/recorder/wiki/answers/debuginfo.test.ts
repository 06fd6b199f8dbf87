import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeCompact } from '../../../../src/recorder/json/write-json.ts'
import {
  emptyPageBlocks,
  holdsPageBlock,
  stripDebuginfo,
  stripDebuginfoText
} from '../../../../src/recorder/wiki/answers/debuginfo.ts'
import { answerOf, goldenSeeds, readable } from '../../../helpers/golden-calls.ts'
import { treeOf } from '../../../helpers/recorded.ts'

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
