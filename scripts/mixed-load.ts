/**
 * `npm run mixed-load -- --minutes N`: clients of every kind at once in front of a recorder and of a replay: sound ones,
 * whose answers are compared, and hostile ones beside them, of the built package. Exit code 1 at a wrong answer, or memory that grows.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { maxInlineCharacters } from '../src/recorder/cassette/format/encode-interaction.ts'
import { ask, post } from '../test/helpers/http-client.ts'
import { drawFrom, mutate } from './fuzz/mutate.ts'
import { seeds } from './fuzz/seeds.ts'

// As it is shipped: only there has it its other thread.
const built = new URL('../dist/integrations/program/start.js', import.meta.url).href
const {
  startRecording,
  startReplay
}: typeof import('../src/integrations/program/start.ts') = await import(built)

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' }
  }
})
const until = Date.now() + Number(values.minutes) * 60_000
const draw = drawFrom(Number(values.seed))
setFlagsFromString('--expose_gc')
const collect = runInNewContext('gc') as () => void

/** Distinct questions; the cassette is whole when each was asked once. */
const questions = 300
const clients = 16

/**
 * What the wiki says to a question: long for some, so that bodies are compressed, for three so long that another thread
 * looks through them, and for three a text that lies in a file of its own.
 */
const answerTo = (apfrom: string): string => {
  const title = apfrom.repeat(
    1 + (apfrom.length % 40) + (/50$/.test(apfrom) ? 20_000 : 0)
  )
  const spaced = apfrom.endsWith('99') ? ' '.repeat(maxInlineCharacters) : ''
  return `${JSON.stringify({ batchcomplete: '', query: { allpages: [{ pageid: 1, ns: 0, title }] } })}${spaced}`
}

const wiki = http.createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '/', 'http://wiki')
  response.setHeader('content-type', 'application/json; charset=utf-8')
  const body: Buffer[] = []
  request.on('data', (part: Buffer) => body.push(part))
  request.on('end', () => {
    const posted = new URLSearchParams(Buffer.concat(body).toString())
    const said = (name: string): string =>
      posted.get(name) ?? searchParams.get(name) ?? ''
    response.statusCode = said('list').startsWith('nothing') ? 503 : 200
    // It does not describe itself.
    response.end(said('list') === 'allpages' ? answerTo(said('apfrom')) : '{}')
  })
})
await new Promise<void>((resolve) => wiki.listen(0, '127.0.0.1', resolve))
const wikiApi = `http://127.0.0.1:${(wiki.address() as AddressInfo).port}/w/api.php`
const folder = mkdtempSync(path.join(tmpdir(), 'wikitape-load-'))
const recorder = await startRecording({
  apiUrl: wikiApi,
  cassette: path.join(folder, 'tape'),
  allowLive: true
})

let asked = 0
let wrong = 0
let hostile = 0

async function sound(api: string): Promise<void> {
  const apfrom = `Page${draw(questions)}`
  const query = `action=query&format=json&list=allpages&apfrom=${apfrom}`
  const posted = draw(3) === 0
  const session = { 'x-cassette-session': draw(2) === 0 ? '' : `s${draw(5)}` }
  asked += 1
  const said = await (posted
    ? post(api, query, session)
    : ask(`${api}?${query}`, { headers: session })
  ).catch((error: unknown) => ({ text: String(error) }))
  if (said.text === answerTo(apfrom)) return
  wrong += 1
  process.stdout.write(`wrong: ${query}: ${said.text.slice(0, 200)}\n`)
}

/** Bytes that are no request, a page of another site, a client that leaves, a request for nothing. */
async function unsound(api: string): Promise<void> {
  hostile += 1
  const { port, hostname } = new URL(api)
  switch (draw(4)) {
    case 0: {
      const bytes = mutate(
        seeds[draw(seeds.length)] ?? '',
        seeds[draw(seeds.length)] ?? '',
        draw
      )
      return new Promise((resolve) => {
        const socket = net.connect(Number(port), hostname, () => socket.end(bytes))
        socket.setTimeout(5000, () => socket.destroy())
        socket.resume().on('error', () => undefined)
        socket.once('close', () => resolve())
      })
    }
    case 1:
      await (
        await fetch(`${api}?action=purge&titles=A`, {
          headers: { origin: 'https://evil.example' }
        })
      ).text()
      return
    case 2: {
      const leaving = new AbortController()
      setTimeout(() => leaving.abort(), draw(20))
      await fetch(`${api}?action=query&list=allpages&format=json&apfrom=Page1`, {
        signal: leaving.signal
      })
        .then((reply) => reply.text())
        .catch(() => undefined)
      return
    }
    default:
      await (
        await fetch(`${api}?action=query&list=nothing${draw(50)}&format=json`)
      ).text()
  }
}

async function client(api: string): Promise<void> {
  while (Date.now() < until)
    await (draw(4) === 0 ? unsound(api).catch(() => undefined) : sound(api))
}

// The cassette first, so that replay has it and memory is at its height.
for (let at = 0; at < questions; at += 1)
  await (
    await fetch(
      `${recorder.apiUrl}?action=query&format=json&list=allpages&apfrom=Page${at}`
    )
  ).text()
const replay = await startReplay({ cassette: path.join(folder, 'tape') })

const heaps: number[] = []
const resident: number[] = []
const heap = (): number => {
  collect()
  const { heapUsed, rss } = process.memoryUsage()
  resident.push(Math.round(rss / 1e6))
  return Math.round(heapUsed / 1e6)
}
const clock = setInterval(
  () => heaps.push(heap()),
  Math.max(2000, Number(values.minutes) * 3000)
)
await Promise.all(
  Array.from({ length: clients }, (_, at) =>
    client(at % 2 === 0 ? recorder.apiUrl : replay.apiUrl)
  )
)
clearInterval(clock)
heaps.push(heap())
await recorder.close()
await replay.close()
wiki.close()
rmSync(folder, { recursive: true })

/** The first fifth is for filling what is kept by design: ready replies, sessions, code. */
const settled = heaps.slice(Math.floor(heaps.length / 5))
const grown = (settled.at(-1) ?? 0) - (settled[0] ?? 0)
process.stdout.write(
  `${asked} sound requests, wrong ${wrong}; ${hostile} hostile ones; heap after collection ${heaps.join(' ')} MB, grown ${grown} MB; resident ${resident.join(' ')} MB\n`
)
process.exit(wrong > 0 || grown > 30 ? 1 : 0)
