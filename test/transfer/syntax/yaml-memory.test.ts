/** What texts out of YAML cost, by the letter: measured after the collector ran, not by time. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { readYaml } from '../../../src/transfer/syntax/read-yaml.ts'

function collector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect !== 'function') throw new Error('V8 gave no collector')
  return () => void collect()
}

/** Bytes that stay taken for each letter of what a text holds. */
function bytesPerLetter(text: string, letters: number): number {
  const collect = collector()
  collect()
  const before = process.memoryUsage().heapUsed
  const read = readYaml(text)
  collect()
  const taken = process.memoryUsage().heapUsed - before
  expect(read.ok).toBe(true)
  return taken / letters
}

const letters = 500_000
const line = 'Текст "и" ещё текст. '

it.each([
  ['in double quotes', `a: ${JSON.stringify(line.repeat(letters / line.length))}\n`],
  ['in single quotes', `a: '${line.repeat(letters / line.length)}'\n`],
  ['in a block', `a: |\n${`  ${line}\n`.repeat(letters / line.length)}`]
])('a text %s takes two bytes a letter, not thirty', (_, text) => {
  // Read once before, so that what the library keeps for good is not counted.
  readYaml('a: "x"\n')
  expect(bytesPerLetter(text, letters)).toBeLessThan(6)
})
