/**
 * wtf_wikipedia with its plugin, which only read: `Origin: *`, or an empty one, from Node; https only, so that TLS ends
 * here, in front of the address that the session is given; continue values as they came, with a `|` that is not encoded.
 */
import { readFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import wtf from 'wtf_wikipedia'
import plugin from 'wtf-plugin-api'
import { api, step } from './steps.mjs'

wtf.extend(plugin)
// The certificate is that of the tests, and this process asks nobody else.
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
const certificate = readFileSync(new URL('../../fixtures/tls/wiki.pem', import.meta.url))
const { pathname, origin } = new URL(api)
const terminator = https.createServer(
  { key: certificate, cert: certificate },
  (request, response) => {
    const { host: _, ...headers } = request.headers
    http
      .request(new URL(request.url, origin), { headers }, (answer) => {
        response.writeHead(answer.statusCode, answer.headers)
        answer.pipe(response)
      })
      .end()
  }
)
await new Promise((resolve) => terminator.listen(0, '127.0.0.1', resolve))
const common = {
  domain: `127.0.0.1:${terminator.address().port}`,
  path: pathname.slice(1),
  userAgent: 'wikitape-clients'
}

for (const [how, options] of [
  ['Origin: *', common],
  ['no origin', { ...common, noOrigin: true }]
]) {
  const told = (name, work) => step(`${name} (${how})`, work)
  await told('a page', async () => {
    const page = await wtf.fetch('Ёлка', options)
    return [page.title(), page.pageID(), page.text().slice(0, 200), page.links().length]
  })
  await told('pages', async () =>
    (await wtf.fetch(['Абрикос', 'Волга', 'Такой страницы нет'], options)).map((page) =>
      page?.title()
    )
  )
  await told('a redirect', async () => (await wtf.fetch('Hub 00', options)).title())
  await told('by id', async () => (await wtf.fetch(2, options)).title())
  await told('a missing page', async () => await wtf.fetch('Такой страницы нет', options))
  await told(
    'pages of a category',
    async () => await wtf.getCategoryPages('Природа 0', options)
  )
  await told(
    'pages with a template',
    async () => await wtf.getTemplatePages('Шаблон:Box A', options)
  )
  await told('links to a page', async () => await wtf.getIncoming('Абрикос', options))
  await told('redirects to a page', async () => await wtf.getRedirects('Узел', options))
  await told('a list of pages', async () =>
    (await wtf.fetchList(['Ёлка', 'AT&T', 'C++'], options)).map((page) => page?.title())
  )
}
terminator.close()
terminator.closeAllConnections()
