// The same tests for jest, mocha and node:test; where no runner has put `describe` and `it` there, node's own are taken.
import assert from 'node:assert/strict'
import { withCassette } from 'wikitape/testing'

const runner = process.env.RUNNER === 'node:test' ? await import('node:test') : globalThis
const apiUrl = process.env.WIKI

const list = async (from) => {
  const answer = await fetch(
    `${apiUrl}?action=query&list=allpages&apfrom=${from}&format=json`
  )
  return answer.json()
}

runner.describe('a client', () => {
  runner.it(
    'lists pages',
    withCassette({ apiUrl }, async () => {
      assert.match((await list('A')).query.asked, /apfrom=A/)
    })
  )

  runner.it(
    'lists others',
    withCassette({ apiUrl }, async () => {
      assert.match((await list('B')).query.asked, /apfrom=B/)
    })
  )

  runner.it('is failed for what nobody recorded', async () => {
    const test = withCassette({ apiUrl, name: 'nothing', mode: 'none' }, () =>
      list('C').catch(() => 'a client may keep quiet about it')
    )
    await assert.rejects(test(), /request could not be answered/)
  })
})
