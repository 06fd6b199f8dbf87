/** Warnings about a whole request stand before the head of an answer, in whatever answer is made of it. */
import { expect, test } from 'vitest'
import { rowsOf, tapeOf } from './tape.ts'

const { record, ask } = tapeOf()
const query = (limit: number): string => `list=allpages&aplimit=${limit}&continue=&foo=1`
const warnings = { main: { '*': 'Unrecognized parameter: foo.' } }
const rows = rowsOf('0|1|A', '0|2|B')
const membersIn = (said: string): readonly string[] =>
  Object.keys(JSON.parse(said) as object)

test('a smaller batch has the warning where the recorded one has it', () => {
  const before = record(query(500), {
    warnings,
    batchcomplete: '',
    query: { allpages: rows }
  })
  expect(membersIn(ask(query(1), before))).toEqual([
    'warnings',
    'batchcomplete',
    'continue',
    'query'
  ])
  const behind = record(query(500), {
    batchcomplete: '',
    warnings,
    query: { allpages: rows }
  })
  expect(membersIn(ask(query(1), behind))).toEqual([
    'batchcomplete',
    'continue',
    'warnings',
    'query'
  ])
})
