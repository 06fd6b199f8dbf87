/** Multipart bodies as PHP reads them. What each gives was asked of PHP 8.2; test/live/bodies.test.ts asks it again, of drawn ones. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseMultipart } from '../../../src/wiki/parameters/multipart.ts'

const type = 'multipart/form-data; boundary=X'
const field = (name: string, content: string): object => ({ name, filename: undefined, content })
const read = (body: string, contentType = type): unknown => {
  const parting = parseMultipart(contentType, body)
  return parting.kind === 'parts' ? parting.parts : parting.reason
}
const part = (disposition: string, content = 'v'): string =>
  `--X\nContent-Disposition: ${disposition}\n\n${content}\n--X--\n`

describe('line ends', () => {
  it.each(['\r\n', '\n'])('%j', (end) => {
    const body = [
      ...['--X', 'Content-Disposition: form-data; name="action"', '', 'upload'],
      ...['--X', 'Content-Type: text/plain', 'Content-Disposition: form-data; name="chunk"; filename="C"'],
      ...['', 'one\r\ntwo\nthree', '--X--', ''],
    ].join(end)
    expect(read(body)).toEqual([
      field('action', 'upload'),
      { name: 'chunk', filename: 'C', content: 'one\r\ntwo\nthree' },
    ])
  })

  it('a lone CR ends no line, so that there is no part', () => {
    expect(read(part('form-data; name="a"').replaceAll('\n', '\r'))).toEqual([])
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
    ['Multipart/Form-Data, BOUNDARY=X'],
  ])('%s', (contentType) => {
    expect(read(part('form-data; name="a"'), contentType)).toEqual([field('a', 'v')])
  })

  it.each([['multipart/form-data'], ['multipart/form-data; boundary="X'], ['multipart/form-data; boundary']])(
    '%s names none',
    (contentType) => {
      expect(read(part('form-data; name="a"'), contentType)).toBe('its content type names no boundary')
    },
  )

  it('a line that goes on after the boundary begins no part, but ends one', () => {
    expect(read(`--X \n${part('form-data; name="a"')}`)).toEqual([field('a', 'v')])
    expect(read(part('form-data; name="a"', 'v\n--Xtra\nlost'))).toEqual([field('a', 'v')])
  })

  it('a field without an end goes on to the end of the body, a file without one is broken', () => {
    const open = (disposition: string): string => part(disposition, 'v\nw').replace('\n--X--\n', '\n--')
    expect(read(open('form-data; name="a"'))).toEqual([field('a', 'v\nw')])
    expect(read(open('form-data; name="a"; filename="f"'))).toBe('its file f has no end')
  })
})

describe('names', () => {
  it.each([
    ['form-data; name="a"', 'a'],
    ["form-data; name='a'", 'a'],
    ['form-data; name=a b', 'a'],
    ['form-data; name = "a"', undefined],
    ['form-data;NAME=a;x=y', 'a'],
    ['form-data; name="a;b=c"', 'a;b=c'],
    [String.raw`form-data; name="q\"q\\z\n"`, String.raw`q"q\z\n`],
    ['form-data; name="a"; name="b"', 'b'],
    ['form-data; name="a"\n ; name="folded"', 'folded'],
  ])('%s', (disposition, name) => {
    const expected = name === undefined ? 'a part of it has no name' : [field(name, 'v')]
    expect(read(part(disposition))).toEqual(expected)
  })

  it('a part without a disposition is passed over', () => {
    expect(read(`--X\nContent-Type: text/plain\n\nlost\n${part('form-data; name="a"')}`)).toEqual([
      field('a', 'v'),
    ])
  })

  it('more parts than PHP reads by default are refused', () => {
    const many = Array.from({ length: 1001 }, (_, at) =>
      part(`form-data; name="n${at}"`).replace('--X--\n', ''),
    )
    expect(read(`${many.join('')}--X--\n`)).toBe('it has more parts than PHP reads')
  })
})

it('ends on any bytes whatever, in time that grows with them', () => {
  const pieces = fc.constantFrom('--X', '\n', '\r\n', ': ', '"', "'", ';', '=', '\\', 'name', '\0')
  fc.assert(
    fc.property(
      fc.array(fc.oneof(pieces, fc.string({ unit: 'binary-ascii' })), { maxLength: 60 }),
      (soup) => {
        read(soup.join(''))
      },
    ),
  )
  for (const piece of ['--X\n', '--X', '\n', '\\"', 'a: b\n', '--X\nContent-Disposition: x; name=a\n\n'])
    read(piece.repeat(50_000))
})
