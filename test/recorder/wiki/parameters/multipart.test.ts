/** Multipart bodies as PHP reads them. What each gives was asked of PHP 8.2; test/live/bodies.test.ts asks it again, of drawn ones. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseMultipart } from '../../../../src/recorder/wiki/parameters/multipart.ts'

const type = 'multipart/form-data; boundary=X'
const goesOn = 'a line of it begins with its boundary and goes on'
const notPlain = 'a part of it has no plain Content-Disposition'
const field = (name: string, content: string): object => ({
  name,
  filename: undefined,
  content
})
const read = (body: string, contentType = type): unknown => {
  return parseMultipart(contentType, body)
}
const part = (disposition: string, content = 'v'): string =>
  `--X\nContent-Disposition: ${disposition}\n\n${content}\n--X--\n`

describe('line ends', () => {
  it.each(['\r\n', '\n'])('%j', (end) => {
    const body = [
      ...['--X', 'Content-Disposition: form-data; name="action"', '', 'upload'],
      ...[
        '--X',
        'Content-Type: text/plain',
        'Content-Disposition: form-data; name="chunk"; filename="C"'
      ],
      ...['', 'one\r\ntwo\nthree', '--X--', '']
    ].join(end)
    expect(read(body)).toEqual([
      field('action', 'upload'),
      { name: 'chunk', filename: 'C', content: 'one\r\ntwo\nthree' }
    ])
  })

  it('a lone CR ends no line', () => {
    expect(read(part('form-data; name="a"').replaceAll('\n', '\r'))).toBe(goesOn)
  })

  it('only one line end before a boundary is not content', () => {
    expect(read(part('form-data; name="a"', 'v\r\n\r'))).toEqual([field('a', 'v\r\n')])
    expect(read(part('form-data; name="a"', ''))).toEqual([field('a', '')])
  })
})

describe('boundaries', () => {
  it.each([
    ['multipart/form-data; boundary="X"'],
    ['multipart/form-data;charset=utf-8;boundary=X;q=1'],
    ['Multipart/Form-Data, BOUNDARY=X']
  ])('%s', (contentType) => {
    expect(read(part('form-data; name="a"'), contentType)).toEqual([field('a', 'v')])
  })

  it.each([
    ['multipart/form-data'],
    ['multipart/form-data; boundary="X'],
    ['multipart/form-data; boundary']
  ])('%s names none', (contentType) => {
    expect(read(part('form-data; name="a"'), contentType)).toBe(
      'its content type names no boundary'
    )
  })

  it('a line end in front of the first, as programs in C# write it, is no text', () => {
    expect(read(`\r\n${part('form-data; name="a"')}`)).toEqual([field('a', 'v')])
    expect(read(`lost\n${part('form-data; name="a"')}`)).toBe(
      'it does not begin with its boundary'
    )
    expect(read('--Y--')).toBe('it does not begin with its boundary')
  })

  it('what PHP reads in a way of its own is refused: a line that goes on, parts behind the end', () => {
    expect(read(`--X \n${part('form-data; name="a"')}`)).toBe(goesOn)
    expect(read(part('form-data; name="a"', 'v\n--Xtra\nlost'))).toBe(goesOn)
    expect(read(part('form-data; name="a"').repeat(2))).toBe(goesOn)
  })

  it('a part without an end is refused', () => {
    const open = (disposition: string): string =>
      part(disposition, 'v\nw').replace('\n--X--\n', '\n--')
    expect(read(open('form-data; name="a"'))).toBe('a part of it has no end')
    expect(read('--X\nContent-Disposition: form-data; name="a"\n')).toBe(
      'a part of it ends within its head'
    )
  })
})

describe('names', () => {
  it.each([
    ['form-data; name="a"', ['a']],
    ['form-data; filename="a"', 'a part of it has no name'],
    ['form-data;NAME=a;x=y', ['a']],
    ['form-data; name=title; other*=utf-8', ['title']],
    ['form-data; name="a;b=c"', ['a;b=c']],
    [String.raw`form-data; name="q\"q\\z\n"`, [String.raw`q"q\z\n`]],
    ['form-data; name="a"; name="b"', ['b']],
    ['form-data; name="a"\n ; name="folded"', ['folded']],
    ["form-data; name='a'", notPlain],
    ['form-data; name=a b', notPlain],
    ['form-data; name = "a"', notPlain],
    ['form-data; name="a', notPlain],
    ['form-data; name="a"\n\t; name="b" c', notPlain],
    ['form-data; name="a"\nno header', notPlain],
    ['form-data; name="a\0b"', notPlain]
  ])('%j', (disposition, expected) => {
    expect(read(part(disposition))).toEqual(
      typeof expected === 'string' ? expected : expected.map((name) => field(name, 'v'))
    )
  })

  it.each(['chunk; filename=a.png', '"chunk"; filename="a.png"'])(
    '%s, and again as .NET adds it',
    (name) => {
      for (const again of ["utf-8''a.png", "UTF-8'en'%D0%90.png"])
        expect(read(part(`form-data; name=${name}; filename*=${again}`))).toEqual([
          { name: 'chunk', filename: 'a.png', content: 'v' }
        ])
    }
  )

  it('a part without a disposition is refused', () => {
    expect(
      read(`--X\nContent-Type: text/plain\n\nlost\n${part('form-data; name="a"')}`)
    ).toBe(notPlain)
    expect(read(`--X\n\nlost\n${part('form-data; name="a"')}`)).toBe(notPlain)
  })

  it('more parts than PHP reads by default are refused', () => {
    const many = Array.from({ length: 1001 }, (_, at) =>
      part(`form-data; name="n${at}"`).replace('--X--\n', '')
    )
    expect(read(`${many.join('')}--X--\n`)).toBe('it has more parts than PHP reads')
  })
})

it('ends on any bytes whatever, in time that grows with them', () => {
  const pieces = fc.constantFrom(
    '--X',
    '\n',
    '\r\n',
    ': ',
    '"',
    "'",
    ';',
    '=',
    '\\',
    'name',
    '\0'
  )
  fc.assert(
    fc.property(
      fc.array(fc.oneof(pieces, fc.string({ unit: 'binary-ascii' })), { maxLength: 60 }),
      (soup) => {
        read(soup.join(''))
      }
    )
  )
  for (const piece of [
    '--X\n',
    '--X',
    '\n',
    '\\"',
    'a: b\n',
    '--X\nContent-Disposition: x; name=a\n\n'
  ])
    read(piece.repeat(50_000))
})
