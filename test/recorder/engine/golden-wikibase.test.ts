import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  askFor,
  callsOf,
  type WikibaseCall,
  wikibaseStandIn,
} from '../../helpers/golden-wikibase.ts'
import { serving } from '../../helpers/program.ts'

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

function halved(calls: readonly WikibaseCall[], seed: number) {
  const random = seeded(seed)
  const recorded: WikibaseCall[] = []
  const asked: WikibaseCall[] = []
  for (const call of calls) (random() < 0.5 ? recorded : asked).push(call)
  return { recorded, asked }
}

const moduleOf = ({ url }: WikibaseCall): string => {
  const [place = '', search = ''] = url.split('?')
  const query = new URLSearchParams(search)
  if (!place.endsWith('api.php')) return 'rest'
  const format = query.get('format') === 'json' ? '' : ` ${query.get('format')}`
  return `${query.get('action')}${['list', 'prop', 'meta', 'generator'].map((n) => (query.has(n) && query.get('action') === 'query' ? ` ${n}=${query.get(n)}` : '')).join('')}${format}`
}

test.each((process.env['SEEDS'] ?? '1').split(',').map(Number))(
  'half of the reads, seed %i',
  { timeout: 300_000 },
  async (seed) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'wikitape-wikibase-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const { recorded, asked } = halved([...callsOf('read'), ...callsOf('rest').slice(0, 10)], seed)
    const wiki = await wikibaseStandIn()
    const recording = await serving(['record', `${wiki.origin}/w/api.php`, '--cassette', folder])
    const bad: string[] = []
    for (const call of recorded) {
      const reply = await askFor(recording.api, call)
      if (reply.text !== call.body) bad.push(`while recording ${call.url}`)
    }
    await recording.stop()
    const replaying = await serving(['replay', '--cassette', folder])
    const table = new Map<string, { answered: number; refused: number; wrong: number }>()
    const missed: string[] = []
    for (const call of asked) {
      const row = table.get(moduleOf(call)) ?? { answered: 0, refused: 0, wrong: 0 }
      table.set(moduleOf(call), row)
      const reply = await askFor(replaying.api, call)
      const status = String(reply.headers['x-cassette-status'])
      if (status === 'miss') {
        row.refused += 1
        missed.push(`${decodeURIComponent(call.url)}\n     ${reply.text.slice(0, 600)}`)
      } else if (reply.text === call.body && reply.status === call.status) row.answered += 1
      else {
        row.wrong += 1
        bad.push(
          `${status} ${decodeURIComponent(call.url)}\n   ${reply.text.slice(0, 3000)}\n   ${call.body.slice(0, 3000)}`,
        )
      }
    }
    await replaying.stop()
    if (process.env['SHOW']) {
      process.stdout.write(`${[...table].sort().map(([name, row]) => `${name}: ${JSON.stringify(row)}`).join('\n')}\n`)
      if (process.env['SHOW'] === '2') process.stdout.write(missed.join('\n'))
    }
    expect(bad).toEqual([])
  },
)
