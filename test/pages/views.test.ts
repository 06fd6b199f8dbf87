/** What the pages are told, as JSON. */
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import '../helpers/present-build.ts'
import type { InteractionView, ListingView } from '../../src/pages/views.ts'
import {
  encodeManifest,
  newManifest
} from '../../src/recorder/cassette/format/manifest.ts'
import type { Interaction } from '../../src/recorder/cassette/interaction.ts'
import { writePretty } from '../../src/recorder/json/write-json.ts'
import { CassetteStore } from '../../src/recorder/store/cassette-store.ts'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { interactionFiles, temporaryFolder } from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { run } from '../helpers/program.ts'
import { startProxy } from '../helpers/proxies.ts'
import { interactionOf, jsonBody, response } from '../helpers/recorded.ts'
import { type Taped, taped } from './recorded-cassette.ts'

const allpages = (from: string, body = '{"query":{}}'): Interaction =>
  interactionOf({ action: 'query', list: 'allpages', apfrom: from }, [
    response(jsonBody(body))
  ])

describe('a recording', () => {
  it('says after which writes of other sessions each of its answers was given', async () => {
    const write = { action: 'edit', title: 'Волга' }
    const edit = interactionOf({ ...write, 'as user': 'user:Алиса' })
    const other = interactionOf({ ...write, text: 'b', 'as user': 'user:Алиса' })
    const afterOthers = ['', edit.key, `${edit.key} ${other.key}`]
    const read = interactionOf({ action: 'query', titles: 'Волга' }, [
      response(jsonBody('{}')),
      ...afterOthers.map((state) =>
        response(jsonBody('{}'), { afterOthers: [state, 'a'] })
      )
    ])
    const { view } = await taped([edit, other, read])
    const [, told] = await view(`api/interaction?key=${read.key}`)
    const by = 'the edit of Волга by Алиса'
    const unknown = 'a write that was missed or is not recorded'
    expect((told as InteractionView).responses.map(({ after }) => after)).toEqual([
      '',
      `no write of others or ${unknown}`,
      `${by} or ${unknown}`,
      `${by} and 1 more write or ${unknown}`
    ])
  })
})

describe('a cassette', () => {
  it('is told with its modules, and again when another process has written into it', async () => {
    const { cassette, view } = await taped([
      allpages('A'),
      interactionOf({ action: 'parse', page: 'Б' })
    ])
    const told = {
      name: 'tape',
      dir: cassette,
      upstream: 'http://wiki.example/w/api.php',
      engine: '',
      recorded: '2026-11-22',
      interactions: 2,
      sessionCookies: [],
      folders: [
        { name: 'parse', label: 'parse', interactions: 1 },
        { name: 'query.allpages', label: 'query.allpages', interactions: 1 }
      ]
    }
    expect(await view('api/cassette')).toEqual([200, told])
    CassetteStore.open(cassette).put(allpages('B'))
    // The store looks at the disk ten times a second at most.
    await expect
      .poll(() => view('api/cassette'))
      .toEqual([
        200,
        expect.objectContaining({
          interactions: 3,
          folders: [
            told.folders[0],
            { name: 'query.allpages', label: 'query.allpages', interactions: 2 }
          ]
        })
      ])
  })

  it('is told before anything is recorded, and its folders are not there', async () => {
    const wiki = await fakeWiki()
    const cassette = path.join(temporaryFolder(), 'none', 'tape')
    const { origin } = await startProxy(wiki.api, { cassette })
    const told = async (view: string): Promise<unknown> =>
      JSON.parse((await ask(`${origin}/__wikitape/api/${view}`)).text)
    const about = {
      doing: 'recording',
      hasRequests: false,
      current: 'tape',
      cassettes: ['tape'],
      runs: []
    }
    expect(await told('about')).toEqual(about)
    expect(await told('cassette')).toMatchObject({ interactions: 0, folders: [] })
    expect(await told('interactions')).toEqual({ rows: [], from: 0, total: 0 })
  })

  it('spells out what would turn the name of a folder around', async () => {
    const { cassette, view } = await taped([])
    mkdirSync(path.join(cassette, 'a\u202eb'))
    writeFileSync(path.join(cassette, 'a\u202eb', '0123456789ab.json'), '{}')
    expect(await view('api/cassette')).toEqual([
      200,
      expect.objectContaining({
        folders: [{ name: 'a\u202eb', label: 'a\\u202eb', interactions: 1 }]
      })
    ])
  })

  it('offers those beside it, and nothing else', async () => {
    const { cassette, view } = await taped([])
    const beside = path.join(path.dirname(cassette), 'beside')
    CassetteStore.openOrCreate(beside, 'http://other.example/w/api.php').saveManifest()
    mkdirSync(path.join(path.dirname(cassette), 'no-cassette'))
    expect(await view('api/about')).toEqual([
      200,
      {
        doing: 'replaying',
        hasRequests: false,
        current: 'tape',
        cassettes: ['beside', 'tape'],
        runs: []
      }
    ])
    expect(await view('api/cassette?cassette=beside')).toEqual([
      200,
      expect.objectContaining({ interactions: 0 })
    ])
    for (const name of [
      'no-cassette',
      '..',
      '.',
      '/etc',
      '__proto__',
      'beside/../tape',
      '',
      '%00'
    ])
      expect((await view(`api/cassette?cassette=${encodeURIComponent(name)}`))[0]).toBe(
        404
      )
  })
})

describe('interactions', () => {
  it('show a parameter as it was sent where its key has another spelling', async () => {
    const one = interactionOf({ action: 'query', titles: 'Дон' }, undefined, {
      titles: 'дон'
    })
    const { view } = await taped([one])
    const [, found] = await view(`api/interaction?key=${one.key}`)
    expect(found).toMatchObject({
      params: [
        { name: 'action', value: 'query' },
        { name: 'titles', value: 'Дон', sent: 'дон' }
      ]
    })
  })

  it('are told in words, with who asked and after which writes', async () => {
    const edit = interactionOf({
      action: 'edit',
      title: 'Волга',
      'as user': 'user:Admin'
    })
    const { view } = await taped([
      edit,
      interactionOf({
        action: 'query',
        prop: 'info|categories',
        titles: 'Волга|Дон',
        cllimit: '5',
        'as user': 'user:Admin',
        'after writes': edit.key
      })
    ])
    const [, found] = await view('api/interactions?folder=query.info%2Bcategories')
    expect(found).toEqual({
      total: 1,
      from: 0,
      rows: [
        expect.objectContaining({
          words: 'info, categories of Волга, Дон · cllimit=5',
          who: 'Admin',
          state: 'the edit of Волга',
          statuses: [200],
          fault: ''
        })
      ]
    })
  })
})

describe('the search of interactions', () => {
  it('are searched by words of names, a hundred on a page', async () => {
    const { view } = await taped(
      Array.from({ length: 230 }, (_, at) => allpages(`Река ${at}`))
    )
    const [, first] = (await view('api/interactions?q=река')) as [
      number,
      { rows: { key: string }[]; total: number }
    ]
    expect([first.rows.length, first.total]).toEqual([100, 230])
    const [, last] = (await view('api/interactions?q=река&from=200')) as [
      number,
      { rows: { key: string }[] }
    ]
    expect(last.rows.length).toBe(30)
    expect(last.rows.some(({ key }) => first.rows.some((one) => one.key === key))).toBe(
      false
    )
    const [, one] = (await view(
      `api/interactions?q=${encodeURIComponent('list=allpages apfrom=Река_229')}`
    )) as [number, { total: number }]
    expect(one.total).toBe(1)
  })

  it('are searched inside, step by step, to the end', async () => {
    const { view } = await taped([
      allpages('A', '{"hidden":"Сокровище"}'),
      allpages('B'),
      allpages('C')
    ])
    const found: unknown[] = []
    for (let from: number | undefined = 0; from !== undefined; ) {
      const [, step] = (await view(`api/inside?q=сокровище&from=${from}`)) as [
        number,
        { rows: unknown[]; next?: number; total: number }
      ]
      found.push(...step.rows)
      expect(step.total).toBe(3)
      from = step.next
    }
    expect(found).toEqual([
      expect.objectContaining({ words: 'list allpages · apfrom=A' })
    ])
  })
})

describe('broken and odd interactions', () => {
  it('that cannot be read are told as such, each by itself', async () => {
    const { cassette, view } = await taped([allpages('A')])
    const folder = path.join(cassette, 'query.allpages')
    writeFileSync(path.join(folder, 'broken.0123456789ab.json'), '{"request":')
    const huge = path.join(folder, 'huge.abcdef012345')
    // Half of it lies beside, as large texts do.
    for (const name of [`${huge}.json`, `${huge}.0.bin`]) {
      writeFileSync(name, '{}')
      truncateSync(name, 50_000_000)
    }
    const [, found] = (await view('api/interactions')) as [
      number,
      { rows: { key: string; fault: string; isLarge: boolean }[] }
    ]
    const faults = new Map(found.rows.map(({ key, fault }) => [key, fault]))
    expect(faults.get('0123456789ab')).toContain('cannot be read')
    expect(faults.get('abcdef012345')).toBe('100 MB: open it to see the request')
    const large = found.rows.filter(({ isLarge }) => isLarge)
    expect(large.map(({ key }) => key)).toEqual(['abcdef012345'])
    expect(await view('api/interaction?key=0123456789ab')).toEqual([
      404,
      {
        error: {
          code: 'unreadable',
          info: expect.stringContaining('broken.0123456789ab.json:1:')
        }
      }
    ])
    expect(await view('api/interaction?key=abcdef012345')).toEqual([
      413,
      {
        error: {
          code: 'too-large',
          info: expect.stringContaining('wikitape show abcdef012345')
        }
      }
    ])
  })

  it('is no larger for a body under any other name', async () => {
    const one = interactionOf({ 'plain target': '/a.png' }, [
      response({ kind: 'binary', bytes: new Uint8Array(100_000) })
    ])
    const { cassette, view, origin } = await taped([one])
    const [file = ''] = interactionFiles(cassette)
    const whole = path.join(cassette, file)
    const text = readFileSync(whole, 'utf8')
    writeFileSync(whole, text.replace(/"file": "[^"]+"/, '"file": "elsewhere"'))
    const beside = path.join(path.dirname(whole), 'elsewhere')
    writeFileSync(beside, 'a')
    expect((await ask(`${origin}/__wikitape/api/body?key=${one.key}`)).status).toBe(200)
    truncateSync(beside, 90_000_000)
    const [, { rows }] = (await view('api/interactions')) as [
      number,
      { rows: { fault: string }[] }
    ]
    expect(rows[0]?.fault).toContain('its body files have more than 2000000 bytes')
    writeFileSync(whole, `${readFileSync(whole, 'utf8')} `)
    expect(await view(`api/body?key=${one.key}`)).toEqual([
      404,
      {
        error: {
          code: 'unreadable',
          info: expect.stringContaining('more than 80000000 bytes')
        }
      }
    ])
  })
})

describe('an answer', () => {
  /** The body that a page reads: status, content type and bytes. */
  const bodyOf = async (
    { origin }: Taped,
    key: string
  ): Promise<readonly [number, string, Buffer]> => {
    const response = await fetch(`${origin}/__wikitape/api/body?key=${key}`)
    const bytes = Buffer.from(await response.arrayBuffer())
    return [response.status, response.headers.get('content-type') ?? '', bytes]
  }

  it('is read as the wiki sent it: doubled names, numbers as spelled, escapes', async () => {
    const body =
      '{"a":1.0,"__proto__":{"x":[]},"a":"<b>\\u202e","list":[null,{"deep":true}]}'
    const one = allpages('A', body)
    expect(await bodyOf(await taped([one]), one.key)).toEqual([
      200,
      'text/plain; charset=utf-8',
      Buffer.from(body)
    ])
  })

  it('that is binary is read as bytes that no browser takes for a page', async () => {
    const bytes = new Uint8Array([0, 255, 16])
    const one = interactionOf({ 'plain target': '/a.png' }, [
      response({ kind: 'binary', bytes })
    ])
    expect(await bodyOf(await taped([one]), one.key)).toEqual([
      200,
      'application/octet-stream',
      Buffer.from(bytes)
    ])
  })

  it('that is too large to read is named with the command that shows it', async () => {
    const one = allpages('A', JSON.stringify({ long: 'x'.repeat(20_000_001) }))
    const { view } = await taped([one])
    expect(await view(`api/body?key=${one.key}`)).toEqual([
      413,
      {
        error: {
          code: 'too-large',
          info: expect.stringContaining(`wikitape show ${one.key}`)
        }
      }
    ])
  })
})

describe('what takes long', () => {
  const pages = async (): Promise<{ readonly api: string; readonly drift: string }> => {
    const { api, origin } = await startProxy(undefined, { cassette: 'cassettes/ru-1.43' })
    const drift = `${origin}/__wikitape/api/drift?a=ru-1.35&b=ru-1.43`
    return { api: `${api}?action=query&list=allpages&format=json`, drift }
  }

  it('keeps no request of a client waiting', async () => {
    const { api, drift } = await pages()
    await ask(api)
    const ended: string[] = []
    const report = ask(drift).then(() => ended.push('drift'))
    for (let times = 0; times < 5; times += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      await ask(api)
      ended.push('request')
    }
    await report
    expect(ended.indexOf('drift')).toBe(5)
  })

  it('ends when nobody waits for it any more', async () => {
    const ended = vi.spyOn(Worker.prototype, 'terminate')
    onTestFinished(() => ended.mockRestore())
    const leaving = new AbortController()
    const { drift } = await pages()
    const left = fetch(drift, { signal: leaving.signal }).catch(() => 'left')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(ended).not.toHaveBeenCalled()
    leaving.abort()
    expect(await left).toBe('left')
    await expect.poll(() => ended.mock.calls.length).toBe(1)
  })

  it.each(['drift?', 'compare?key-a=89c531d8b4ea&'])(
    'is read elsewhere: %s opens no cassette where clients are answered',
    async (view) => {
      const { drift } = await pages()
      const opened = vi.spyOn(CassetteStore, 'open')
      const read = vi.spyOn(CassetteStore.prototype, 'get')
      onTestFinished(() => {
        opened.mockRestore()
        read.mockRestore()
      })
      const { status } = await ask(drift.replace('drift?', view))
      expect([status, opened.mock.calls, read.mock.calls]).toEqual([200, [], []])
    }
  )

  it('check tells what the verb tells', async () => {
    const { cassette, view } = await taped([
      allpages('A', '{"token":"a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6"}')
    ])
    writeFileSync(path.join(cassette, 'query.allpages', 'x.0123456789ab.json'), '{')
    const [status, told] = await view('api/check')
    expect(status).toBe(200)
    expect(told).toMatchObject({ command: `wikitape check ${cassette}` })
    const kinds = (told as { complaints: { kind: string }[] }).complaints.map(
      ({ kind }) => kind
    )
    expect(new Set(kinds)).toEqual(new Set(['unreadable', 'secret']))
  })

  it('listings are told in parts and gaps as coverage tells them, with the command that closes the gaps', async () => {
    const cassette = path.join(temporaryFolder(), 'tape')
    for (const part of ['cassette.json', 'paraminfo', 'query.allpages'])
      cpSync(path.join('cassettes/ru-1.43', part), path.join(cassette, part), {
        recursive: true
      })
    const folder = path.join(cassette, 'query.allpages')
    for (const name of readdirSync(folder))
      if (name.includes('apcontinue=Абрикос_10')) rmSync(path.join(folder, name))
    const { origin } = await startProxy(undefined, { cassette })
    const told = JSON.parse(
      (await ask(`${origin}/__wikitape/api/listings?folder=query.allpages`)).text
    ) as ListingView[]
    const covered = JSON.parse((await run(['coverage', cassette, '--json'])).stdout) as {
      readonly listing: string
      readonly items: number
      readonly complete: boolean
      readonly intervals: readonly { readonly first: string }[]
      readonly gaps: readonly object[]
    }[]
    const whole = told.find(({ listing }) => listing === 'action=query&list=allpages')
    const expected = covered.find(
      ({ listing }) => listing === 'action=query&list=allpages'
    )
    expect(whole).toMatchObject({ complete: false, items: expected?.items, more: 0 })
    expect(whole?.parts.map(({ kind }) => kind)).toEqual(['interval', 'gap', 'interval'])
    expect(
      whole?.parts.flatMap((part) => (part.kind === 'interval' ? [part.first] : []))
    ).toEqual(expected?.intervals.map(({ first }) => first))
    expect(whole?.command).toBe(
      `wikitape capture http://127.0.0.1:8143/w/api.php --cassette ${cassette} --complete`
    )
  })

  it('drift is the report that the verb writes', async () => {
    const { cassette, view } = await taped([
      allpages('A', '{"query":{"allpages":[{"title":"<b>"}]}}')
    ])
    const beside = path.join(path.dirname(cassette), 'beside')
    CassetteStore.openOrCreate(beside, 'http://wiki.example/w/api.php').put(
      allpages('A', '{"query":{"allpages":[{"name":"<b>"}]}}')
    )
    const [status, report] = await view('api/drift?a=tape&b=beside')
    const { stdout } = await run(['diff', cassette, beside, '--format', 'json'])
    const sidesAside = (value: unknown): unknown => ({
      ...(value as object),

      a: undefined,
      b: undefined,
      remarks: undefined
    })
    expect(status).toBe(200)
    expect(sidesAside(report)).toEqual(sidesAside(JSON.parse(stdout)))
    expect((await view('api/drift?a=tape&b=../tape'))[0]).toBe(404)
  })

  it('cassettes are listed from older to newer: by the version of the wiki, then by the day', async () => {
    const { cassette, view } = await taped([allpages('A', '{"query":{"allpages":[]}}')])
    const days = {
      newer: '1.43.9 2026-01-01',
      later: '1.9.3 2026-03-01',
      older: '1.9.3 2026-02-01'
    }
    for (const [name, text] of Object.entries(days)) {
      const [engine = '', recorded = ''] = text.split(' ')
      const dir = path.join(path.dirname(cassette), name)
      mkdirSync(dir)
      const manifest = {
        ...newManifest('http://wiki.example/w/api.php', recorded),
        engine
      }
      writeFileSync(
        path.join(dir, 'cassette.json'),
        writePretty(encodeManifest(manifest))
      )
    }
    const [, about] = await view('api/about')
    expect(about).toMatchObject({
      current: 'tape',
      cassettes: ['tape', 'older', 'later', 'newer']
    })
  })
})
