/** One cassette, one wiki: a suite whose test files, each in a worker of its own, name one cassette for two wikis. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { farm } from '../../helpers/farm.ts'
import { project } from './nested.ts'

const source = (apiUrl: string): string => `
import { expect, it } from 'vitest'
import { useCassette } from 'wikitape/vitest'

it('asks ${apiUrl}', async () => {
  useCassette('shared', { apiUrl: '${apiUrl}' })
  const { query } = await (await fetch('${apiUrl}?action=query&list=allpages&format=json')).json()
  expect(query.answeredBy.path).toBe(new URL('${apiUrl}').pathname)
})
`

it('lets one of two wikis have the cassette, and gives the other none of its answers', async () => {
  const host = await farm({
    '/en/api.php': { wikiid: 'enwiki' },
    '/de/api.php': { wikiid: 'dewiki' }
  })
  const en = `${host.origin}/en/api.php`
  const de = `${host.origin}/de/api.php`
  const { cassettes, write, run } = project()
  write({ 'en.test.js': source(en), 'de.test.js': source(de) })
  const statuses: number[] = []
  // At once, in whatever order; then again, from the cassette.
  for (let time = 0; time < 2; time += 1) {
    const { tests, files, code } = await run()
    statuses.push(code)
    const errors = [
      ...Object.values(tests).flatMap((one) => one.errors),
      ...Object.values(files)
    ].join('')
    expect(errors).toContain('is a recording of')
    expect(errors).not.toContain('AssertionError')
  }
  expect(statuses).toEqual([1, 1])
  const { upstream } = JSON.parse(
    readFileSync(path.join(cassettes, 'shared', 'cassette.json'), 'utf8')
  )
  expect([en, de]).toContain(upstream)
  // The other one alone: refused, with both addresses.
  const other = upstream === en ? de : en
  const { tests } = await run({}, [`${other === en ? 'en' : 'de'}.test.js`])
  expect(Object.values(tests).map(({ status }) => status)).toEqual(['failed'])
  expect(Object.values(tests)[0]?.errors[0]).toContain(
    `is a recording of ${upstream}, not of ${other}`
  )
})
