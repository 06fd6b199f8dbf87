/** In which state the named pages were: asked for while recording, kept beside the recordings, compared later. */
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { asksForStates, type FakeWiki, fakeWiki } from '../helpers/fake-wiki.ts'
import { filesIn, temporaryFolder } from '../helpers/folders.ts'
import { run } from '../helpers/program.ts'

/** A page by title: its text, or undefined where it is gone. */
type Pages = Map<string, string | undefined>

interface Editable extends FakeWiki {
  readonly pages: Pages
  /** The titles of each question after the state of pages. */
  readonly stateQuestions: () => readonly string[]
}

/** A wiki whose answers to `prop=links` show what a page links to, and nothing of its state. */
async function editableWiki(
  texts: Readonly<Record<string, string>>,
  refuses = false
): Promise<Editable> {
  const pages: Pages = new Map(Object.entries(texts))
  const questions: string[] = []
  const item = (title: string, more: object): unknown =>
    pages.get(title) === undefined
      ? { ns: 0, title, missing: true }
      : { pageid: 7, ns: 0, title, ...more }
  const wiki = await fakeWiki((params) => {
    const titles = (params.get('titles') ?? '').split('|')
    const found = titles.map((one) => (one === 'волга' ? 'Волга' : one))
    if (!asksForStates(params)) {
      const links = (title: string): unknown => [{ ns: 0, title: pages.get(title) }]
      return JSON.stringify({
        batchcomplete: true,
        query: {
          pages: found.map((title) =>
            item(title, pages.get(title) === '' ? {} : { links: links(title) })
          )
        }
      })
    }
    questions.push(titles.join('|'))
    if (refuses) return { status: 503, body: 'too many requests' }
    // Another text is another revision.
    const revid = (title: string): number => (pages.get(title) === '' ? 11 : 10)
    const state = (title: string): object => ({
      lastrevid: revid(title),
      length: pages.get(title)?.length,
      protection: [{ type: 'move', level: 'sysop', expiry: 'infinity' }],
      revisions: [{ revid: revid(title), sha1: `sha1 of ${pages.get(title)}` }]
    })
    return JSON.stringify({
      query: { pages: found.map((title) => item(title, state(title))) }
    })
  })
  return { ...wiki, pages, stateQuestions: () => questions }
}

const links = 'action=query&prop=links&formatversion=2&titles=Волга'
const tape = (): string => path.join(temporaryFolder(), 'tape')

async function captured(
  wiki: FakeWiki,
  cassette: string,
  lines: string
): Promise<string> {
  const { code, stderr } = await run(
    ['capture', wiki.api, '--requests', '-', '--cassette', cassette, '--retries', '0'],
    { stdin: lines }
  )
  expect([code, stderr]).toEqual([0, expect.stringMatching(/requests? done/)])
  return stderr
}

const keptIn = (cassette: string): unknown =>
  JSON.parse(readFileSync(path.join(cassette, 'pages.json'), 'utf8'))

/** Another version's cassette: only where the software differs is evidence of edits needed. */
function ofVersion(cassette: string, engine: string): string {
  const manifest = path.join(cassette, 'cassette.json')
  writeFileSync(
    manifest,
    readFileSync(manifest, 'utf8').replace(/"engine": "[^"]*"/, `"engine": "${engine}"`)
  )
  return cassette
}

async function behaviour(a: string, b: string): Promise<readonly string[]> {
  const { stdout, stderr } = await run(['diff', a, b, '--json', '--fail-on', 'none'])
  if (stdout === '') throw new Error(stderr)
  const { findings }: { findings: { axis: string; kind: string; place: string }[] } =
    JSON.parse(stdout)
  return findings.flatMap(({ axis, kind, place }) =>
    axis === 'behaviour' ? [`${kind} ${place}`] : []
  )
}

describe('capture', () => {
  it('asks once for all named pages that no answer shows the state of, and keeps it', async () => {
    const wiki = await editableWiki({ Волга: 'река' })
    const cassette = tape()
    const stderr = await captured(wiki, cassette, `${links}|Нет\n${links}\n`)
    expect(wiki.stateQuestions()).toEqual(['Волга|Нет'])
    expect(stderr).toContain('recorded 2')
    expect(keptIn(cassette)).toEqual({
      pages: {
        Волга: {
          lastrevid: 10,
          length: 4,
          protection: ['move sysop infinity'],
          sha1: 'sha1 of река'
        },
        Нет: { missing: true }
      }
    })
    expect((await run(['check', cassette])).code).toBe(0)
    await captured(wiki, cassette, `${links}\n`)
    expect(wiki.stateQuestions()).toHaveLength(1)
  })

  it('asks for fifty pages at once, and for five hundred at most', async () => {
    const wiki = await editableWiki({})
    const lines = Array.from({ length: 13 }, (_, line) => {
      const titles = Array.from({ length: 40 }, (__, at) => `Статья ${line}-${at}`)
      return `action=query&prop=links&titles=${titles.join('|')}&formatversion=2`
    })
    await captured(wiki, tape(), lines.join('\n'))
    const asked = wiki.stateQuestions().map((titles) => titles.split('|').length)
    expect(asked).toEqual(Array.from({ length: 10 }, () => 50))
  })

  it('is not the worse for a wiki that does not answer that', async () => {
    const wiki = await editableWiki({ Волга: 'река' }, true)
    const cassette = tape()
    expect(await captured(wiki, cassette, links)).toContain('page states not recorded')
    expect(existsSync(path.join(cassette, 'pages.json'))).toBe(false)
  })

  it('asks nothing where no page is named', async () => {
    const wiki = await editableWiki({})
    await captured(
      wiki,
      tape(),
      'action=query&list=allpages\naction=parse&text=x&title=Волга\n'
    )
    expect(wiki.stateQuestions()).toEqual([])
  })
})

describe('diff', () => {
  it('knows an edit between two versions by what was kept, and a page that stayed by the same', async () => {
    const wiki = await editableWiki({ Волга: 'река' })
    const before = tape()
    const after = tape()
    await captured(wiki, before, links.replace('Волга', 'волга'))
    ofVersion(before, '1.35.13')
    wiki.pages.set('Волга', '')
    await captured(wiki, after, links.replace('Волга', 'волга'))
    ofVersion(after, '1.43.9')
    expect(await behaviour(before, after)).toEqual([])
    const pages = path.join(after, 'pages.json')
    cpSync(path.join(before, 'pages.json'), pages)
    expect(await behaviour(before, after)).toEqual(['field.removed query.pages[*].links'])
  })

  it('asks a live side for the pages that the cassette knows of', async () => {
    const wiki = await editableWiki({ Волга: 'река' })
    const cassette = tape()
    await captured(wiki, cassette, links)
    ofVersion(cassette, '1.35.13')
    wiki.pages.set('Волга', '')
    expect(await behaviour(cassette, wiki.api)).toEqual([])
    expect(wiki.stateQuestions()).toEqual(['Волга', 'Волга'])
    writeFileSync(path.join(cassette, 'pages.json'), '{"pages": {}}\n')
    expect(await behaviour(cassette, wiki.api)).toEqual([
      'field.removed query.pages[*].links'
    ])
    expect(wiki.stateQuestions()).toHaveLength(2)
  })

  it('is a partial one, and says so, where the file cannot be read', async () => {
    const wiki = await editableWiki({ Волга: 'река' })
    const cassette = tape()
    await captured(wiki, cassette, links)
    writeFileSync(path.join(cassette, 'pages.json'), '{"pages": [1]}\n')
    const { code, stdout } = await run(['diff', cassette, cassette])
    // Where lines break is the length of the folder's name.
    expect([code, stdout.replace(/\s+/g, ' ')]).toEqual([
      2,
      expect.stringContaining('expected "pages" with an object for each title')
    ])
    writeFileSync(path.join(cassette, 'pages.json'), '{"pages":\n')
    const checked = await run(['check', cassette])
    expect([checked.code, checked.stdout]).toEqual([
      1,
      expect.stringContaining('pages.json:2:1')
    ])
  })
})

describe('refresh', () => {
  it('keeps the new state with the new answers, and touches nothing where nothing changed', async () => {
    const wiki = await editableWiki({ Волга: 'река' })
    const cassette = tape()
    await captured(wiki, cassette, links)
    const before = filesIn(cassette)
    expect((await run(['refresh', cassette])).code).toBe(0)
    expect(filesIn(cassette)).toEqual(before)
    wiki.pages.set('Волга', 'великая река')
    expect((await run(['refresh', cassette])).code).toBe(0)
    expect(JSON.stringify(keptIn(cassette))).toContain('sha1 of великая река')
  })
})
