/** `--rewrite-urls`: clients that follow the wiki's addresses stay inside. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import {
  allTextIn,
  filesIn,
  interactionFiles,
  temporaryFolder
} from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { run, serving } from '../helpers/program.ts'

const siteinfo = '?action=query&format=json&meta=siteinfo'
const info = '?action=query&format=json&prop=info&inprop=url&titles=A'

describe('--rewrite-urls', () => {
  it('points the addresses of a wiki here, in record as in replay, and keeps them in the cassette', async () => {
    const wiki = await fakeWiki((params, { target }, response) => {
      if (target.startsWith('/old')) {
        response.writeHead(302, { location: 'http://wiki.test/new' })
        response.end()
        return 'taken'
      }
      if (params.get('meta')?.startsWith('siteinfo'))
        return '{"query":{"general":{"base":"http://wiki.test/wiki/A","server":"http://wiki.test"}}}'
      return `{"query":{"pages":{"1":{"title":"http://wiki.test/","fullurl":"http://wiki.test/wiki/A","editurl":"${wiki.origin}/w/index.php"}}}}`
    })
    const dir = path.join(temporaryFolder(), 'tape')
    const bodies = async (api: string): Promise<readonly string[]> => {
      const { origin } = new URL(api)
      const texts = [(await ask(api + siteinfo)).text, (await ask(api + info)).text]
      texts.push((await ask(`${api}${info}&callback=f`)).text)
      texts.push(String((await ask(`${origin}/old`)).headers['location']))
      return texts.map((text) => text.replaceAll(origin, '(here)'))
    }
    const recording = await serving([
      'record',
      wiki.api,
      '--cassette',
      dir,
      '--rewrite-urls'
    ])
    const recorded = await bodies(recording.api)
    expect((await recording.stop()).code).toBe(0)
    const page =
      '{"query":{"pages":{"1":{"title":"http://wiki.test/","fullurl":"(here)/wiki/A","editurl":"(here)/w/index.php"}}}}'
    expect(recorded).toEqual([
      '{"query":{"general":{"base":"(here)/wiki/A","server":"(here)"}}}',
      page,
      `/**/f(${page})`,
      '(here)/new'
    ])
    expect(allTextIn(dir)).not.toMatch(/\(here\)|localhost/)
    expect(allTextIn(dir)).toContain('http://wiki.test/wiki/A')

    const plain = await serving(['record', wiki.api, '--cassette', `${dir}-plain`])
    const unchanged = await bodies(plain.api)
    await plain.stop()
    expect(unchanged[0]).toContain('"server":"http://wiki.test"')
    expect(filesIn(`${dir}-plain`)).toEqual(filesIn(dir))

    await wiki.close()
    const replay = await serving(['replay', '--cassette', dir, '--rewrite-urls'])
    expect(await bodies(replay.api)).toEqual(recorded)
    expect(await bodies(replay.api)).toEqual(recorded)
    const { port, pathname } = new URL(replay.api)
    const other = await ask(replay.api + info, { headers: { host: `localhost:${port}` } })
    expect(other.text).toContain(`"fullurl":"http://localhost:${port}/wiki/A"`)
    const prefixed = await ask(`http://127.0.0.1:${port}/~tape@me${pathname}${info}`)
    expect(prefixed.text).toContain(
      `"fullurl":"http://127.0.0.1:${port}/~tape@me/wiki/A"`
    )
    await replay.stop()
    const asRecorded = await serving(['replay', '--cassette', dir])
    expect(await bodies(asRecorded.api)).toEqual(unchanged)
    await asRecorded.stop()
  })
})

describe('--rewrite-urls of a real wiki', () => {
  it('leads from what a real wiki says of its files back here', async () => {
    const shipped = path.resolve('cassettes/ru-1.43')
    const replay = await serving(['replay', '--cassette', shipped, '--rewrite-urls'])
    const files = interactionFiles(shipped).filter((name) =>
      name.startsWith('query.allimages/')
    )
    expect(files.length).toBeGreaterThan(5)
    for (const name of files) {
      const { request }: { request: Record<string, string> } = JSON.parse(
        readFileSync(path.join(shipped, name), 'utf8')
      )
      const query = new URLSearchParams({ format: 'json', ...request })
      const { text } = await ask(`${replay.api}?${query}`)
      const urls = [...text.matchAll(/"(?:\w*url)":"([^"]*)"/g)].map(
        ([, url = '']) => new URL(url).origin
      )
      expect(new Set(urls)).toEqual(new Set([new URL(replay.api).origin]))
    }
    expect((await replay.stop()).stderr).toMatch(
      /^(?![\s\S]*missed \d)[\s\S]*replayed \d/
    )
  })

  it('is a flag of the verbs that serve', async () => {
    for (const verb of ['record', 'replay', 'exec'])
      expect((await run([verb, '--help'])).stdout).toContain('--rewrite-urls')
  })
})
