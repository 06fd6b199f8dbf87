import { expect, test } from 'vitest'
import { readContinue } from '../../../../src/recorder/wiki/parameters/continue-param.ts'

const read = (text: string): ReturnType<typeof readContinue> =>
  readContinue(new Map([['continue', text]]))
const none = { repeated: [], isGeneratorDone: false, finished: [] }

test('an empty one, or none, says that all modules run', () => {
  expect(readContinue(new Map())).toEqual(none)
  for (const text of ['', '||']) expect(read(text)).toEqual(none)
})

test('names parameters to repeat, or that the generator is done, and finished modules', () => {
  expect(read('gapfrom|foo||info')).toEqual({
    ...none,
    repeated: ['gapfrom', 'foo'],
    finished: ['info']
  })
  expect(read('-||info|links')).toEqual({
    repeated: [],
    isGeneratorDone: true,
    finished: ['info', 'links']
  })
})

test('in another form is one that the wiki refuses', () => {
  for (const text of ['bogus', '-', '||||', 'a||b||c']) expect(read(text)).toBeUndefined()
})
