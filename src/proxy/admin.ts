/** `/__wikitape/`: what this server has done so far, for people and for test set-ups. */
import type { RequestListener } from 'node:http'
import express, { type Request, type Response } from 'express'
import { escapeHtml } from '../wiki/envelope.ts'
import { type Miss, missInfo } from './miss.ts'
import type { Rack } from './rack.ts'
import { countsText } from './summary.ts'

export function adminApp(rack: Rack): RequestListener {
  const app = express()
  app.disable('x-powered-by')
  app.get('/__wikitape/summary', (_: Request, response: Response) => {
    response.json(rack.counts())
  })
  app.get('/__wikitape/misses', (_: Request, response: Response) => {
    response.json(missesOf(rack))
  })
  app.get('/__wikitape/interactions', (_: Request, response: Response) => {
    response.json(interactionsOf(rack))
  })
  app.get(['/__wikitape', '/__wikitape/'], (_: Request, response: Response) => {
    response.type('html').send(page(rack))
  })
  app.use((request: Request, response: Response) => {
    const paths = '/__wikitape/, /__wikitape/summary, /__wikitape/misses, /__wikitape/interactions'
    response
      .status(404)
      .json({ error: { code: 'no-such-page', info: `nothing at ${request.path}; there is ${paths}` } })
  })
  return app
}

const missesOf = (rack: Rack): readonly Miss[] =>
  rack.engines().flatMap((engine) => [...engine.summary.misses.values()])

const interactionsOf = (rack: Rack): readonly object[] =>
  rack.engines().flatMap(({ store, summary }) =>
    [...store.paths()].map(([key, path]) => ({
      cassette: store.dir,
      key,
      path,
      used: summary.used.has(key),
    })),
  )

function page(rack: Rack): string {
  const misses = missesOf(rack).map(
    (miss) => `<li><code>${miss.key}</code> ${escapeHtml(missInfo(miss))}</li>`,
  )
  const stores = [...new Set(rack.engines().map(({ store }) => store))]
  return `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>wikitape</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}li{overflow-wrap:anywhere}</style>
<h1>wikitape</h1>
<p>${escapeHtml(countsText(rack.counts()))}</p>
<h2>Cassettes</h2>
<ul>${stores.map((one) => `<li>${escapeHtml(one.dir)}: ${one.size} interactions of ${escapeHtml(one.manifest.upstream)}</li>`).join('')}</ul>
<h2>Misses</h2>
${misses.length === 0 ? '<p>None.</p>' : `<ul>${misses.join('')}</ul>`}
<p>As JSON: <a href="/__wikitape/summary">summary</a>, <a href="/__wikitape/misses">misses</a>,
<a href="/__wikitape/interactions">interactions</a>.</p>
</html>
`
}
