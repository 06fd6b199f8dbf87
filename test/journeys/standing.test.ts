/** wikitape as a proxy that stays, for programs that are started elsewhere. */
import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../helpers/folders.ts'
import { family, page } from '../helpers/named-wikis.ts'
import { run, start } from '../helpers/program.ts'

const listening = /wikitape: \w+ \S+ on http:\/\/127\.0\.0\.1:\d+/
/** The last variable that is printed. */
const lastLine = /JAVA_TOOL_OPTIONS/

describe('a proxy that stays', () => {
  it('records and replays what a program asks that has only the printed variables', async () => {
    const { cwd, env, cacert, en } = await family()
    const ca = path.join(temporaryFolder(), 'ca')
    const standing = async (verb: string, flags: readonly string[]) => {
      const one = start([verb, '--port', '0', '--ca', ca, ...flags], { cwd, env })
      await one.printed(lastLine, 'stdout')
      await one.printed(listening, 'stderr')
      return one
    }
    const ask = async (one: Awaited<ReturnType<typeof standing>>) => {
      const lines = (await one.printed(/[\s\S]*JAVA_TOOL_OPTIONS.*\n/, 'stdout'))[0]
      const script = `${lines}\ncurl -sS '${page('en.wiki.test', 'Box')}'`
      return promisify(execFile)('sh', ['-c', script])
    }

    const recorder = await standing('record', ['--cacert', cacert])
    const recorded = await ask(recorder)
    recorder.kill('SIGTERM')
    expect((await recorder.ended).code).toBe(0)
    expect(recorded.stdout).toContain('titles=Box')

    const seen = en.seen.length
    const replay = await standing('replay', [])
    const replayed = await ask(replay)
    replay.kill('SIGTERM')
    expect((await replay.ended).code).toBe(0)
    expect([replayed.stdout, en.seen.length]).toEqual([recorded.stdout, seen])
  })
})

describe('a kept authority', () => {
  const begin = async (ca: string, lines = 'sh') => {
    const { cwd } = await family()
    const one = start(['record', '--port', '0', '--ca', ca, '--lines', lines], { cwd })
    const text = (await one.printed(/[\s\S]*JAVA_TOOL_OPTIONS.*\n/, 'stdout'))[0]
    one.kill('SIGTERM')
    await one.ended
    return text
  }

  it('is of its user alone, and the same in the next run', async () => {
    const ca = path.join(temporaryFolder(), 'ca')
    const first = await begin(ca)
    const certificate = readFileSync(path.join(ca, 'authority.pem'), 'utf8')
    expect(statSync(ca).mode & 0o777).toBe(0o700)
    expect(statSync(path.join(ca, 'authority.key')).mode & 0o777).toBe(0o600)
    const second = await begin(ca)
    expect(readFileSync(path.join(ca, 'authority.pem'), 'utf8')).toBe(certificate)
    const withoutPort = (text: string) =>
      text.replaceAll(/127\.0\.0\.1:\d+|Port=\d+/g, '')
    expect(withoutPort(second)).toBe(withoutPort(first))
    expect(readdirSync(ca)).toContain('bundle.pem')
  })

  it('is refused where others may read it, or where it is no folder', async () => {
    const ca = temporaryFolder()
    chmodSync(ca, 0o755)
    const open = await run(['record', '--port', '0', '--ca', ca], {
      cwd: temporaryFolder()
    })
    expect(open).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`chmod 700 ${ca}`)
    })
    const none = await run(['record', '--ca', '/dev/null'], { cwd: temporaryFolder() })
    expect(none).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--ca /dev/null')
    })
  })

  it('is not made where the variables could not be printed', async () => {
    const ca = path.join(temporaryFolder(), 'ca')
    const cwd = temporaryFolder()
    const args = ['record', '--port', '0', '--ca', ca, '--lines', 'yaml']
    expect(await run(args, { cwd })).toEqual({
      code: 2,
      signal: null,
      stdout: '',
      stderr:
        'wikitape: --lines is "yaml"; expected one of sh, fish, powershell, compose, github, kubernetes\n'
    })
    expect(existsSync(ca)).toBe(false)
  })

  it.each([
    ['sh', /^export HTTPS_PROXY='http:\/\/wikitape:[\w-]+@127\.0\.0\.1:\d+'$/m],
    ['fish', /^set -gx HTTPS_PROXY 'http:/m],
    ['powershell', /^\$env:HTTPS_PROXY = 'http:/m],
    ['compose', /^ {4}environment:\n(?: {6}.*\n)* {6}HTTPS_PROXY: "http:/m],
    ['github', /^echo 'HTTPS_PROXY=http:[^']*' >> "\$GITHUB_ENV"$/m],
    [
      'kubernetes',
      /^ {10}env:\n(?: {12}.*\n)* {12}- \{ name: HTTPS_PROXY, value: "http:/m
    ]
  ])('prints variables for %s', async (form, pattern) => {
    expect(await begin(path.join(temporaryFolder(), 'ca'), form)).toMatch(pattern)
  })

  it.each([
    ['sh', 'sh', ['-c']],
    ['github', 'sh', ['-c']]
  ])('prints lines that %s reads', async (form, shell, flags) => {
    const lines = await begin(path.join(temporaryFolder(), 'ca'), form)
    const file = path.join(temporaryFolder(), 'environment')
    const env = { PATH: process.env['PATH'], GITHUB_ENV: file }
    const { status } = spawnSync(shell, [...flags, lines], { encoding: 'utf8', env })
    expect(status).toBe(0)
  })
})
