/** `wikitape exec`: a command in any language against a cassette. */
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { constants } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { apiOf, asking, hasCurl, shell } from '../helpers/commands.ts'
import { type FakeWiki, fakeWiki } from '../helpers/fake-wiki.ts'
import { filesIn, interactionFiles, temporaryFolder } from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { preload, spawned, spawnStarted } from '../helpers/processes.ts'
import { type Run, type RunOptions, run, start } from '../helpers/program.ts'
import { startProxy } from '../helpers/proxies.ts'

const call = '?action=query&format=json&list=allpages&apfrom=A'
const offline = preload('./no-outbound.mjs')
const fetching = asking(call)
const missing = asking('?action=parse&format=json&text=x')

/** A line of a shell after `--`. */
const line = (text: string): readonly string[] => ['--', ...shell(text)]

/** A command after `--`. */
const node = (body: string): readonly string[] => [
  '--',
  process.execPath,
  '--input-type=module',
  '--eval',
  body
]

/** A command that tells these variables of its environment, as JSON. */
const telling = (...names: readonly string[]): readonly string[] =>
  node(
    `console.log(JSON.stringify(${JSON.stringify(names)}.map((name) => process.env[name] ?? null)))`
  )

describe('who asks', () => {
  const recording = async (flags: readonly string[], header: string): Promise<Run> => {
    const { api } = await fakeWiki()
    const cassette = path.join(temporaryFolder(), 'tape')
    return run([
      'exec',
      '--record',
      api,
      '--cassette',
      cassette,
      ...flags,
      ...line(asking(call, header))
    ])
  }

  it.runIf(hasCurl).each([
    [[], "--header 'Origin: *'"],
    [[], "--header 'Origin;'"],
    [
      ['--allow-origin', 'moz-extension://1f2d'],
      "--header 'Origin: moz-extension://1f2d'"
    ],
    [['--allow-origin', 'null'], "--header 'Sec-Fetch-Site: cross-site'"]
  ])('is recorded with %j: %s', async (flags, header) => {
    const { code, stderr } = await recording(flags, header)
    expect([code, stderr]).toEqual([0, expect.stringContaining('recorded 1,')])
  })

  it.runIf(hasCurl).each([
    [
      'Origin: http://host.docker.internal:3000',
      '--allow-origin http://host.docker.internal:3000'
    ],
    ['Origin: http://192.168.1.5', '--allow-origin http://192.168.1.5'],
    ['Sec-Fetch-Site: cross-site', '--allow-origin null']
  ])('is passed on, the flag is named, and the run fails: %s', async (header, flag) => {
    const { code, stderr } = await recording([], `--header '${header}'`)
    expect(code).toBe(1)
    expect(stderr).toContain(`${flag}\n`)
    expect(stderr).toContain('nothing was recorded: every request was passed on')
  })

  it('is passed on as wished in mode passthrough, which is no failure', async () => {
    expect((await recording(['--mode', 'passthrough'], '')).code).toBe(0)
  })

  it('fails a run in which the wiki gave no answer that may be recorded', async () => {
    const { api } = await fakeWiki(() => '{"error":{"code":"readonly"}}')
    const { code, stderr } = await run([
      'exec',
      '--record',
      api,
      '--cassette',
      path.join(temporaryFolder(), 'tape'),
      ...line(asking(call))
    ])
    expect([code, stderr]).toEqual([1, expect.stringContaining('nothing was recorded')])
  })

  it.each([
    ['*', 'would let every page that is open in your browser record here'],
    ['', 'expected scheme, host and port'],
    ['file://', 'the origin of files is null: --allow-origin null'],
    ['https://app.example/', 'expected scheme, host and port'],
    ['chrome-extension://abc/', 'expected scheme, host and port'],
    ['app.example', 'expected scheme, host and port']
  ])('--allow-origin "%s" is refused in words', async (origin, why) => {
    const { code, stderr } = await recording(['--allow-origin', origin], '')
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)])
  })
})

interface Recorded {
  readonly wiki: FakeWiki
  readonly cassette: string
}

/** A cassette that holds the answer to `call`. */
async function recorded(): Promise<Recorded> {
  const wiki = await fakeWiki()
  const proxy = await startProxy(wiki.api)
  await ask(proxy.api + call)
  await proxy.close()
  return { wiki, cassette: proxy.cassette }
}

const replaying = (
  cassette: string,
  args: readonly string[],
  options: RunOptions = {}
): Promise<Run> => run(['exec', '--cassette', cassette, ...args], options)

describe('a command that asks nothing', () => {
  it('ends with exit code 1, and says why', async () => {
    const { cassette } = await recorded()
    const { code, stderr } = await replaying(cassette, line('true'))
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('no request reached wikitape')
    ])
    expect((await replaying(cassette, ['--allow-none', ...line('true')])).code).toBe(0)
  })

  it('is recorded by nobody either', async () => {
    const { api } = await fakeWiki()
    const tape = path.join(temporaryFolder(), 'tape')
    const args = ['exec', '--record', api, '--cassette', tape]
    expect((await run([...args, ...line('true')])).code).toBe(1)
  })
})

describe('an empty name of a cassette', () => {
  it.each([
    ['--cassette', ['--cassette', ''], {}],
    ['WIKITAPE_CASSETTE', [], { WIKITAPE_CASSETTE: '' }]
  ])('by %s is refused', async (origin, flags, env) => {
    const { code, stderr } = await run(['exec', ...flags, ...line('true')], { env })
    expect([code, stderr]).toEqual([
      2,
      `wikitape: ${origin} is empty; name the folder of a cassette, or leave it out\n`
    ])
  })
})

describe('exec', () => {
  it('records with --record and replays without, and leaves stdout to the command', async () => {
    const wiki = await fakeWiki()
    const cassette = path.join(temporaryFolder(), 'tape')
    const first = await run([
      'exec',
      '--record',
      wiki.api,
      '--cassette',
      cassette,
      ...line(fetching)
    ])
    await wiki.close()
    const files = filesIn(cassette)
    const second = await spawned(['exec', '--cassette', cassette, ...line(fetching)], {
      preload: [offline]
    })
    expect([first.code, second.code]).toEqual([0, 0])
    expect(first.stdout).toMatch(/^\{"batchcomplete":.*apfrom=A.*\}\n$/)
    expect(second.stdout).toBe(first.stdout)
    expect(first.stderr).toMatch(
      /^wikitape: recording \S+ on http:\/\/127\.0\.0\.1:\d+\/w\/api\.php\nwikitape: .*recorded 1, .*live requests: \d+\n$/
    )
    expect(second.stderr).toMatch(
      /^wikitape: replaying .*\nwikitape: replayed 1, .*live requests: 0\n$/
    )
    expect(filesIn(cassette)).toEqual(files)
  })

  it('prints the summary as JSON on stderr where wanted', async () => {
    const { cassette } = await recorded()
    const { stdout, stderr } = await replaying(cassette, ['--json', ...line(fetching)])
    expect(stdout.split('\n').length).toBe(2)
    expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      replayed: 1,
      liveRequests: 0
    })
  })

  it('gives the command its stdin, its flags, its folder and its environment', async () => {
    const { cassette } = await recorded()
    const folder = temporaryFolder()
    const script = path.join(folder, 'told.mjs')
    writeFileSync(
      script,
      `import { text } from 'node:stream/consumers'
      console.log(JSON.stringify([await text(process.stdin), process.argv.slice(2), process.cwd(), process.env.OWN]))`
    )
    const flags = ['--help', '--json', '--', '--cassette', 'x y']
    const { stdout } = await replaying(
      cassette,
      ['--', process.execPath, script, ...flags],
      {
        stdin: 'вопрос',
        cwd: folder,
        env: { OWN: '1' }
      }
    )
    expect(JSON.parse(stdout)).toEqual(['вопрос', flags, folder, '1'])
  })
})

describe('exec in CI and beside others', () => {
  it('takes any free port, so that two at once do not meet', async () => {
    const { cassette } = await recorded()
    const both = await Promise.all(
      [1, 2].map(() => replaying(cassette, telling('WIKITAPE_API_URL', 'WIKITAPE_PORT')))
    )
    const told = both.map(({ stdout }) => JSON.parse(stdout) as [string, string])
    expect(new Set(told.map(([, port]) => port)).size).toBe(2)
    for (const [url, port] of told) expect(url).toBe(`http://127.0.0.1:${port}/w/api.php`)
  })

  it('does not go out in CI unless told so', async () => {
    const wiki = await fakeWiki()
    const cassette = path.join(temporaryFolder(), 'tape')
    const args = ['--record', wiki.api, '--cassette', cassette]
    const refused = await run(['exec', ...args, ...line('echo 1')], {
      env: { CI: 'true' }
    })
    expect([refused.code, refused.stdout]).toEqual([2, ''])
    expect(refused.stderr).toContain('add --allow-live, or replay')
    const allowed = await run(['exec', ...args, '--allow-live', ...line(fetching)], {
      env: { CI: 'true' }
    })
    expect(allowed.code).toBe(0)
    const later = await replaying(cassette, line(fetching), { env: { CI: 'true' } })
    expect([later.code, later.stdout]).toEqual([0, allowed.stdout])
  })
})

describe('a command without --, as npx.ps1 hands it on', () => {
  /** The first is PowerShell's own. */
  const swallowed = (args: readonly string[]): readonly string[] =>
    args.toSpliced(args.indexOf('--'), 1)

  it('is recorded and replayed as with it', async () => {
    const wiki = await fakeWiki()
    const cassette = path.join(temporaryFolder(), 'tape')
    const first = await run(
      swallowed(['record', wiki.api, '--cassette', cassette, ...line(fetching)])
    )
    await wiki.close()
    const again = ['exec', 'replay'].map((verb) =>
      run(swallowed([verb, '--cassette', cassette, ...line(fetching)]))
    )
    const all = [first, ...(await Promise.all(again))]
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0])
    for (const { stdout } of all)
      expect(stdout).toMatch(/^(?:wikitape: .*\n)?\{"batchcomplete":.*apfrom=A.*\}\n$/)
  })

  it('keeps its own flags and its own --', async () => {
    const { cassette } = await recorded()
    const script = path.join(temporaryFolder(), 'told.mjs')
    writeFileSync(script, 'console.log(JSON.stringify(process.argv.slice(2)))')
    const flags = ['-h', '--help', '--json', '--', '--cassette', 'x y']
    const { stdout } = await replaying(
      cassette,
      swallowed(['--', process.execPath, script, ...flags])
    )
    expect(JSON.parse(stdout)).toEqual(flags)
  })

  it('begins behind the cassette of prune', async () => {
    const { cassette } = await recorded()
    const { code, stdout } = await run(swallowed(['prune', cassette, ...line(fetching)]))
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('0 of 1 recording is unused')
    ])
  })
})

describe('the exit code of exec', () => {
  it.each([
    ['0 where all went well', fetching, 0],
    ['the command’s own', 'exit 7', 7],
    ['1 for a miss where the command was content', missing, 1],
    ['the worse of both', `${missing}; exit 5`, 5],
    ['that of a shell where a signal ended the command', 'kill -KILL $$', 137]
  ])('is %s', async (_, body, code) => {
    const { cassette } = await recorded()
    expect((await replaying(cassette, line(body))).code).toBe(code)
  })

  it('is 3 where the wiki does not answer', async () => {
    const { wiki, cassette } = await recorded()
    await wiki.close()
    const args = ['exec', '--record', wiki.api, '--cassette', cassette]
    expect((await run([...args, ...line(missing)])).code).toBe(3)
  })

  it('is 2 where there is no such command, and says so', async () => {
    const { cassette } = await recorded()
    const { code, stdout, stderr } = await replaying(cassette, [
      '--',
      'no-such-command-here',
      '--flag'
    ])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(
      'wikitape: cannot run no-such-command-here: command not found; is it installed and in PATH?\n'
    )
  })

  it('is 2 before anything else: no server, no cassette, no question', async () => {
    const wiki = await fakeWiki()
    const cassette = path.join(temporaryFolder(), 'tape')
    const { code, stdout, stderr } = await run([
      'record',
      wiki.origin,
      '--cassette',
      cassette,
      'ward'
    ])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(
      /^wikitape: cannot run ward: command not found; is it installed and in PATH\?\n/
    )
    expect([wiki.seen, existsSync(cassette)]).toEqual([[], false])
  })

  it('is 2 where the command may not be executed, and says so', async () => {
    const { cassette } = await recorded()
    const script = path.join(temporaryFolder(), 'client.sh')
    writeFileSync(script, '#!/bin/sh\n')
    chmodSync(script, 0o644)
    const { code, stderr } = await replaying(cassette, ['--', script])
    expect(code).toBe(2)
    expect(stderr).toContain(
      'permission denied; chmod +x it, or name its interpreter in front'
    )
  })
})

describe('a cassette that is named twice', () => {
  it.each([
    ['by the flag and by a path', 'suite', []],
    ['the same, while it lies apart', 'suite', ['--discard-on-failure']],
    // As `Suite` leads to `suite` where file systems do not tell case apart.
    ['by two names of its folder', 'Suite', []]
  ])('is one: %s', async (_, name, flags) => {
    const wiki = await fakeWiki()
    const root = temporaryFolder()
    if (name !== 'suite') symlinkSync('suite', path.join(root, name))
    const relative = path.relative(process.cwd(), path.join(root, 'suite'))
    const recording = (mode: string): Promise<Run> =>
      run([
        ...[
          'exec',
          '--record',
          wiki.api,
          '--cassette',
          relative,
          '--mode',
          mode,
          ...flags
        ],
        ...line(`${asking(call)}; ${asking(`${call}x`, '', apiOf(name))}`)
      ])
    expect((await recording('new_episodes')).code).toBe(0)
    const before = [...filesIn(path.join(root, 'suite')).keys()]
    expect(interactionFiles(path.join(root, 'suite')).length).toBe(2)
    const { code, stderr } = await recording('update')
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^(?![\s\S]*unused \d)[\s\S]*live requests: /)
    ])
    expect([...filesIn(path.join(root, 'suite')).keys()]).toEqual(before)
  })
})

const discarding = (
  wiki: FakeWiki,
  cassette: string,
  args: readonly string[]
): Promise<Run> =>
  run([
    'exec',
    '--discard-on-failure',
    '--record',
    wiki.api,
    '--cassette',
    cassette,
    ...args
  ])

describe('exec --discard-on-failure', () => {
  const failing = `${fetching}; exit 7`
  const another = asking('?action=query&format=json&list=allpages&apfrom=C')

  it('keeps nothing of a failed command, also no folder, and says so', async () => {
    const wiki = await fakeWiki()
    const cassette = path.join(temporaryFolder(), 'tape')
    const { code, stderr } = await discarding(wiki, cassette, line(failing))
    expect(code).toBe(7)
    expect(stderr).toContain(`recording ${cassette} on `)
    expect(stderr).toMatch(
      /recorded 1, .*\n(?:wikitape: .*\n)?wikitape: exit code 7: the recordings of this run were discarded \(--discard-on-failure\)\n$/
    )
    expect(existsSync(cassette)).toBe(false)
  })

  it('keeps what a command recorded that went well, as without it', async () => {
    const wiki = await fakeWiki()
    const [plain, staged] = [temporaryFolder(), temporaryFolder()].map((one) =>
      path.join(one, 'tape')
    )
    await run([
      'exec',
      '--record',
      wiki.api,
      '--cassette',
      plain ?? '',
      ...line(fetching)
    ])
    const { code, stderr } = await discarding(wiki, staged ?? '', line(fetching))
    expect([code, stderr.includes('is kept')]).toEqual([0, false])
    expect(filesIn(staged ?? '')).toEqual(filesIn(plain ?? ''))
  })

  it('leaves an earlier cassette as it was, and serves it meanwhile', async () => {
    const { wiki, cassette } = await recorded()
    const before = filesIn(cassette)
    const args = line(`${fetching}; ${another}; exit 1`)
    const failed = await discarding(wiki, cassette, ['--mode', 'update', ...args])
    expect(failed.code).toBe(1)
    expect(filesIn(cassette)).toEqual(before)
    const passed = await discarding(wiki, cassette, line(`${fetching}; ${another}`))
    expect(passed.stderr).toContain('replayed 1, ')
    expect(filesIn(cassette).size).toBe(before.size + 1)
  })

  it('holds for cassettes named by path and by header', async () => {
    const wiki = await fakeWiki()
    const root = temporaryFolder()
    const both = `${asking(call, '', apiOf('one'))}; ${asking(call, "--header 'x-cassette: two'")}`
    const cassette = path.join(root, 'suite')
    await discarding(wiki, cassette, line(`${both}; exit 1`))
    expect(readdirSync(root)).toEqual([])
    await discarding(wiki, cassette, line(both))
    expect(readdirSync(root).sort()).toEqual(['one', 'suite', 'two'])
  })
})

describe('exec --discard-on-failure, ended by others', () => {
  it('keeps nothing where the command was content but not everything could be recorded', async () => {
    const { wiki, cassette } = await recorded()
    await wiki.close()
    const before = filesIn(cassette)
    const { code } = await discarding(wiki, cassette, line(missing))
    expect([code, filesIn(cassette)]).toEqual([3, before])
  })

  it.each<NodeJS.Signals>(['SIGTERM', 'SIGKILL'])(
    'keeps nothing after %s',
    async (signal) => {
      const wiki = await fakeWiki()
      const root = temporaryFolder()
      const cassette = path.join(root, 'tape')
      const waiting = line(`${fetching}; while ${asking('')}; do sleep 0.05; done`)
      const started = spawnStarted([
        'exec',
        '--discard-on-failure',
        ...['--record', wiki.api, '--cassette', cassette],
        ...waiting
      ])
      await started.printed(/apfrom=A/)
      started.kill(signal)
      await started.ended
      expect(readdirSync(root)).toEqual([])
    }
  )
})

describe('a signal to exec', () => {
  it.each<NodeJS.Signals>(['SIGINT', 'SIGTERM'])(
    '%s reaches the command, whose end is waited for',
    async (signal) => {
      const { cassette } = await recorded()
      const mark = path.join(temporaryFolder(), 'ended')
      const body = `
      import { writeFileSync } from 'node:fs'
      process.on('${signal}', () => setTimeout(() => {
        writeFileSync(${JSON.stringify(mark)}, '${signal}')
        process.exit(0)
      }, 100))
      console.log('ready')
      setInterval(() => {}, 1000)`
      const started = spawnStarted([
        ...['exec', '--allow-none', '--cassette', cassette],
        ...node(body)
      ])
      await started.printed(/ready/)
      started.kill(signal)
      const end = await started.ended
      expect([end.code, existsSync(mark) && readFileSync(mark, 'utf8')]).toEqual([
        0,
        signal
      ])
      expect(end.stderr).toContain('wikitape: unused ')
    }
  )

  it('ends a command that does not listen to it, with the code of a shell', async () => {
    const { cassette } = await recorded()
    const started = start([
      'exec',
      '--cassette',
      cassette,
      ...node(`console.log('ready'); setInterval(() => {}, 1000)`)
    ])
    await started.printed(/ready/)
    started.kill('SIGTERM')
    expect((await started.ended).code).toBe(128 + constants.signals.SIGTERM)
  })
})

describe('exec called wrongly', () => {
  it.each<[string, readonly string[], string]>([
    ['without a command', [], 'no command to run; usage: wikitape exec [flags] -- CMD…'],
    ['with an empty command', ['--'], 'no command to run'],
    [
      'with a flag that it does not have',
      ['--casette', 'x', 'npm', 'test'],
      "Unknown option '--casette'"
    ],
    [
      'with a flag that it does not have, and a path',
      ['--casette', 'cassettes/no', '--', 'ls'],
      "Unknown option '--casette' (did you mean --cassette?)"
    ],
    [
      'with a flag that it does not have, and no --',
      ['--tape=x', 'npm', 'test'],
      "Unknown option '--tape'"
    ],
    [
      'with a folder where the command would begin',
      ['./'],
      'unexpected argument "./", which is not a program either'
    ],
    [
      'with a mode but nothing to record',
      ['--mode', 'all', '--', 'ls'],
      '--mode is valid only with --record URL'
    ],
    [
      'with --allow-live alone',
      ['--allow-live', '--', 'ls'],
      '--allow-live is valid only with --record URL'
    ],
    [
      'with --discard-on-failure alone',
      ['--discard-on-failure', '--', 'ls'],
      '--discard-on-failure is valid only with --record URL'
    ],
    [
      'with --on-miss while recording',
      ['--record', 'http://a.example/w/api.php', '--on-miss', 'error', '--', 'ls'],
      '--on-miss is valid only without --record URL'
    ],
    [
      'with an api-url that is none',
      ['--record', 'wiki', '--', 'ls'],
      'has no http:// or https:// in front'
    ],
    [
      'without a cassette',
      ['--', 'ls'],
      'no cassette named, and there is none under cassettes/'
    ],
    [
      'with a cassette that is not there',
      ['--cassette', 'nowhere', '--', 'ls'],
      'there is no cassette at nowhere'
    ]
  ])('%s: one line on stderr, exit code 2', async (_, args, message) => {
    const { code, stdout, stderr } = await run(['exec', ...args], {
      cwd: temporaryFolder()
    })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^wikitape: [^\n]*\n$/)
    expect(stderr).toContain(message)
  })
})

describe('exec --forward-proxy', () => {
  const proxyNames = [
    'http_proxy',
    'HTTP_PROXY',
    'https_proxy',
    'HTTPS_PROXY',
    'no_proxy',
    'NO_PROXY'
  ] as const

  it('sets the variables for proxies, so that nothing goes past wikitape', async () => {
    const { cassette } = await recorded()
    const env = {
      no_proxy: '127.0.0.1',
      NO_PROXY: 'localhost',
      https_proxy: 'http://elsewhere.example'
    }
    const { stdout } = await replaying(
      cassette,
      ['--forward-proxy', ...telling('WIKITAPE_API_URL', ...proxyNames)],
      {
        env
      }
    )
    const [api, ...told] = JSON.parse(stdout) as [string, ...(string | null)[]]
    const { origin } = new URL(api)
    expect(told).toEqual([origin, origin, origin, origin, null, null])
  })

  it('leaves them alone unless asked to: some tools break', async () => {
    const { cassette } = await recorded()
    const env = { http_proxy: 'http://own.example', no_proxy: 'x' }
    const { stdout } = await replaying(
      cassette,
      telling('http_proxy', 'HTTPS_PROXY', 'no_proxy'),
      {
        env
      }
    )
    expect(JSON.parse(stdout)).toEqual(['http://own.example', null, 'x'])
  })

  // What curl itself does can only be seen where it is there.
  it.skipIf(!hasCurl)(
    'lets curl name the wiki itself, recorded and then offline',
    async () => {
      const wiki = await fakeWiki()
      const cassette = path.join(temporaryFolder(), 'tape')
      const curl = ['--', 'curl', '--silent', '--show-error', `${wiki.api}${call}`]
      const args = ['exec', '--forward-proxy', '--cassette', cassette]
      const first = await run([...args, '--record', wiki.api, ...curl])
      await wiki.close()
      const second = await spawned([...args, ...curl], { preload: [offline] })
      expect([first.code, second.code]).toEqual([0, 0])
      expect(first.stdout).toContain('apfrom=A')
      expect(second.stdout).toBe(first.stdout)
    }
  )

  it.skipIf(!hasCurl)(
    'tells a client that names the wiki by https why it gets nothing',
    async () => {
      const { cassette } = await recorded()
      const curl = [
        '--',
        'curl',
        '--silent',
        '--verbose',
        'https://wiki.invalid/w/api.php'
      ]
      const { code, stdout, stderr } = await replaying(cassette, [
        '--forward-proxy',
        ...curl
      ])
      expect([code === 0, stdout]).toEqual([false, ''])
      expect(stderr).toContain(
        'wikitape: CONNECT wiki.invalid:443 was refused: wikitape does not look inside TLS'
      )
    }
  )
})

describe('exec --forward-proxy with other wikis', () => {
  it('replays a suite whose tests each named a cassette beside the one of the flag', async () => {
    const wiki = await fakeWiki()
    const root = temporaryFolder()
    const cassette = path.join(root, 'suite')
    const named = line(asking(call, '', apiOf('one')))
    const first = await run([
      'exec',
      '--record',
      wiki.api,
      '--cassette',
      cassette,
      ...named
    ])
    await wiki.close()
    const second = await replaying(cassette, named)
    expect([first.code, second.code, second.stdout]).toEqual([0, 0, first.stdout])
    expect([existsSync(path.join(cassette, 'cassette.json')), first.stdout]).toEqual([
      true,
      second.stdout
    ])
  })

  it.skipIf(!hasCurl)('refuses another wiki', async () => {
    const { wiki, cassette } = await recorded()
    const curl = ['--', 'curl', '--silent', 'http://other.invalid/w/api.php']
    const { stdout } = await replaying(cassette, ['--forward-proxy', ...curl])
    expect(stdout).toContain(
      `wikitape serves http://${new URL(wiki.api).host} and nothing else`
    )
  })
})

/** As far as it can be seen here: how the command would be started there, by a stand-in for cmd.exe. */
it('on Windows npm and its like, which are scripts (.cmd), are started by cmd.exe', async () => {
  const { cassette } = await recorded()
  const folder = temporaryFolder()
  const shell = path.join(folder, 'cmd.exe')
  writeFileSync(shell, '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 })
  writeFileSync(path.join(folder, 'npm.cmd'), '@echo off\r\n')
  const { code, stdout, stderr } = await spawned(
    ['exec', '--allow-none', '--cassette', cassette, '--', 'npm', 'test', '--', 'a b&c'],
    {
      preload: [preload('./as-windows.mjs')],
      env: { PATH: folder, PATHEXT: '.cmd', comspec: shell }
    }
  )
  expect(stderr).not.toContain('cannot run')
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^\/d\n\/s\n\/c\n"npm \^"test\^" \^"--\^" \^"a\^ b\^&c\^""\n$/)
  ])
})
