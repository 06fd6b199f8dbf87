/** `wikitape diff` against a wiki that is asked now, and `wikitape refresh`, through the real binary. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type FakeWiki, fakeWiki } from '../helpers/fake-wiki.ts'
import { filesIn, interactionFiles, temporaryFolder } from '../helpers/folders.ts'
import { type Run, run } from '../helpers/program.ts'
import { deadOrigin } from '../helpers/upstreams.ts'

const listing = 'action=query&list=allpages&aplimit=2'
const tape = (): string => path.join(temporaryFolder(), 'tape')

/** A wiki with a listing whose continue values carry a mark, so that it shows whose they are. */
function pagingWiki(state: {
  titles: readonly string[]
  mark: string
}): Promise<FakeWiki> {
  return fakeWiki((params) => {
    if (params.get('action') !== 'query' || params.get('list') !== 'allpages')
      return JSON.stringify({
        parse: { title: params.get('page') ?? '', wikitext: 'текст' }
      })
    const from = params.get('apcontinue')?.replace(/^\D*:/, '')
    const at = from === undefined ? 0 : Math.max(0, state.titles.indexOf(from))
    const rows = state.titles.slice(at, at + 2)
    const next = state.titles[at + 2]
    const more =
      next === undefined
        ? {}
        : { continue: { apcontinue: `${state.mark}:${next}`, continue: '-||' } }
    const allpages = rows.map((title) => ({ pageid: title.charCodeAt(0), ns: 0, title }))
    return JSON.stringify({ batchcomplete: '', ...more, query: { allpages } })
  })
}

const capture = async (
  wiki: FakeWiki,
  cassette: string,
  lines: string
): Promise<void> => {
  const { code } = await run(
    ['capture', wiki.api, '--requests', '-', '--cassette', cassette],
    {
      stdin: lines
    }
  )
  expect(code).toBe(0)
}

const requests = `+${listing}\naction=parse&page=А&prop=wikitext\n`
const cursors = (wiki: FakeWiki): readonly (string | null)[] =>
  wiki.asked().map((query) => new URLSearchParams(query).get('apcontinue'))

describe('diff with a wiki', () => {
  it('asks it what the cassette holds, with its own continue values', async () => {
    const state = { titles: ['A', 'B', 'C', 'D', 'E'], mark: 'old' }
    const wiki = await pagingWiki(state)
    const cassette = tape()
    await capture(wiki, cassette, requests)
    const before = filesIn(cassette)
    state.mark = 'new'
    const asked = wiki.asked().length
    const { code, stdout } = await run(['diff', cassette, wiki.api])
    expect([code, stdout.split('\n')[0]]).toEqual([
      0,
      'wikitape: content changed: 1 content'
    ])
    expect(cursors(wiki).slice(asked)).toEqual([null, null, 'new:C', 'new:E'])
    expect(filesIn(cassette)).toEqual(before)
    expect((await run(['diff', wiki.api, cassette])).code).toBe(0)
  })

  it('shows pages that came and went as data, however the batches fall', async () => {
    const state = { titles: ['A', 'B', 'C', 'D', 'E'], mark: 'x' }
    const wiki = await pagingWiki(state)
    const cassette = tape()
    await capture(wiki, cassette, requests)
    state.titles = ['A', 'B', 'Bb', 'C', 'E', 'F', 'G']
    const { code, stdout } = await run(['diff', cassette, wiki.api, '--json'])
    const { findings }: { findings: { kind: string; axis: string; count: number }[] } =
      JSON.parse(stdout)
    expect(code).toBe(0)
    expect(findings.map(({ kind, axis, count }) => [kind, axis, count])).toEqual(
      expect.arrayContaining([
        ['items.fewer', 'data', 1],
        ['items.more', 'data', 3]
      ])
    )
    expect(findings.filter(({ axis }) => axis !== 'data')).toEqual([])
    expect((await run(['diff', cassette, wiki.api, '--fail-on', 'any'])).code).toBe(1)
  })
})

describe('diff with a wiki whose answers vary', () => {
  it('learns with --probe what varies by itself, and keeps that with the cassette', async () => {
    let count = 0
    const wiki = await fakeWiki(() => {
      count += 1
      return JSON.stringify({
        query: { general: { odd: `value ${count}`, steady: 'x' } }
      })
    })
    const cassette = tape()
    await capture(wiki, cassette, 'action=query&meta=siteinfo\n')
    expect((await run(['diff', cassette, wiki.api, '--fail-on', 'risky'])).code).toBe(1)
    const { code, stdout, stderr } = await run([
      'diff',
      cassette,
      wiki.api,
      '--fail-on',
      'risky',
      '--probe',
      '2'
    ])
    expect(stderr).toContain('noise.json: 1 field varies by itself')
    expect([code, stdout.split('\n')[0]]).toEqual([0, 'wikitape: no drift'])
    expect(JSON.parse(readFileSync(path.join(cassette, 'noise.json'), 'utf8'))).toEqual({
      noise: [
        {
          kind: 'value.changed',
          lexical: 'text',
          place: 'query.general.odd',
          scope: 'meta=siteinfo',
          support: '2/2'
        }
      ]
    })
    expect((await run(['diff', cassette, wiki.api, '--fail-on', 'risky'])).code).toBe(0)
    expect((await run(['check', cassette])).code).toBe(0)
  })
})

describe('capture with --repeat', () => {
  it('says with --repeat already while capturing what varies, of answers of one day only', async () => {
    let count = 0
    let drift = 0
    const wiki = await fakeWiki(() => {
      count += 1
      return JSON.stringify({
        query: { general: { odd: `value ${count}`, moved: `day ${drift}` } }
      })
    })
    const cassette = tape()
    const again = (...args: readonly string[]): Promise<Run> =>
      run(['capture', wiki.api, '--requests', '-', '--cassette', cassette, ...args], {
        stdin: 'action=query&meta=siteinfo\n'
      })
    const places = (): readonly string[] => {
      const { noise }: { noise: { place: string; support: string }[] } = JSON.parse(
        readFileSync(path.join(cassette, 'noise.json'), 'utf8')
      )
      return noise.map(({ place, support }) => `${place} ${support}`)
    }
    const first = await again('--repeat', '2')
    expect([first.code, places()]).toEqual([0, ['query.general.odd 2/2']])
    expect(first.stderr).toContain('noise.json: 1 field varies by itself')
    drift += 1
    expect((await again('--repeat', '1')).code).toBe(0)
    expect(places()).toEqual(['query.general.odd 1/1'])
    const { stdout } = await run(['diff', cassette, wiki.api, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      findings: [{ place: 'query.general.moved' }]
    })
    expect((await again('--repeat', '2', '--mode', 'passthrough')).code).toBe(2)
    await wiki.close()
    const kept = filesIn(cassette)
    const dead = await again('--repeat', '1')
    expect([dead.code, filesIn(cassette)]).toEqual([3, kept])
  })
})

describe('diff with a wiki in trouble', () => {
  it('that dies half-way: what is missing is said, and the exit code is 2', async () => {
    const state = { titles: ['A', 'B', 'C', 'D', 'E'], mark: 'x' }
    const wiki = await pagingWiki(state)
    const cassette = tape()
    await capture(wiki, cassette, `${requests}action=parse&page=Б&prop=wikitext\n`)
    let left = 2
    const dying = await fakeWiki((params, _seen, response) => {
      left -= 1
      if (left >= 0)
        return JSON.stringify({ parse: { title: params.get('page'), wikitext: 'текст' } })
      response.destroy()
      return 'taken'
    })
    const { code, stdout, stderr } = await run([
      'diff',
      cassette,
      dying.api,
      '--fail-on',
      'none'
    ])
    expect(code).toBe(2)
    expect(stdout).toMatch(/^wikitape: incomplete comparison: /)
    expect(stderr).toMatch(
      /incomplete comparison: http:\S+: only 2 of 3 requests were answered: .+connection/
    )
  })

  it('that answers with 503 now and then is no whole comparison either', async () => {
    const wiki = await fakeWiki()
    const cassette = tape()
    await capture(wiki, cassette, 'action=parse&page=А\naction=parse&page=Б\n')
    const busy = await fakeWiki((params) =>
      params.get('page') === 'А' ? '{"parse":{}}' : { status: 503, body: 'busy' }
    )
    const { code, stderr } = await run(['diff', cassette, busy.api])
    expect(code).toBe(2)
    expect(stderr).toContain('the same command run again sends everything')
    expect(stderr).toContain(
      'only 1 of 2 requests were answered: HTTP status 503: "busy"'
    )
  })

  it('that cannot be reached at all: exit code 2, no report', async () => {
    const wiki = await fakeWiki()
    const cassette = tape()
    await capture(wiki, cassette, 'action=parse&page=А\n')
    const { code, stdout, stderr } = await run([
      'diff',
      cassette,
      `${await deadOrigin()}/w/api.php`
    ])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/nothing was recorded from .+ECONNREFUSED/)
  })

  it('in a matrix, or to accept something of: the same trouble, the same exit code', async () => {
    const wiki = await fakeWiki()
    const cassette = tape()
    await capture(wiki, cassette, 'action=parse&page=А\n')
    const dead = `${await deadOrigin()}/w/api.php`
    const matrix = await run(['diff', '--matrix', cassette, dead, cassette])
    expect([matrix.code, matrix.stdout]).toEqual([2, ''])
    const accepted = await run(
      ['accept', cassette, dead, '0123456789ab', '--reason', 'x'],
      {
        cwd: temporaryFolder()
      }
    )
    expect([accepted.code, accepted.stderr.includes('ECONNREFUSED')]).toEqual([2, true])
  })
})

describe('diff with a wiki that is not asked everything', () => {
  it('that is none, but a page: told after a few requests, not after all', async () => {
    const wiki = await fakeWiki()
    const cassette = tape()
    const pages = Array.from({ length: 12 }, (_, at) => `action=parse&page=${at}\n`).join(
      ''
    )
    await capture(wiki, cassette, pages)
    const other = await fakeWiki(() => ({
      status: 404,
      headers: { 'content-type': 'text/html' },
      body: '<!DOCTYPE html><h1>Not found</h1>'
    }))
    const { code, stdout, stderr } = await run(['diff', cassette, other.api])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(
      'only 0 of 12 requests were answered: a page of text/html (status 404)'
    )
    expect(other.asked().length).toBeLessThan(8)
  })

  it('needs --allow-live with CI=true', async () => {
    const wiki = await fakeWiki()
    const cassette = tape()
    await capture(wiki, cassette, 'action=parse&page=А\n')
    const env = { CI: 'true' }
    const refused = await run(['diff', cassette, wiki.api], { env })
    expect([refused.code, wiki.asked().length]).toEqual([2, 1])
    expect(refused.stderr).toContain('--allow-live')
    expect((await run(['diff', cassette, wiki.api, '--allow-live'], { env })).code).toBe(
      0
    )
  })

  it('never sends what needs a token or a login, and says how much that is', async () => {
    const wiki = await fakeWiki()
    const cassette = tape()
    await capture(
      wiki,
      cassette,
      'action=parse&page=А\naction=edit&title=А&text=x&token=%2B%5C\n'
    )
    const asked = wiki.asked().length
    const { code, stdout } = await run(['diff', cassette, wiki.api])
    expect(code).toBe(0)
    expect(wiki.asked().slice(asked).join()).not.toContain('edit')
    expect(stdout.replaceAll('\n', ' ')).toContain(
      '1 of its requests write, or need a login, a token or a file'
    )
  })
})

describe('refresh', () => {
  it('of an unchanged wiki leaves every file as it was', async () => {
    const wiki = await pagingWiki({ titles: ['A', 'B', 'C', 'D', 'E'], mark: 'x' })
    const cassette = tape()
    await capture(wiki, cassette, requests)
    const before = filesIn(cassette)
    const { code, stdout, stderr } = await run(['refresh', cassette])
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toMatch(
      /2 requests sent to \S+; changed 0, unchanged 4, dropped 0; live requests: \d+\n$/
    )
    expect(filesIn(cassette)).toEqual(before)
  })

  it('walks lists afresh: no old continue value is sent, batches that are no more are dropped', async () => {
    const state = { titles: ['A', 'B', 'C', 'D', 'E'], mark: 'old' }
    const wiki = await pagingWiki(state)
    const cassette = tape()
    await capture(wiki, cassette, requests)
    Object.assign(state, { titles: ['A', 'Aa', 'B', 'C', 'D', 'E', 'F'], mark: 'new' })
    const asked = wiki.asked().length
    const { code, stdout } = await run(['refresh', cassette, '--json'])
    expect(code).toBe(0)
    expect(cursors(wiki).slice(asked)).toEqual([null, null, 'new:B', 'new:D', 'new:F'])
    expect(JSON.parse(stdout)).toMatchObject({
      requests: 2,
      changed: 4,
      unchanged: 1,
      dropped: 2,
      skipped: 0
    })
    expect(interactionFiles(cassette)).toHaveLength(5)
    expect((await run(['coverage', cassette, '--require-complete'])).code).toBe(0)
  })

  it('goes as far as the recording did, no farther', async () => {
    const wiki = await pagingWiki({
      titles: ['A', 'B', 'C', 'D', 'E', 'F', 'G'],
      mark: 'x'
    })
    const cassette = tape()
    await capture(wiki, cassette, `${listing}\n`)
    const asked = wiki.asked().length
    expect((await run(['refresh', cassette])).code).toBe(0)
    expect(cursors(wiki).slice(asked)).toEqual([null])
  })

  it('--into leaves the first cassette alone, --upstream asks another wiki', async () => {
    const wiki = await pagingWiki({ titles: ['A', 'B', 'C'], mark: 'x' })
    const other = await pagingWiki({ titles: ['A', 'B', 'C', 'D'], mark: 'y' })
    const cassette = tape()
    const into = tape()
    await capture(wiki, cassette, requests)
    const before = filesIn(cassette)
    const { code } = await run([
      'refresh',
      cassette,
      '--upstream',
      other.api,
      '--into',
      into
    ])
    expect(code).toBe(0)
    expect(filesIn(cassette)).toEqual(before)
    expect(
      JSON.parse(readFileSync(path.join(into, 'cassette.json'), 'utf8'))
    ).toMatchObject({
      upstream: other.api
    })
    const { stdout } = await run(['diff', cassette, into])
    expect(stdout).toContain('items new  list=allpages  query.allpages[*]')
  })
})

describe('refresh that does not end well', () => {
  it('that breaks off touches nothing: exit code 3', async () => {
    const state = { titles: ['A', 'B', 'C', 'D', 'E'], mark: 'x' }
    const wiki = await pagingWiki(state)
    const cassette = tape()
    await capture(wiki, cassette, requests)
    const before = filesIn(cassette)
    const failing = await fakeWiki((params, _seen, response) => {
      if (params.get('action') === 'parse') {
        response.destroy()
        return 'taken'
      }
      return '{"query":{"allpages":[]}}'
    })
    const into = tape()
    const { code, stderr } = await run([
      'refresh',
      cassette,
      '--upstream',
      failing.api,
      '--into',
      into
    ])
    expect(code).toBe(3)
    expect(stderr).toContain('only 1 of 2 requests were answered')
    expect(stderr).toContain('is unchanged')
    expect(stderr).toContain(
      '1 request failed; the same command run again sends everything'
    )
    expect(stderr).not.toContain('only for what is missing')
    expect(filesIn(cassette)).toEqual(before)
    await wiki.close()
    expect((await run(['refresh', cassette])).code).toBe(3)
    expect(filesIn(cassette)).toEqual(before)
  })

  it('names a broken recording, and renews the others: exit code 2', async () => {
    const wiki = await fakeWiki()
    const cassette = tape()
    await capture(wiki, cassette, 'action=parse&page=А\naction=parse&page=Б\n')
    const [name = ''] = interactionFiles(cassette)
    writeFileSync(path.join(cassette, name), 'oops')
    const { code, stderr } = await run(['refresh', cassette])
    expect(code).toBe(2)
    expect(stderr).toContain(`${name}:1:`)
    expect(stderr).toContain('unchanged 1')
  })

  it('needs --allow-live with CI=true, and a cassette', async () => {
    const wiki = await fakeWiki()
    const cassette = tape()
    await capture(wiki, cassette, 'action=parse&page=А\n')
    expect((await run(['refresh', cassette], { env: { CI: 'true' } })).stderr).toContain(
      '--allow-live'
    )
    expect((await run(['refresh', tape()])).stderr).toContain('there is no cassette at')
    expect(
      (await run(['refresh', cassette, '--upstream', '/w/api.php'])).stderr
    ).toContain('has no http://')
  })
})
