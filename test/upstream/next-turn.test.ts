/** Between two parts of long work others are served. */
import { readFile } from 'node:fs'
import { expect, it } from 'vitest'
import { nextTurn } from '../../src/upstream/next-turn.ts'

it('what waits is served before work goes on that data which came in had begun', async () => {
  const served: string[] = []
  await new Promise<void>((resolve) => {
    readFile(new URL(import.meta.url), () => {
      setTimeout(() => served.push('somebody else'), 0)
      const began = performance.now()
      while (performance.now() - began < 5);
      nextTurn().then(() => {
        served.push('the long work')
        resolve()
      }, resolve)
    })
  })
  expect(served).toEqual(['somebody else', 'the long work'])
})
