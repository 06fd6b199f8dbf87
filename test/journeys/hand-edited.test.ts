/** What people write into the files of a cassette is kept or refused, and the commands agree on what can be read. */
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { asking, shell } from '../helpers/commands.ts'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { interactionFiles, temporaryFolder } from '../helpers/folders.ts'
import { run } from '../helpers/program.ts'
import { partOf } from '../helpers/shipped.ts'

const copy = (): string => {
  const dir = path.join(temporaryFolder(), 'tape')
  cpSync(partOf('1.43', ['compare', 'query.backlinks']), dir, { recursive: true })
  return dir
}
const jsonIn = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
const edit = (file: string, change: (content: never) => unknown): void =>
  writeFileSync(file, JSON.stringify(change(jsonIn(file) as never)))

describe('a file that diff cannot read', () => {
  const contents = ['[]', '{}', '7', '{"pages":{"A":7}}', '{"noise":[1]}', '{"noise":7}']
  const named = ['pages.json', 'requests.json', 'noise.json']
  const cases = named.flatMap((name) => contents.map((text) => [name, text] as const))

  it.each(cases)('is a fault to check, and no other is: %s, %s', async (name, text) => {
    const dir = copy()
    writeFileSync(path.join(dir, name), text)
    const checked = await run(['check', dir])
    const compared = await run(['diff', dir, dir])
    const isRefused = compared.code !== 0
    expect([checked.code, checked.stdout.includes(name)]).toEqual(
      isRefused ? [1, true] : [0, false]
    )
  })
})

describe('a description that is gone', () => {
  it.each(['query', 'main'])('is a fault to check: %s', async (module) => {
    const dir = copy()
    expect((await run(['check', dir])).code).toBe(0)
    rmSync(path.join(dir, 'paraminfo', `${module}.json`))
    const { code, stdout } = await run(['check', dir])
    expect(code).toBe(1)
    expect(stdout).toContain(`the description of ${module} is gone`)
    expect(stdout).toContain('--describe')
  })
})

it('a body in a file of its own that git could not merge is a fault to check', async () => {
  const dir = copy()
  const [name = ''] = interactionFiles(dir)
  const body = name.replace(/\.json$/, '.0.bin')
  edit(path.join(dir, name), (one: { request: object }) => ({
    request: one.request,
    responses: [{ status: 200, textFile: path.basename(body) }]
  }))
  writeFileSync(path.join(dir, body), 'a\nb\n')
  expect((await run(['check', dir])).code).toBe(0)
  writeFileSync(path.join(dir, body), 'a\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n')
  const { code, stdout } = await run(['check', dir])
  expect([code, stdout]).toEqual([1, expect.stringContaining(`${body}:2:1: unreadable`)])
})

describe('a note', () => {
  it('in a recording stays when it is normalized', async () => {
    const dir = copy()
    const file = path.join(dir, interactionFiles(dir)[0] ?? '')
    edit(file, (one: object) => ({ note: { by: 'Ann' }, ...one }))
    expect((await run(['normalize', dir])).code).toBe(0)
    expect(jsonIn(file).note).toEqual({ by: 'Ann' })
    expect((await run(['normalize', dir, '--check'])).code).toBe(0)
    expect((await run(['check', dir])).code).toBe(0)
  })

  it('in a recording stays when the wiki has another answer: refresh and update', async () => {
    let times = 0
    const wiki = await fakeWiki(() => {
      times += 1
      return JSON.stringify({ query: { times } })
    })
    const dir = path.join(temporaryFolder(), 'tape')
    const query = '?action=query&prop=info&titles=A&format=json'
    const record = shell(asking(query))
    await run(['record', wiki.api, '--cassette', dir, '--', ...record])
    const [name = ''] = interactionFiles(dir).filter((one) => one.startsWith('query'))
    const file = path.join(dir, name)
    edit(file, (one: { responses: object[] }) => ({
      ...one,
      note: 'mine',
      responses: one.responses.map((each) => ({ ...each, ticket: 7 }))
    }))
    const update = [
      'record',
      wiki.api,
      '--cassette',
      dir,
      '--mode',
      'update',
      '--',
      ...record
    ]
    for (const args of [['refresh', dir], update]) {
      const before = jsonIn(file)
      expect((await run(args)).code).toBe(0)
      const after = jsonIn(file)
      expect(after.responses[0].json).not.toEqual(before.responses[0].json)
      expect([after.note, after.responses[0].ticket]).toEqual(['mine', 7])
    }
  })

  it.each([
    ['drift.accept.json', { accepted: [], ticket: 'T-1' }, ['accept', '--prune']],
    ['noise.json', { noise: [], ticket: 'T-1' }, ['normalize', 'tape']]
  ])('beside the entries of %s stays', async (name, content, args) => {
    const root = temporaryFolder()
    cpSync(copy(), path.join(root, 'tape'), { recursive: true })
    const file = path.join(root, name === 'noise.json' ? 'tape' : '', name)
    writeFileSync(file, JSON.stringify(content))
    expect((await run(args, { cwd: root })).code).toBe(0)
    expect(jsonIn(file).ticket).toBe('T-1')
    expect(existsSync(file)).toBe(true)
  })

  const recording = {
    request: { action: 'query', titles: 'A' },
    responses: [{ json: { a: 1 }, status: 200 }]
  }
  const fingerprint = '84571eef0001'
  const accepted = { accepted: [{ fingerprint, reason: 'known' }] }
  const noise = {
    noise: [
      { scope: 'x', place: 'a', kind: 'value.changed', lexical: 'text', support: '1/1' }
    ]
  }
  const files: readonly (readonly [string, object, (one: never) => unknown])[] = [
    [
      'query/titles=A.000000000000.json',
      recording,
      (one: typeof recording) => ({
        ...one,
        responses: [{ json: { a: 2 }, status: 200 }]
      })
    ],
    [
      'drift.accept.json',
      accepted,
      () => ({ accepted: [{ fingerprint, reason: 'known by now' }] })
    ],
    [
      'noise.json',
      noise,
      () => ({ noise: noise.noise.map((one) => ({ ...one, support: '2/2' })) })
    ],
    [
      'cassette.json',
      { format: 1, upstream: 'http://wiki/w/api.php', engine: '1.43.0' },
      (one: object) => ({ ...one, engine: '1.43.1' })
    ]
  ]
  const notes: readonly (readonly [string, (one: never) => unknown])[] = [
    ['at the top', (one: object) => ({ ...one, note: 'mine' })],
    [
      'inside',
      (one: Record<string, unknown>) =>
        Object.fromEntries(
          Object.entries(one).map(([name, value]) => [
            name,
            Array.isArray(value)
              ? value.map((each) => ({ ...each, note: 'mine' }))
              : value
          ])
        )
    ]
  ]
  const sides = ['ours', 'theirs'] as const
  const merges = files.flatMap((file) =>
    notes.flatMap(([where, add]) =>
      sides.map((side) => [file[0], where, side, file, add] as const)
    )
  )

  it.each(merges)('of one side is merged or a conflict: %s, %s, %s', async (...given) => {
    const [name, , side, [, content, change], add] = given
    const folder = temporaryFolder()
    const texts = {
      base: content,
      ours: (side === 'ours' ? add : change)(content as never),
      theirs: (side === 'theirs' ? add : change)(content as never)
    }
    const paths = Object.entries(texts).map(([one, value]) => {
      const file = path.join(folder, one)
      writeFileSync(file, JSON.stringify(value, undefined, 2))
      return file
    })
    const { code } = await run(['merge-driver', ...paths, name])
    const merged = readFileSync(paths[1] ?? '', 'utf8')
    const hasNote = JSON.stringify(texts).includes('mine')
    expect(code === 1 || merged.includes('mine') === hasNote).toBe(true)
  })
})
