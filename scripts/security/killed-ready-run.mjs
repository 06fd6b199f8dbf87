/** A run for killed-ready.ts: asks a cassette what stdin lists, says so, makes others ready for a while, and ends as a replay ends. */
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { Rack } from '../../dist/proxy/rack.js'

const [cassette, folder, ahead] = process.argv.slice(2)
const rack = new Rack({
  ...{ cassette, mode: 'none', live: undefined, missStatus: 404, onMiss: 'error', recordErrors: false },
  ...{ now: Date.now, report: () => undefined, settling: -1, packs: { folder } },
})
for (const target of JSON.parse(await text(process.stdin)))
  await rack.engine().answer({ method: 'GET', target, headers: {}, body: Buffer.alloc(0), session: '' })
process.stdout.write('asked\n')
await setTimeout(Number(ahead))
rack.close()
