/** The main journey: record through the proxy, switch the wiki off, get the same bytes back. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { asking, shell } from '../helpers/commands.ts'
import { type FakeWiki, fakeWiki } from '../helpers/fake-wiki.ts'
import { filesIn, interactionFiles, temporaryFolder } from '../helpers/folders.ts'
import { goldenSeeds } from '../helpers/golden-calls.ts'
import { ask, type HttpReply, post } from '../helpers/http-client.ts'
import { preload, spawned, spawnServing, spawnStarted } from '../helpers/processes.ts'
import { run, serving } from '../helpers/program.ts'

const call = '?action=query&format=json&list=allpages&apfrom=A'
const offline = preload('./no-outbound.mjs')

/** The cookies of a logout are dated from here. */
const answeredAt = 'Sat, 21 Nov 2026 00:00:00 GMT'

/** A wiki that says what a real 1.25.4 said. */
function goldenWiki(): Promise<FakeWiki> {
  const answers = new Map(goldenSeeds.map((seed) => [seed.q, seed]))
  return fakeWiki((_, { target }) => {
    const seed = answers.get(target.slice(target.indexOf('?') + 1))
    return seed === undefined
      ? '{"query":{}}'
      : {
          status: seed.status,
          body: seed.body,
          headers: { ...seed.headers, date: answeredAt, 'set-cookie': seed.cookies }
        }
  })
}

describe('record, then replay', () => {
  it('gives the bytes of a real wiki back, offline, from files that recording again leaves alone', async () => {
    const folder = temporaryFolder()
    const cassette = path.join(folder, 'cassettes', 'mine')
    const wiki = await goldenWiki()
    const askAll = async (api: string): Promise<readonly string[]> => {
      const texts: string[] = []
      for (const { q } of goldenSeeds) texts.push((await ask(`${api}?${q}`)).text)
      return texts
    }
    const recording = await serving(['record', wiki.api, '--cassette', cassette])
    const recorded = await askAll(recording.api)
    const end = await recording.stop('SIGINT')
    expect(end.stderr).toMatch(
      /wikitape: (?:replayed \d+, )?recorded \d+, (?:unchanged \d+, )?live requests: \d+\n$/
    )
    expect(end.code).toBe(0)

    const before = filesIn(cassette)
    const again = await serving([
      'record',
      wiki.api,
      '--cassette',
      cassette,
      '--mode',
      'all'
    ])
    await askAll(again.api)
    expect((await again.stop()).code).toBe(0)
    expect(filesIn(cassette)).toEqual(before)

    await wiki.close()
    const replay = await spawnServing(['replay', '--cassette', cassette], {
      preload: [offline]
    })
    expect(await askAll(replay.api)).toEqual(recorded)
    const summary = await replay.stop()
    expect([summary.code, summary.signal]).toEqual([0, null])
    expect(summary.stderr).toContain(`replayed ${goldenSeeds.length}, `)
    expect(summary.stderr).toMatch(/ replayed [^\n]*live requests: 0\n/)
    expect(summary.stderr).not.toMatch(/ 0,|missed|unused/)
    expect(recorded.every((text) => !text.includes('debuginfo'))).toBe(true)
  })

  it('prints the start line exactly, and nothing else on stdout', async () => {
    const folder = temporaryFolder()
    const wiki = await fakeWiki()
    const recording = await serving(['record', wiki.api, '--cassette', 'tapes/one'], {
      cwd: folder
    })
    const port = new URL(recording.api).port
    await ask(recording.api + call)
    const recorded = await recording.stop()
    expect(recorded.stdout).toBe(
      `wikitape: recording tapes/one on http://127.0.0.1:${port}/w/api.php\n`
    )
    const replay = await serving(['replay', '--cassette', 'tapes/one'], { cwd: folder })
    const replayed = await replay.stop()
    expect(replayed.stdout).toBe(`wikitape: replaying tapes/one on ${replay.api}\n`)
    expect(replay.api).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/w\/api\.php$/)
  })
})

describe('the files and the end of a replay', () => {
  it('records under cassettes/<host> and replays the only cassette there unless told otherwise', async () => {
    const folder = temporaryFolder()
    const wiki = await fakeWiki()
    const recording = await serving(['record', wiki.api], { cwd: folder })
    const reply = await ask(recording.api + call)
    await recording.stop()
    const host = new URL(wiki.origin).host.replace(':', '_')
    expect(
      [...filesIn(folder).keys()].every((name) => name.startsWith(`cassettes/${host}/`))
    ).toBe(true)
    const replay = await serving(['replay'], { cwd: folder })
    expect((await ask(replay.api + call)).text).toBe(reply.text)
  })

  it('serves the path of the wiki’s own api.php', async () => {
    const wiki = await fakeWiki()
    const cassette = path.join(temporaryFolder(), 'tape')
    const recording = await serving([
      'record',
      `${wiki.origin}/some/deep/api.php`,
      '--cassette',
      cassette
    ])
    expect(new URL(recording.api).pathname).toBe('/some/deep/api.php')
    await ask(recording.api + call)
    await recording.stop()
    expect(
      wiki.seen.every(({ target }) => target.startsWith('/some/deep/api.php?'))
    ).toBe(true)
    const replay = await serving(['replay', '--cassette', cassette])
    expect(new URL(replay.api).pathname).toBe('/some/deep/api.php')
  })

  it('counts a miss in the exit code, tells it, and as JSON where wanted', async () => {
    const wiki = await fakeWiki()
    const cassette = path.join(temporaryFolder(), 'tape')
    const recording = await serving(['record', wiki.api, '--cassette', cassette])
    await ask(recording.api + call)
    await recording.stop()
    const replay = await serving(['replay', '--cassette', cassette, '--json'])
    await ask(`${replay.api}?action=parse&format=json&text=x`)
    const { code, stdout, stderr } = await replay.stop()
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^wikitape: miss [0-9a-f]{12} \(no-module\): parse, text=x: Nothing was recorded for parse/
    )
    expect(JSON.parse(stdout.split('\n')[1] ?? '')).toMatchObject({
      missed: 1,
      replayed: 0,
      unused: 1,
      liveRequests: 0
    })
  })
})

describe('a signal', () => {
  it.each<NodeJS.Signals>(['SIGINT', 'SIGTERM'])(
    '%s lets requests under way finish, flushes, and prints the summary',
    async (signal) => {
      let answer = (): void => undefined
      let arrived = (): void => undefined
      const underWay = new Promise<void>((resolve) => {
        arrived = resolve
      })
      const wiki = await fakeWiki((_params, _seen, response) => {
        answer = () => {
          response.setHeader('content-type', 'application/json')
          response.end('{"query":{}}')
        }
        arrived()
        return 'taken'
      })
      const cassette = path.join(temporaryFolder(), 'tape')
      const recording = await spawnServing(['record', wiki.api, '--cassette', cassette])
      const reply: Promise<HttpReply> = ask(recording.api + call)
      await underWay
      recording.kill(signal)
      // The server no longer listens once a new connection is refused; the one under way still gets its answer.
      while (
        await ask(recording.api.replace(/\/w\/.*/, '/__wikitape/summary')).then(
          () => true,
          () => false
        )
      );
      answer()
      expect((await reply).text).toBe('{"query":{}}')
      const end = await recording.ended
      expect([end.code, end.signal]).toEqual([0, null])
      expect(end.stderr).toContain('recorded 1, ')
      expect(interactionFiles(cassette).length).toBe(1)
    }
  )
})

const client = (body: string): readonly string[] => [
  '--',
  process.execPath,
  '--eval',
  body
]

describe('a command after --', () => {
  const line = (text: string): readonly string[] => ['--', ...shell(text)]
  const fetching = asking(call)
  const missing = asking('?action=parse&format=json')

  it('runs against the recorder, then against the cassette, and gets the same', async () => {
    const wiki = await fakeWiki()
    const cassette = path.join(temporaryFolder(), 'tape')
    const recorded = await run([
      'record',
      wiki.api,
      '--cassette',
      cassette,
      ...line(fetching)
    ])
    await wiki.close()
    const replayed = await spawned(
      ['replay', '--cassette', cassette, ...line(fetching)],
      {
        preload: [offline]
      }
    )
    expect([recorded.code, replayed.code]).toEqual([0, 0])
    const [, first] = recorded.stdout.split('\n')
    const [, second] = replayed.stdout.split('\n')
    expect(first).toContain('apfrom=A')
    expect(second).toBe(first)
    expect(recorded.stderr).toContain('recorded 1, ')
    expect(replayed.stderr).toContain('replayed 1, ')
  })

  it.each([
    ['the command’s own code', 'exit 7', 7],
    ['that of a miss where the command was content', missing, 1],
    ['the worse of both', `${missing}; exit 5`, 5],
    ['0 where all went well', fetching, 0]
  ])('ends with %s', async (_, body, code) => {
    const wiki = await fakeWiki()
    const cassette = path.join(temporaryFolder(), 'tape')
    await run(['record', wiki.api, '--cassette', cassette, ...line(fetching)])
    expect((await run(['replay', '--cassette', cassette, ...line(body)])).code).toBe(code)
  })
})

describe('a command after --, its flags and its end', () => {
  it('that does not exist is told, exit code 2', async () => {
    const wiki = await fakeWiki()
    const { code, stderr } = await run([
      'record',
      wiki.api,
      '--cassette',
      path.join(temporaryFolder(), 'tape'),
      '--',
      'no-such-command-here'
    ])
    expect(code).toBe(2)
    expect(stderr).toContain('cannot run no-such-command-here')
  })

  it('is passed its own flags untouched', async () => {
    const wiki = await fakeWiki()
    const folder = temporaryFolder()
    const script = path.join(folder, 'args.mjs')
    writeFileSync(script, 'console.log(JSON.stringify(process.argv.slice(2)))')
    const flags = ['--help', '--cassette', 'x', '--', '-h']
    const { stdout } = await run([
      'record',
      wiki.api,
      '--cassette',
      path.join(folder, 'tape'),
      '--',
      process.execPath,
      script,
      ...flags
    ])
    expect(JSON.parse(stdout.split('\n')[1] ?? '')).toEqual(flags)
  })

  it('is told to end where wikitape is', async () => {
    const wiki = await fakeWiki()
    const body = `process.on('SIGTERM', () => process.exit(3)); console.log('ready'); setInterval(() => {}, 1000)`
    const started = spawnStarted([
      'record',
      wiki.api,
      '--cassette',
      path.join(temporaryFolder(), 'tape'),
      ...client(body)
    ])
    await started.printed(/ready/)
    started.kill('SIGTERM')
    expect((await started.ended).code).toBe(3)
  })
})

describe('POST, multipart and headers', () => {
  it('of one read share a recording across processes', async () => {
    const wiki = await fakeWiki()
    const cassette = path.join(temporaryFolder(), 'tape')
    const recording = await serving(['record', wiki.api, '--cassette', cassette])
    const recorded = await post(recording.api, call.slice(1))
    await recording.stop()
    const replay = await serving(['replay', '--cassette', cassette])
    expect((await ask(replay.api + call)).text).toBe(recorded.text)
  })
})
