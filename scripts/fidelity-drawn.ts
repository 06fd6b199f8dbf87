/**
 * Never a wrong answer, by lot: listings recorded in part, and requests recorded through the whole program, are asked
 * for in other ways; nothing that is answered may differ from what the wiki says. Exits 1 where something does.
 * Usage: tsx scripts/fidelity-drawn.ts [--listings N] [--requests N] [--seed N] [--one-batch] [--notes] [api-url …]
 */
import { parseArgs } from 'node:util'
import { type Counts, drawnListings } from './fidelity/drawn-listings.ts'
import { drawnRequests } from './fidelity/drawn-requests.ts'
import { connectToAll } from './fidelity/wiki.ts'
import { comparedWikis } from './wiki/variants.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    listings: { type: 'string', default: '200' },
    requests: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    notes: { type: 'boolean' },
    'one-batch': { type: 'boolean' }
  }
})
const urls = positionals.length > 0 ? positionals : comparedWikis.map(({ url }) => url)

async function run(url: string): Promise<number> {
  const described = await connectToAll(url)
  const seed = Number(values.seed)
  const listings = await drawnListings(
    described,
    Number(values.listings),
    seed,
    values['one-batch'] === true
  )
  const { sums, wrong } = await drawnRequests(described, Number(values.requests), seed)
  described.wiki.close()
  console.log(
    `${url}\n  ${told('listings', listings.same)} (the wiki did not take ${listings.unusable})\n  ${told('narrowed', listings.narrowed)}\n  requests: exact ${sums.exact}, members in another order ${sums.order}, own value ${sums.own}, missed ${sums.missed}, wrong ${sums.wrong} (synthesized ${sums.synthesized})`
  )
  const notes = [...listings.notes].sort((a, b) => b[1] - a[1])
  for (const [note, times] of notes)
    if (note.startsWith('WRONG') || values.notes === true)
      process.stderr.write(`${url}: ${times} × ${note}\n`)
  for (const one of wrong) process.stderr.write(`${url}: WRONG ${one}\n`)
  return listings.same.wrong + listings.narrowed.wrong + wrong.length
}

function told(name: string, { exact, own, missed, unshown, wrong }: Counts): string {
  const share = (100 * (exact + own)) / Math.max(1, exact + own + missed)
  return `${name}: exact ${exact}, own value ${own}, missed ${missed}, wrong ${wrong}: ${share.toFixed(0)} % of what the recordings show; missed besides ${unshown}`
}

const wrong = await Promise.all(urls.map(run))
process.exitCode = wrong.some((count) => count > 0) ? 1 : 0
