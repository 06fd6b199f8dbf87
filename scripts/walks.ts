/**
 * `npx tsx scripts/walks.ts`: writes test/fixtures/walks-1.43.ndjson.gz, what the lab's MediaWiki 1.43 answers on the
 * first steps through each listing, at three limits. A line each: the listing's name, the limit, the query, the answer.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { writeCompact } from '../src/recorder/json/write-json.ts'
import { bundledLookup } from '../src/recorder/wiki/modules/module-descriptions.ts'
import { cases } from './fidelity/cases.ts'
import { walk } from './fidelity/run.ts'
import { RealWiki } from './fidelity/wiki.ts'
import { labUrl } from './wiki/lab.ts'

/** So many answers at each limit. */
const steps = [
  [2, 4],
  [7, 5],
  [50, 2]
] as const

const wiki = new RealWiki(labUrl('1.43'), {
  lookup: bundledLookup('MediaWiki 1.43.9'),
  site: undefined
})
const lines: string[] = []
for (const one of cases.filter(({ query }) => query !== 'list=random')) {
  for (const [limit, most] of steps) {
    const { interactions } = await walk(wiki, one, limit, 'continue', most)
    for (const { request, sentValues: asked, responses } of interactions) {
      const [{ body }] = responses
      if (body.kind !== 'json') throw new Error(`no JSON: ${one.name}`)
      const params = [...request].map(([name, value]) => [name, asked.get(name) ?? value])
      lines.push(
        `${JSON.stringify({ name: one.name, limit, params })}\t${writeCompact(body.tree, 'utf8')}\n`
      )
    }
  }
  console.log(one.name)
}
wiki.close()
const file = fileURLToPath(
  new URL('../test/fixtures/walks-1.43.ndjson.gz', import.meta.url)
)
writeFileSync(file, gzipSync(lines.join(''), { level: 9 }))
