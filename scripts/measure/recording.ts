/** Measures of recording, as a markdown table: `npm run build && npx tsx scripts/measure/recording.ts`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { measureClients, measureCost } from './clients.ts'
import { measureKills } from './kill.ts'
import { standIn } from './stand-in.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'wikitape-measure-'))
const wiki = await standIn()
try {
  const clients = await measureClients(wiki, path.join(folder, 'clients'), 64, 100)
  const cost = await measureCost(wiki, path.join(folder, 'cost'), 200, 5000)
  const kills = await measureKills(wiki, folder, 20)
  const ms = (value: number): string => `${value.toFixed(2)} ms`
  const rows: readonly (readonly [string, string])[] = [
    ['kill -9 during `capture` of 2,000: rounds', String(kills.rounds)],
    ['… interactions acknowledged / lost', `${kills.acknowledged} / ${kills.lost}`],
    ['… files unreadable (drafts left behind)', `${kills.unreadable} (${kills.drafts})`],
    [
      '64 clients × the same 100 requests: answered / failed',
      `${clients.requests} / ${clients.failed}`
    ],
    [
      '… asked of the wiki / most for one key / files',
      `${clients.hits} / ${clients.mostHits} / ${clients.files}`
    ],
    ['a request straight to the stand-in, median', ms(cost.direct)],
    ['a recorded one, median of the first 200', ms(cost.first)],
    ['a recorded one, median of the 4,801st to 5,000th', ms(cost.last)]
  ]
  console.log(
    [
      '| measure | value |',
      '| --- | --- |',
      ...rows.map(([what, value]) => `| ${what} | ${value} |`)
    ].join('\n')
  )
} finally {
  await wiki.close()
  rmSync(folder, { recursive: true, force: true })
}
