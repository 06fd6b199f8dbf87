/** What is asked of a wiki in miser mode, and of one whose cassette does not say whether it is. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { description } from '../../../helpers/fake-wiki.ts'
import { temporaryFolder } from '../../../helpers/folders.ts'
import { startProxy } from '../../../helpers/proxies.ts'
import { httpStandIn } from '../../../helpers/upstreams.ts'

const rows = '{"batchcomplete":"","query":{"allpages":[{"pageid":1,"ns":0,"title":"A"}]}}'
const query = '?action=query&format=json&list=allpages&aplimit=5'

/** Answers to `siteinfo` that were asked for, each as the wiki gave it. */
interface Asked {
  readonly api: string
  readonly queries: readonly string[]
}

/** A wiki that describes itself, and says that it is in miser mode where `isMiser` is set. */
async function wikiIn(isMiser: boolean | undefined): Promise<Asked> {
  const queries: string[] = []
  const { origin } = await httpStandIn((seen, response) => {
    const sent = seen.target.slice(seen.target.indexOf('?') + 1)
    queries.push(sent)
    const params = new Map(new URLSearchParams(sent))
    const said = description(params) ?? rows
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
    const flag = isMiser === undefined ? '' : `"misermode":${isMiser},`
    response.end(
      withHelp(
        said.replace('"general":{', `"general":{${flag}`),
        params.get('helpformat')
      )
    )
  })
  return { api: `${origin}/w/api.php`, queries }
}

/** The answer of `paraminfo` with help, as `helpformat=raw` has it. */
function withHelp(said: string, helpFormat: string | undefined): string {
  if (helpFormat !== 'raw') return said
  const answer = JSON.parse(said) as { paraminfo: { modules: Record<string, unknown>[] } }
  for (const module of answer.paraminfo.modules) {
    module['description'] = [
      { key: `apihelp-${String(module['path'])}-summary`, params: [] }
    ]
    for (const param of module['parameters'] as Record<string, unknown>[]) {
      const isMarked =
        module['path'] === 'query+allpages' && param['name'] === 'filterredir'
      const mark = isMarked
        ? [{ key: 'api-help-param-limited-in-miser-mode', params: [] }]
        : []
      param['description'] = [{ key: 'apihelp-param', params: [] }, ...mark]
    }
  }
  return JSON.stringify(answer)
}

async function record(api: string, cassette: string): Promise<void> {
  const proxy = await startProxy(api, { cassette })
  await (await fetch(proxy.api + query)).text()
  await proxy.close()
}

const textOf = (cassette: string, file: string): string =>
  readFileSync(path.join(cassette, file), 'utf8')

test('a wiki in miser mode is asked for its help, of which only the marks are kept', async () => {
  const wiki = await wikiIn(true)
  const cassette = path.join(temporaryFolder(), 'tape')
  await record(wiki.api, cassette)
  expect(JSON.parse(textOf(cassette, 'cassette.json'))).toMatchObject({
    site: { misermode: true }
  })
  const described = textOf(cassette, 'paraminfo/query+allpages.json')
  expect(described.match(/limited-in-miser-mode/g)).toHaveLength(1)
  expect(described.match(/apihelp-param/g)).toHaveLength(1)
  const replay = await startProxy(undefined, { cassette })
  const filtered = await (
    await fetch(`${replay.api}${query}&apfilterredir=redirects`)
  ).text()
  expect(filtered).toContain('cassette')
  await replay.close()
})

test('another wiki is not asked for its help', async () => {
  const wiki = await wikiIn(false)
  const cassette = path.join(temporaryFolder(), 'tape')
  await record(wiki.api, cassette)
  expect(wiki.queries.some((one) => one.includes('helpformat=raw'))).toBe(false)
  expect(JSON.parse(textOf(cassette, 'cassette.json'))).toMatchObject({
    site: { misermode: false }
  })
})

test('a cassette that does not say whether its wiki is in miser mode asks once, when it records', async () => {
  const cassette = path.join(temporaryFolder(), 'tape')
  await record((await wikiIn(undefined)).api, cassette)
  expect(textOf(cassette, 'cassette.json')).not.toContain('misermode')
  const wiki = await wikiIn(true)
  writeFileSync(
    path.join(cassette, 'cassette.json'),
    textOf(cassette, 'cassette.json').replace(/http:[^"]*/, wiki.api)
  )
  const proxy = await startProxy(wiki.api, { cassette })
  await (await fetch(proxy.api + query)).text()
  expect(wiki.queries).toEqual([])
  for (const limit of [6, 7])
    await (await fetch(`${proxy.api}${query}&aplimit=${limit}`)).text()
  await proxy.close()
  expect(wiki.queries.filter((one) => one.includes('meta=siteinfo'))).toHaveLength(1)
  expect(JSON.parse(textOf(cassette, 'cassette.json'))).toMatchObject({
    site: { misermode: true }
  })
})
