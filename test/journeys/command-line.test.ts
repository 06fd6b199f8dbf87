/** Verbs, flags, help, exit codes, environment. */
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { commands } from '../../src/cli/commands.ts'
import { CassetteStore } from '../../src/recorder/store/cassette-store.ts'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { allTextIn, interactionFiles, temporaryFolder } from '../helpers/folders.ts'
import { ask, askAndLeave, post } from '../helpers/http-client.ts'
import { run, serving, start } from '../helpers/program.ts'
import { interactionOf, response } from '../helpers/recorded.ts'
import { deadOrigin } from '../helpers/upstreams.ts'

const call = '?action=query&format=json&list=allpages&apfrom=A'
const tape = (): string => path.join(temporaryFolder(), 'tape')
const verbs = ['record', 'replay', 'capture', 'ls', 'show', 'explain', 'check']

describe('help', () => {
  it.each(verbs)('of %s shows usage, every flag and an example', async (verb) => {
    const { code, stdout, stderr } = await run([verb, '--help'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(new RegExp(`^Usage: wikitape ${verb} `))
    expect(stdout).toMatch(/ {2}--cassette DIR +\S/)
    expect(stdout).toMatch(/ {2}--help +show this help/)
    expect(stdout).toMatch(new RegExp(`Examples:\\n(?: {2}.*wikitape ${verb} .*\\n)+$`))
    expect((await run([verb, '-h'])).stdout).toBe(stdout)
  })

  it('has the flags of several commands in groups, after its own', async () => {
    const { stdout } = await run(['diff', '--help'])
    const titles = [...stdout.matchAll(/^(\w[\w ]+):\n {2}--(\w+)/gm)].map(
      ([, title, first]) => `${title}: ${first}`
    )
    expect(titles).toEqual(['The report: fail', 'Recording: allow', 'The wiki: contact'])
    expect(stdout).toMatch(/\n\n {2}--matrix .*\n[\s\S]*--help .*\n\nThe report:/)
  })

  it('of the whole lists every verb', async () => {
    const { code, stdout } = await run(['--help'])
    expect(code).toBe(0)
    for (const { name } of commands)
      expect(stdout).toMatch(new RegExp(`\\n {2}${name} +[a-z]`))
    expect((await run([])).code).toBe(2)
    expect((await run(['help'])).stdout).toBe(stdout)
  })

  it.each(commands.map(({ name }) => name))(
    'of %s is that of `help %s`, in 80 columns',
    async (name) => {
      const { stdout } = await run([name, '--help'])
      expect((await run(['help', name])).stdout).toBe(stdout)
      const [told] = stdout.split('\nExamples:')
      expect(told?.split('\n').filter((line) => line.length > 80)).toEqual([])
    }
  )

  it('of all verbs fits 80 columns', async () => {
    const { stdout } = await run(['--help'])
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  it('tells the version', async () => {
    for (const flag of ['--version', '-V', '-v'])
      expect(await run([flag])).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/)
      })
  })
})

describe('a call that cannot be carried out as written', () => {
  it.each<[string, readonly string[], string]>([
    [
      'an unknown command',
      ['rewind'],
      'unknown command "rewind"; wikitape --help lists them'
    ],
    [
      'a command with a slip',
      ['replya'],
      'unknown command "replya" (did you mean replay?); wikitape --help'
    ],
    [
      'a command cut short',
      ['help', 'cov'],
      'unknown command "cov" (did you mean coverage?)'
    ],
    [
      'a command in the plural',
      ['checks'],
      'unknown command "checks" (did you mean check?)'
    ],
    ['what other tools call it', ['list'], 'unknown command "list" (did you mean ls?)'],
    ['what it shows', ['cassettes'], 'unknown command "cassettes" (did you mean ls?)'],
    [
      'a flag in the plural',
      ['diff', '--formats', 'x'],
      "'--formats' (did you mean --format?); wikitape"
    ],
    [
      'a flag with a slip',
      ['replay', '--casette', 'x'],
      "'--casette' (did you mean --cassette?); wikitape"
    ],
    [
      'an unknown flag',
      ['replay', '--zebra'],
      "'--zebra'; wikitape replay --help lists its flags"
    ],
    [
      'a flag without its value',
      ['replay', '--cassette'],
      'wikitape replay --help lists its flags'
    ],
    [
      'a flag of another verb',
      ['ls', '--port', '1'],
      'wikitape ls --help lists its flags'
    ],
    [
      'a missing argument',
      ['record'],
      'too few arguments; usage: wikitape record [<api-url>]'
    ],
    [
      'an argument too many',
      ['record', 'http://a/api.php', 'b/c'],
      'unexpected argument "b/c"'
    ],
    [
      'an argument to replay',
      ['replay', 'cassettes/x'],
      'unexpected argument "cassettes/x"'
    ],
    [
      'a command where none may be',
      ['ls', '--', 'ls'],
      'wikitape ls accepts no command after --'
    ],
    [
      'an unknown mode',
      ['record', 'http://a.example/api.php', '--mode', 'some'],
      '--mode is "some"; expected one of none, once, new_episodes, all, update, passthrough'
    ],
    [
      'a port that is none',
      ['record', 'http://a.example/api.php', '--port', 'http'],
      '--port is "http"; expected a whole number from 0 to 65535'
    ],
    [
      'a port too high',
      ['record', 'http://a.example/api.php', '--port', '70000'],
      '--port is "70000"; expected a whole number from 0 to 65535'
    ],
    [
      'a status that HTTP does not have',
      ['record', 'http://a.example/api.php', '--miss-status', '7'],
      '--miss-status is "7"; expected a whole number from 200 to 599'
    ],
    [
      'an unknown policy',
      ['replay', '--on-miss', 'guess'],
      '--on-miss is "guess"; expected synthesize or error'
    ]
  ])(
    '%s: one line on stderr, nothing on stdout, exit code 2',
    async (_, args, message) => {
      const { code, stdout, stderr } = await run(args, { cwd: temporaryFolder() })
      expect([code, stdout.startsWith('wikitape: re')]).toEqual([2, false])
      expect(stderr).toMatch(/^wikitape: [^\n]*\n$/)
      expect(stderr).toContain(message)
    }
  )
})

describe('an api-url', () => {
  it.each([
    ['that is a word', 'wikipedia', 'has no http:// or https:// in front'],
    [
      'of another scheme',
      'ftp://wiki.example/w/api.php',
      'has no http:// or https:// in front'
    ],
    ['that is none', 'http://', 'is not a URL'],
    ['with an impossible port', 'http://wiki.example:99999/w/api.php', 'is not a URL'],
    ['that is empty', '', 'has no http:// or https:// in front']
  ])('%s is refused with what was expected', async (_, url, message) => {
    const { code, stderr } = await run(['record', url])
    expect(code).toBe(2)
    expect(stderr).toContain(message)
    expect(stderr).toContain(
      'expected the address of api.php, e.g. https://ru.wikipedia.org/w/api.php'
    )
  })

  it.each([
    'user:hunter2-secret@wiki.example/w/api.php',
    'http://user:hunter2-secret@wiki.example:99999/w/api.php',
    'http://user:hunter2-secret@127.0.0.1:1/wiki',
    'ftp://user:hunter2-secret@wiki.example/w/api.php'
  ])('with credentials keeps them out of the message: %s', async (url) => {
    const { code, stderr } = await run(['record', url])
    expect(code).toBeGreaterThan(1)
    expect(stderr).not.toContain('hunter2')
  })

  it('with credentials that are no UTF-8 is taken as it is', async () => {
    const wiki = await fakeWiki()
    const recording = await serving([
      'record',
      wiki.api.replace('//', '//us%er:p%ff@'),
      '--cassette',
      tape()
    ])
    expect((await ask(recording.api + call)).status).toBe(200)
  })

  it('with credentials records under a name and in files without them', async () => {
    const folder = temporaryFolder()
    const wiki = await fakeWiki()
    const url = wiki.api.replace('//', '//user:hunter2-secret@')
    const recording = await serving(['record', url], { cwd: folder })
    await ask(recording.api + call)
    const { stdout, stderr } = await recording.stop()
    expect(stdout + stderr + allTextIn(folder)).not.toMatch(/hunter2|user:/)
    expect((await run(['ls'], { cwd: folder })).stdout).toContain(`of ${wiki.api},`)
    expect(
      wiki.seen.every(
        ({ headers }) => headers.authorization?.startsWith('Basic ') === true
      )
    ).toBe(true)
  })
})

describe('exit codes', () => {
  it('3 where the wiki could not be reached while recording', async () => {
    const recording = await serving([
      'record',
      `${await deadOrigin()}/w/api.php`,
      '--cassette',
      tape()
    ])
    // Known before anybody has asked for anything.
    await recording.printed(
      / cannot be reached \(ECONNREFUSED\); requests that are not recorded are still sent there/,
      'stderr'
    )
    const reply = await ask(recording.api + call)
    expect([reply.status, reply.headers['mediawiki-api-error']]).toEqual([
      502,
      'upstream-failed'
    ])
    const { code, stderr } = await recording.stop()
    expect(code).toBe(3)
    expect(stderr).toMatch(
      /wikitape: GET \/w\/api\.php\S*: http:\/\/127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)/
    )
  })

  it('0 where a client left before it had its answer', async () => {
    let arrived = (): void => undefined
    const asked = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const wiki = await fakeWiki(() => {
      arrived()
      return 'taken'
    })
    const recording = await serving(['record', wiki.api, '--cassette', tape()])
    const impatient = askAndLeave(recording.api + call)
    await asked
    expect(await impatient.leave()).toBe('gone')
    await ask(recording.api.replace(/\/w\/.*/, '/__wikitape/summary'))
    expect((await recording.stop()).code).toBe(0)
  })

  it('3 where the wiki stays no data for longer than --timeout', async () => {
    const wiki = await fakeWiki(() => 'taken')
    const recording = await serving([
      'record',
      wiki.api,
      '--cassette',
      tape(),
      '--timeout',
      '1'
    ])
    const reply = await ask(recording.api + call)
    expect(reply.text).toContain('timed out: no data for 1 s; raise --timeout')
    expect((await recording.stop()).code).toBe(3)
  })

  it('4 where a secret was held back from the disk', async () => {
    // What people choose may be a word of any text, so that where it stands nothing is written.
    const wiki = await fakeWiki((params) =>
      JSON.stringify({ query: { echo: params.get('lgpassword') } })
    )
    const cassette = tape()
    const recording = await serving(['record', wiki.api, '--cassette', cassette])
    const reply = await post(
      recording.api,
      'action=login&format=json&lgname=Bob&lgpassword=two+winter+mornings'
    )
    expect(reply.text).toContain('two winter mornings')
    const { code, stderr } = await recording.stop()
    expect(code).toBe(4)
    expect(stderr).toMatch(
      /not recorded: [0-9a-f]{12} contains a secret in plain text: password/
    )
    expect(stderr).not.toContain('winter')
    expect(interactionFiles(cassette)).toEqual([])
  })
})

describe('CI=true', () => {
  it.each<[string, readonly string[], Readonly<Record<string, string>>, boolean]>([
    ['the standard mode', [], {}, false],
    ['mode all', ['--mode', 'all'], {}, false],
    ['a mode of the environment', [], { WIKITAPE_MODE: 'once' }, false],
    ['--allow-live', ['--allow-live'], {}, true],
    ['mode none', ['--mode', 'none'], {}, true]
  ])('with %s', async (_, flags, env, allowed) => {
    const started = start(
      [
        'record',
        'http://127.0.0.1:1/w/api.php',
        '--cassette',
        tape(),
        '--port',
        '0',
        ...flags
      ],
      {
        env: { CI: 'true', ...env }
      }
    )
    if (allowed) {
      await started.printed(/^wikitape: recording /)
      return
    }
    const { code, stderr } = await started.ended
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /^wikitape: CI=true, and mode \w+ may send requests to the live wiki; add --allow-live/
    )
  })

  it('with mode none of the environment lets no header open the way out', async () => {
    const wiki = await fakeWiki()
    const recording = await serving(['record', wiki.api, '--cassette', tape()], {
      env: { CI: 'true', WIKITAPE_MODE: 'none' }
    })
    const reply = await ask(recording.api + call, {
      headers: { 'x-cassette-mode': 'all' }
    })
    expect(reply.headers['x-cassette-status']).toBe('miss')
    expect(wiki.seen).toEqual([])
  })

  it('does not hinder a replay', async () => {
    const wiki = await fakeWiki()
    const cassette = tape()
    const recording = await serving(['record', wiki.api, '--cassette', cassette])
    await ask(recording.api + call)
    await recording.stop()
    const replay = await serving(['replay', '--cassette', cassette], {
      env: { CI: 'true' }
    })
    expect((await ask(replay.api + call)).status).toBe(200)
  })
})

describe('the mode', () => {
  const statusWith = async (
    flags: readonly string[],
    env: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>>
  ): Promise<unknown> => {
    const wiki = await fakeWiki()
    const recording = await serving(
      ['record', wiki.api, '--cassette', tape(), ...flags],
      { env }
    )
    return (await ask(recording.api + call, { headers })).headers['x-cassette-status']
  }

  it.each<
    [
      string,
      readonly string[],
      Readonly<Record<string, string>>,
      Readonly<Record<string, string>>,
      string
    ]
  >([
    ['is new_episodes unless told otherwise', [], {}, {}, 'recorded'],
    ['is that of VCR_MODE', [], { VCR_MODE: 'none' }, {}, 'miss'],
    [
      'is rather that of WIKITAPE_MODE',
      [],
      { VCR_MODE: 'none', WIKITAPE_MODE: 'passthrough' },
      {},
      'passthrough'
    ],
    [
      'is narrowed by the header',
      [],
      { WIKITAPE_MODE: 'all' },
      { 'x-cassette-mode': 'passthrough' },
      'passthrough'
    ],
    [
      'is not widened by the header',
      [],
      { WIKITAPE_MODE: 'none' },
      { 'x-cassette-mode': 'passthrough' },
      'miss'
    ],
    [
      'is first of all that of the flag',
      ['--mode', 'none'],
      { WIKITAPE_MODE: 'all' },
      { 'x-cassette-mode': 'passthrough' },
      'miss'
    ],
    [
      'is not decided by an empty variable',
      [],
      { WIKITAPE_MODE: '', VCR_MODE: 'none' },
      {},
      'miss'
    ]
  ])('%s', async (_, flags, env, headers, status) => {
    expect(await statusWith(flags, env, headers)).toBe(status)
  })
})

describe('colour and progress', () => {
  it.each([{}, { NO_COLOR: '1' }])(
    'are for terminals: none in a pipe with %j',
    async (env) => {
      const { stderr } = await run(['rewind'], { env })
      expect(stderr).toBe(
        'wikitape: unknown command "rewind"; wikitape --help lists them\n'
      )
    }
  )
})

describe('what is counted', () => {
  it.each([
    [0, 'interactions'],
    [1, 'interaction'],
    [2, 'interactions']
  ])('is named in its number: %i %s', async (count, noun) => {
    const dir = path.join(temporaryFolder(), 'tape')
    const store = CassetteStore.openOrCreate(dir, 'http://127.0.0.1:9/w/api.php')
    store.saveManifest()
    for (const name of ['a', 'b'].slice(0, count))
      store.put(
        interactionOf({ 'plain target': `/w/${name}` }, [
          response({ kind: 'text', text: name })
        ])
      )
    expect((await run(['ls', dir])).stdout).toContain(`: ${count} ${noun} of http:`)
  })
})
