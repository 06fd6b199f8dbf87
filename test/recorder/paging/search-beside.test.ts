/** A search beside other lists; answers as 1.39 and 1.43 gave them. */
import { expect, test } from 'vitest'
import { tapeOf } from './tape.ts'

const { record, ask } = tapeOf({ database: 'sqlite' })
const names = (from: number, to: number) =>
  ['mw-blank', 'mw-replace', 'mw-undo'].slice(from, to).map((name) => ({ name }))
const found = (limit: number) =>
  [108, 235].slice(0, limit).map((pageid) => ({ ns: 0, title: `${pageid}`, pageid }))
const searchinfo = { totalhits: 2 }

test('is one of them, with the members that it adds', () => {
  const query = 'list=search|tags&srsearch=1'
  const first = record(`${query}&srlimit=2&tglimit=2&continue=`, {
    batchcomplete: '',
    continue: { tgcontinue: 'mw-undo', continue: '-||search' },
    query: { searchinfo, search: found(2), tags: names(0, 2) }
  })
  const second = record(
    `${query}&srlimit=2&tglimit=2&tgcontinue=mw-undo&continue=-||search`,
    { batchcomplete: '', query: { tags: names(2, 3) } }
  )
  expect(
    JSON.parse(ask(`${query}&srlimit=7&tglimit=5&continue=`, first, second))
  ).toEqual({
    batchcomplete: '',
    query: { searchinfo, search: found(2), tags: names(0, 3) }
  })
})
