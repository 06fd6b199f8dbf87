/**
 * `npx tsx scripts/bench-builds.ts OLD NEW [ANSWERS]`: processor time of recording by two builds (their `start.cjs`), in rounds
 * that alternate: ANSWERS answers of a listing, what is put off to the end of the run, and pages of 5 MB. Machines are noisy: read the ratios.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { articles } from '../test/helpers/public-content.ts'
import { madeAnswer, madeQuery } from './bench/cassette.ts'
import { cpuMs, type Running, start, stop } from './bench/servers.ts'

const [older = '', newer = '', countText = '30000'] = process.argv.slice(2)
const count = Number(countText)
const rounds = 10
const pagesPerRound = 1
const home = mkdtempSync(path.join(tmpdir(), 'wikitape-bench-'))
const agent = new http.Agent({ keepAlive: true })

function madePage(): Buffer {
  const escaped = (text: string): string =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  let text = ''
  for (const one of articles(1, 64 * 1024)) {
    text += `<p><a href="/wiki/A?x=1" title="A">${escaped(one)}</a></p>\n`
    if (text.length > 5 * 1024 * 1024) break
  }
  return Buffer.from(
    `<!DOCTYPE html><html><body><div class="mw-parser-output">${text}</div></body></html>`
  )
}

const page = madePage()
const site = {
  query: {
    general: { generator: 'MediaWiki 1.43.0', lang: 'en', dbtype: 'sqlite' },
    namespaces: { '0': { id: 0, case: 'first-letter', name: '' } },
    namespacealiases: []
  }
}

/** By the number behind the last blank of what is asked. */
function answerTo(target: string): readonly [type: string, body: string | Buffer] {
  const { pathname, searchParams } = new URL(target, 'http://wiki')
  if (pathname.startsWith('/wiki/')) return ['text/html; charset=utf-8', page]
  const from = searchParams.get('apfrom')
  if (from !== null)
    return ['application/json', madeAnswer(Number(from.split(' ').at(-1)))]
  const own = searchParams.has('meta') ? site : { paraminfo: { modules: [] } }
  return ['application/json', JSON.stringify(own)]
}

const wiki = http.createServer((request, response) => {
  const [type, body] = answerTo(request.url ?? '')
  response.writeHead(200, { 'content-type': type })
  response.end(body)
})

const ask = ({ url }: Running, target: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = url
    const request = http.get({ host: hostname, port, path: target, agent }, (answer) => {
      const status = String(answer.headers['x-cassette-status'])
      if (status !== 'recorded')
        reject(new Error(`${target}: ${answer.statusCode}, ${status}`))
      answer.on('end', resolve).resume()
    })
    request.on('error', reject)
  })

/** Processor milliseconds for each target. */
async function round(server: Running, targets: readonly string[]): Promise<number> {
  const before = cpuMs(server)
  for (const target of targets) await ask(server, target)
  return (cpuMs(server) - before) / targets.length
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

/** Processor milliseconds of what a build puts off to its end, such as forcing files to the disk. */
async function endOf(server: Running): Promise<number> {
  const before = cpuMs(server)
  let last = before
  const watch = setInterval(() => {
    try {
      last = Math.max(last, cpuMs(server))
    } catch {
      // It has ended since.
    }
  }, 2)
  await stop(server)
  clearInterval(watch)
  return last - before
}

/** Processor milliseconds of all answers that were recorded, by build. */
const sums = [0, 0]

async function compare(
  what: string,
  builds: readonly Running[],
  targetsOf: (turn: number) => readonly string[]
): Promise<void> {
  const times = builds.map((): number[] => [])
  for (let turn = 0; turn < rounds; turn += 1) {
    // Each begins in every second round.
    const order = turn % 2 === 0 ? [0, 1] : [1, 0]
    for (const at of order) {
      const server = builds[at]
      if (server === undefined) continue
      const targets = targetsOf(turn)
      const ms = await round(server, targets)
      times[at]?.push(ms)
      sums[at] = (sums[at] ?? 0) + ms * targets.length
    }
  }
  // Until its code is compiled, a round says little.
  const [before = [], after = []] = times.map((all) => all.slice(1))
  const ratios = before.map((ms, at) => (after[at] ?? 0) / ms)
  const range = `${Math.min(...ratios).toFixed(2)} – ${Math.max(...ratios).toFixed(2)}`
  console.log(
    `| ${what} | ${(median(after) / median(before)).toFixed(2)} | ${range} | ${median(before).toFixed(2)} and ${median(after).toFixed(2)} ms |`
  )
}

wiki.listen(0, '127.0.0.1')
await new Promise((resolve) => wiki.once('listening', resolve))
const api = `http://127.0.0.1:${(wiki.address() as AddressInfo).port}/w/api.php`
const builds: Running[] = []
try {
  for (const [at, main] of [older, newer].entries())
    builds.push(
      await start([
        main,
        'record',
        api,
        '--cassette',
        path.join(home, String(at)),
        '--port',
        '0'
      ])
    )
  console.log(
    '| recording, by processor time | ratio | from – to | older and newer |\n|---|---|---|---|'
  )
  const each = Math.ceil(count / rounds)
  await compare(`${count} answers, each`, builds, (turn) =>
    Array.from({ length: each }, (_, at) => `/w/api.php?${madeQuery(turn * each + at)}`)
  )
  const answers = [...sums]
  await compare('a page of 5 MB', builds, (turn) =>
    Array.from(
      { length: pagesPerRound },
      (_, at) => `/wiki/P${turn * pagesPerRound + at}`
    )
  )
  const ends: number[] = []
  for (const one of builds) ends.push(await endOf(one))
  const [before = 0, after = 0] = ends.map((ms, at) => (ms + (answers[at] ?? 0)) / count)
  console.log(
    `| ${count} answers and the end of the run, each | ${(after / before).toFixed(2)} | | ${before.toFixed(2)} and ${after.toFixed(2)} ms |`
  )
} finally {
  for (const { child } of builds) child.kill()
  wiki.close()
  agent.destroy()
  rmSync(home, { recursive: true, force: true })
}
