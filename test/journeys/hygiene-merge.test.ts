/** `init` and `merge-driver`: real merges of real repositories. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { encodeNoiseProfile } from '../../src/drift/noise/noise-profile.ts'
import {
  maxInlineBytes,
  maxInlineCharacters
} from '../../src/recorder/cassette/format/encode-interaction.ts'
import type {
  Interaction,
  RecordedBody
} from '../../src/recorder/cassette/interaction.ts'
import { CassetteStore } from '../../src/recorder/store/cassette-store.ts'
import { filesIn, temporaryFolder } from '../helpers/folders.ts'
import { program, spawned } from '../helpers/processes.ts'
import { run } from '../helpers/program.ts'
import { interactionOf, jsonBody, response, treeOf } from '../helpers/recorded.ts'
import { type Repository, repository } from '../helpers/repositories.ts'

const upstream = 'http://wiki/w/api.php'
const page = (title: string, ...answers: readonly string[]): Interaction =>
  interactionOf(
    { action: 'query', prop: 'info', titles: title },
    (answers.length === 0 ? ['first'] : answers).map((says) =>
      response(
        jsonBody(`{"query":{"pages":{"1":{"title":"${title}","says":"${says}"}}}}`)
      )
    )
  )

/** Records into the cassette of a repository. */
function record(
  { root }: Pick<Repository, 'root'>,
  ...interactions: readonly Interaction[]
): CassetteStore {
  const store = CassetteStore.openOrCreate(path.join(root, 'cassettes/tape'), upstream)
  for (const one of interactions) store.put(one)
  store.checkpoint()
  return store
}

/** `init`; git then runs the built program. */
async function installDriver({ root }: Repository): Promise<void> {
  const command = `"${process.execPath}" "${program}"`
  const { code, stderr } = await run(['init', '--command', command], { cwd: root })
  expect([code, stderr]).toEqual([0, ''])
}

/** A repository with the driver installed and a cassette that holds `begun`. */
async function prepared(...begun: readonly Interaction[]): Promise<Repository> {
  const names = JSON.stringify(begun.map(({ key }) => key))
  const before = preparedBefore.get(names)
  if (before !== undefined) return repository('repository', { root: before })
  const repo = repository()
  await installDriver(repo)
  record(repo, ...begun)
  repo.commit('begun')
  repo.git('branch', 'theirs')
  const kept = path.join(keptFolder, String(preparedBefore.size))
  cpSync(repo.root, kept, { recursive: true })
  preparedBefore.set(names, kept)
  return repo
}

/** Most tests begin alike: what takes a dozen processes of git is done once, and copied. */
const preparedBefore = new Map<string, string>()
let keptFolder = ''
beforeAll(() => {
  keptFolder = mkdtempSync(path.join(tmpdir(), 'wikitape-test-'))
  return () => rmSync(keptFolder, { recursive: true })
})

/** Commits `ours` and `theirs` on branches of their own and merges the second into the first. */
function merge(
  repo: Repository,
  ours: () => void,
  theirs: () => void
): ReturnType<Repository['tryGit']> {
  ours()
  repo.commit('ours', 'theirs')
  theirs()
  repo.commit('theirs', 'main')
  return repo.tryGit('merge', '--no-edit', 'theirs')
}

const tape = ({ root }: Repository): string => path.join(root, 'cassettes/tape')

/** The cassette that recording one after the other leaves. */
function recordedInTurn(
  ...interactions: readonly Interaction[]
): ReadonlyMap<string, string> {
  const root = temporaryFolder()
  record({ root }, ...interactions)
  return filesIn(path.join(root, 'cassettes/tape'))
}

const check = async (repo: Repository): Promise<readonly [number | null, string]> => {
  const { code, stdout, stderr } = await run(['check', 'cassettes/tape'], {
    cwd: repo.root
  })
  return [code, stdout + stderr]
}

describe('a merge of two cassettes', () => {
  it('holds what both sides added, as if both had been recorded here', async () => {
    const repo = await prepared(page('A'))
    const { code } = merge(
      repo,
      () => record(repo, page('B'), page('C')),
      () => record(repo, page('D'))
    )
    expect(code).toBe(0)
    expect(filesIn(tape(repo))).toEqual(
      recordedInTurn(page('A'), page('B'), page('C'), page('D'))
    )
  })

  it('takes one of two equal recordings, though the times in them differ', async () => {
    const timed = (time: string): Interaction =>
      interactionOf({ action: 'query', curtimestamp: '1' }, [
        response(jsonBody(`{"curtimestamp":"${time}","query":{}}`))
      ])
    const repo = await prepared(page('A'))
    const { code } = merge(
      repo,
      () => record(repo, timed('2026-01-01T00:00:00Z')),
      () => record(repo, timed('2026-02-02T00:00:00Z'))
    )
    expect(code).toBe(0)
    expect(filesIn(tape(repo))).toEqual(
      recordedInTurn(page('A'), timed('2026-01-01T00:00:00Z'))
    )
  })

  it('takes the side that recorded anew, and the sequence that goes on', async () => {
    const repo = await prepared(page('A'), page('B'), page('C'))
    const { code } = merge(
      repo,
      () => record(repo, page('A', 'second'), page('C', 'first', 'then')),
      () => record(repo, page('B', 'second'), page('C', 'first'))
    )
    expect(code).toBe(0)
    expect(filesIn(tape(repo))).toEqual(
      recordedInTurn(page('A', 'second'), page('B', 'second'), page('C', 'first', 'then'))
    )
  })
})

describe('a merge of two cassettes that differ', () => {
  it('is a conflict where one request was answered differently: told, marked, and named by check', async () => {
    const repo = await prepared(page('A'))
    const { code, text } = merge(
      repo,
      () => record(repo, page('B', 'this'), page('C')),
      () => record(repo, page('B', 'that'), page('D'))
    )
    expect(code).toBe(1)
    expect(text).toMatch(
      /wikitape: cassettes\/tape\/query\.info\/titles=B\.[0-9a-f]{12}\.json: both sides recorded this request, and the wiki answered them differently; keep one: git checkout --ours /
    )
    const [, file = ''] = /: (cassettes\/\S+): both/.exec(text) ?? []
    const marked = readFileSync(path.join(repo.root, file), 'utf8')
    expect(marked).toMatch(/<<<<<<< ours\n.*this.*\n=======\n.*that.*\n>>>>>>> theirs\n/)
    const [checked, complaints] = await check(repo)
    expect(checked).toBe(1)
    expect(complaints).toMatch(
      /titles=B\.\S+:\d+:1: unreadable: contains an unresolved merge conflict/
    )
    expect(complaints).toContain('1 fault in')

    repo.git('checkout', '--theirs', file)
    repo.commit('merged')
    expect((await check(repo))[0]).toBe(0)
    expect(filesIn(tape(repo))).toEqual(
      recordedInTurn(page('A'), page('B', 'that'), page('C'), page('D'))
    )
  })

  it('drops what one side dropped, and leaves it to a person where the other recorded it anew', async () => {
    const repo = await prepared(page('A'), page('B'))
    const drop = (one: Interaction): void =>
      CassetteStore.open(tape(repo)).delete(one.key)
    const { code, text } = merge(
      repo,
      () => {
        drop(page('A'))
        drop(page('B'))
      },
      () => record(repo, page('B', 'second'))
    )
    expect(code).toBe(1)
    expect(text).toContain('CONFLICT (modify/delete)')
    expect((await check(repo))[0]).toBe(0)
    expect(filesIn(tape(repo))).toEqual(recordedInTurn(page('B', 'second')))
  })

  it('is not fooled where git takes one request for another that was renamed', async () => {
    const repo = await prepared(page('A'))
    const { code, text } = merge(
      repo,
      () => {
        CassetteStore.open(tape(repo)).delete(page('A').key)
        record(repo, page('B'))
      },
      () => record(repo, page('A', 'second'))
    )
    expect(code).toBe(1)
    const files = filesIn(tape(repo))
    for (const [name, content] of files)
      if (name.includes('titles=B'))
        expect(content).toBe(recordedInTurn(page('B')).get(name))
    expect([...files.keys()].some((name) => name.includes('titles=B'))).toBe(true)
    expect(text).toMatch(/renamed|modify\/delete/)
    expect((await check(repo))[1]).toContain('no faults')
  })
})

describe('a merge of large bodies', () => {
  it.each<readonly [string, (word: string) => RecordedBody]>([
    [
      'bytes',
      (word) => ({ kind: 'binary', bytes: Buffer.alloc(maxInlineBytes + 1, word) })
    ],
    ['texts', (word) => ({ kind: 'text', text: word.repeat(maxInlineCharacters + 1) })]
  ])(
    'leaves large bodies whole, %s: those of both sides, and of two that differ ours, and git asks',
    async (_, body) => {
      const large = (name: string, word: string): Interaction =>
        interactionOf({ 'plain target': name }, [response(body(word))])
      const repo = await prepared(page('A'))
      const { code } = merge(
        repo,
        () => record(repo, large('/a', 'x'), large('/b', 'x')),
        () => record(repo, large('/a', 'y'), large('/c', 'y'))
      )
      expect(code).toBe(1)
      expect(repo.git('diff', '--name-only', '--diff-filter=U').trim()).toMatch(/\.bin$/)
      expect(filesIn(tape(repo))).toEqual(
        recordedInTurn(page('A'), large('/a', 'x'), large('/b', 'x'), large('/c', 'y'))
      )
    }
  )
})

const namespace = (id: number, name: string, ...aliases: readonly string[]) => ({
  id,
  name,
  aliases,
  firstLetter: true
})
const site = (...namespaces: readonly ReturnType<typeof namespace>[]) => ({
  generator: 'MediaWiki 1.43.9',
  lang: 'ru',
  namespaces
})

const learn = (repo: Repository, facts: Partial<CassetteStore['manifest']>): void => {
  const store = record(repo)
  store.setManifest({ ...store.manifest, ...facts })
}

describe('a merge of what is known of the wiki', () => {
  const manifest = (repo: Repository): CassetteStore['manifest'] =>
    CassetteStore.open(tape(repo)).manifest

  it('holds the facts of both sides, in canonical order', async () => {
    const repo = await prepared(page('A'))
    learn(repo, { site: site(namespace(0, '')) })
    repo.commit('site')
    repo.git('branch', '--force', 'theirs')
    const { code } = merge(
      repo,
      () =>
        learn(repo, {
          site: site(namespace(0, '', 'Main'), namespace(828, 'Модуль', 'Module'))
        }),
      () =>
        learn(repo, {
          engine: '1.43.9',
          site: site(namespace(0, '', 'Начало'), namespace(10, 'Шаблон'))
        })
    )
    expect(code).toBe(0)
    expect(manifest(repo)).toEqual({
      format: 1,
      upstream,
      engine: '1.43.9',
      describesItself: true,
      site: site(
        namespace(0, '', 'Main', 'Начало'),
        namespace(10, 'Шаблон'),
        namespace(828, 'Модуль', 'Module')
      )
    })
    const text = readFileSync(path.join(tape(repo), 'cassette.json'), 'utf8')
    const store = CassetteStore.open(tape(repo))
    store.setManifest({ ...store.manifest, engine: '' })
    store.setManifest({ ...store.manifest, engine: '1.43.9' })
    expect(readFileSync(path.join(tape(repo), 'cassette.json'), 'utf8')).toBe(text)
  })

  it('is as old as the older side', async () => {
    const repo = repository()
    await installDriver(repo)
    repo.commit('empty')
    repo.git('branch', 'theirs')
    const { code } = merge(
      repo,
      () => {
        record(repo, page('A'))
        learn(repo, { recorded: '2026-03-03' })
      },
      () => {
        record(repo, page('B'))
        learn(repo, { recorded: '2026-02-02', engine: '1.43.9' })
      }
    )
    expect(code).toBe(0)
    expect(manifest(repo)).toMatchObject({ recorded: '2026-02-02', engine: '1.43.9' })
    expect((await check(repo))[0]).toBe(0)
  })
})

describe('a merge of two wikis', () => {
  it('is a conflict where two wikis were recorded, which check tells', async () => {
    const repo = await prepared(page('A'))
    const { code, text } = merge(
      repo,
      () => learn(repo, { engine: '1.39.17' }),
      () => learn(repo, { engine: '1.43.9' })
    )
    expect(code).toBe(1)
    expect(text).toContain(
      'cassette.json: engine is another one on each side: were these recorded from two wikis?'
    )
    const [checked, complaints] = await check(repo)
    expect(checked).toBe(2)
    expect(complaints).toMatch(/cassette\.json:\d+:1: /)
  })

  it('keeps the descriptions of modules of both sides, and never makes one of two', async () => {
    const repo = await prepared(page('A'))
    const describe = (name: string, help: string): void =>
      record(repo).putModule(
        name,
        treeOf(`{"path":"${name}","parameters":[],"help":"${help}"}`)
      )
    const { code, text } = merge(
      repo,
      () => {
        describe('query+info', 'a')
        describe('parse', 'a')
        describe('query', 'same')
      },
      () => {
        describe('query+links', 'b')
        describe('parse', 'b')
        describe('query', 'same')
      }
    )
    expect(code).toBe(1)
    expect(text).toContain(
      'paraminfo/parse.json: the two sides describe this module differently'
    )
    expect(repo.git('diff', '--name-only', '--diff-filter=U').trim()).toBe(
      'cassettes/tape/paraminfo/parse.json'
    )
    const [checked, complaints] = await check(repo)
    expect([checked, complaints]).toEqual([
      1,
      expect.stringContaining('paraminfo/parse.json')
    ])
  })
})

describe('a merge of the other files', () => {
  it('knows the noise and the acceptances of both sides', async () => {
    const entry = (place: string) =>
      ({
        scope: 'query',
        place,
        kind: 'value.changed',
        lexical: 'number',
        support: '2/2'
      }) as const
    const accepted = (print: string): string =>
      `${JSON.stringify({ accepted: [{ about: '', fingerprint: print.repeat(12), reason: 'fine' }] }, null, 2)}\n`
    const repo = await prepared(page('A'))
    const write = (place: string, print: string): void => {
      writeFileSync(
        path.join(tape(repo), 'noise.json'),
        encodeNoiseProfile({ entries: [entry(place)] })
      )
      writeFileSync(path.join(repo.root, 'drift.accept.json'), accepted(print))
    }
    const { code } = merge(
      repo,
      () => write('query.b', 'b'),
      () => write('query.a', 'a')
    )
    expect(code).toBe(0)
    expect(readFileSync(path.join(tape(repo), 'noise.json'), 'utf8')).toBe(
      encodeNoiseProfile({ entries: [entry('query.a'), entry('query.b')] })
    )
    expect(readFileSync(path.join(repo.root, 'drift.accept.json'), 'utf8')).toMatch(
      /aaaaaaaaaaaa[\s\S]*bbbbbbbbbbbb/
    )
  })

  it('merges files of others as git does', async () => {
    const repo = await prepared(page('A'))
    const note = path.join(tape(repo), 'README.md')
    writeFileSync(note, 'one\ntwo\nthree\n')
    repo.commit('note')
    repo.git('branch', '--force', 'theirs')
    const { code } = merge(
      repo,
      () => writeFileSync(note, 'ONE\ntwo\nthree\n'),
      () => writeFileSync(note, 'one\ntwo\nTHREE\n')
    )
    expect(code).toBe(0)
    expect(readFileSync(note, 'utf8')).toBe('ONE\ntwo\nTHREE\n')
  })
})

describe('merge-driver', () => {
  /** Runs it on files of one folder. */
  async function drive(
    base: string | Uint8Array,
    ours: string | Uint8Array,
    theirs: string | Uint8Array,
    name = 'cassettes/tape/query/a.0123456789ab.json'
  ) {
    const cwd = temporaryFolder()
    for (const [file, content] of [
      ['O', base],
      ['A', ours],
      ['B', theirs]
    ] as const)
      writeFileSync(path.join(cwd, file), content)
    const { code, stderr } = await run(['merge-driver', 'O', 'A', 'B', name], { cwd })
    return { code, stderr, left: readFileSync(path.join(cwd, 'A'), 'utf8') }
  }

  it('makes a conflict of what it cannot read, and loses neither side', async () => {
    for (const hostile of [
      '',
      '{',
      '['.repeat(5000),
      '{"request":{},"responses":[]}',
      'null\n'
    ]) {
      const { code, stderr, left } = await drive(
        '',
        '{"request":{"a":"b"}}\n',
        `${hostile}\n`
      )
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('is not a readable recording')
      ])
      expect(left).toContain('{"request":{"a":"b"}}')
      expect(left).toContain(hostile)
    }
  })

  it('leaves bytes that are no text as git does', async () => {
    const { code, left } = await drive(
      '',
      Buffer.from([0xff, 0, 1]),
      Buffer.from([0xff, 0, 2])
    )
    expect(code).toBe(1)
    expect(Buffer.from(left).includes(1)).toBe(true)
  })

  it('refuses manifests of a newer format', async () => {
    const manifest = (format: number, engine: string): string =>
      `{"engine":"${engine}","format":${format}}\n`
    const { code, stderr } = await drive(
      '',
      manifest(1, 'a'),
      manifest(99, 'b'),
      'x/cassette.json'
    )
    expect(code).toBe(1)
    expect(stderr).toContain('is its format newer?')
  })

  it('tells what it expects', async () => {
    const { code, stderr } = await run(['merge-driver', 'a', 'b'])
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('usage: wikitape merge-driver %O %A %B %P')
    ])
    const cwd = temporaryFolder()
    const gone = await run(['merge-driver', 'O', 'A', 'B', 'x'], { cwd })
    expect([gone.code, gone.stderr]).toEqual([
      2,
      expect.stringContaining('file not found: A')
    ])
  })
})

describe('init', () => {
  it('does each thing once, and says so', async () => {
    const repo = repository()
    writeFileSync(path.join(repo.root, '.gitattributes'), '*.png binary')
    const printed = await run(['init', '--print'], { cwd: repo.root })
    expect(printed.stdout.match(/^would do: /gm)?.length).toBe(4)
    expect(readFileSync(path.join(repo.root, '.gitattributes'), 'utf8')).toBe(
      '*.png binary'
    )
    expect(repo.tryGit('config', '--get', 'merge.wikitape.driver').code).toBe(1)

    const first = await spawned(['init'], { cwd: repo.root })
    expect(first.stdout.match(/^done: /gm)?.length).toBe(4)
    const written = readFileSync(path.join(repo.root, '.gitattributes'), 'utf8')
    expect(written).toBe(
      [
        '*.png binary',
        'cassettes/** text eol=lf merge=wikitape linguist-generated',
        'cassettes/**/*.bin binary',
        'drift.accept.json text eol=lf merge=wikitape',
        ''
      ].join('\n')
    )
    expect(repo.git('config', '--get', 'merge.wikitape.driver')).toMatch(
      / merge-driver %O %A %B %P\n$/
    )
    const again: unknown = JSON.parse(
      (await spawned(['init', '--json'], { cwd: repo.root })).stdout
    )
    expect(again).toMatchObject({ steps: [1, 2, 3, 4].map(() => ({ state: 'already' })) })
    expect(readFileSync(path.join(repo.root, '.gitattributes'), 'utf8')).toBe(written)
  })

  it('fits folders of any name, and drivers of any', async () => {
    const repo = repository('a [b] "c"')
    const inner = path.join(repo.root, 'test', 'моя папка [1]')
    mkdirSync(inner, { recursive: true })
    expect(
      (await run(['init', '.', '--command', 'npx wikitape'], { cwd: inner })).code
    ).toBe(0)
    expect(repo.git('config', '--get', 'merge.wikitape.driver')).toBe(
      'npx wikitape merge-driver %O %A %B %P\n'
    )
    const attribute = (file: string): string =>
      repo.git('-c', 'core.quotePath=false', 'check-attr', 'merge', '--', file)
    expect(attribute('test/моя папка [1]/tape/a.json')).toMatch(/: merge: wikitape\n$/)
    expect(attribute('test/моя папка [1]/tape/x/a.0.bin')).toMatch(/: merge: unset\n$/)
    expect(attribute('test/моя папка 1/tape/a.json')).toMatch(/: merge: unspecified\n$/)
  })

  it('needs a repository', async () => {
    const cwd = temporaryFolder()
    const { code, stderr } = await spawned(['init'], {
      cwd,
      env: { GIT_CEILING_DIRECTORIES: path.dirname(cwd) }
    })
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('is not in a git working tree')
    ])
    expect(existsSync(path.join(cwd, '.gitattributes'))).toBe(false)
    writeFileSync(path.join(cwd, 'file'), '')
    expect((await run(['init', 'file'], { cwd })).stderr).toContain('is a file')
    expect((await run(['init', 'a', 'b'], { cwd })).code).toBe(2)
    const without = await spawned(['init'], { cwd, env: { PATH: cwd } })
    expect([without.code, without.stderr]).toEqual([
      2,
      expect.stringContaining('cannot run git')
    ])
  })
})
