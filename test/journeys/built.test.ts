/** What the command line says as it is built, of what a package says that only a built process requires. */
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { requestKey } from '../../src/recorder/request/request-key.ts'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { spawned } from '../helpers/processes.ts'
import { run } from '../helpers/program.ts'

/** @param says what its one recording does */
function written(says: string): string {
  const dir = path.join(temporaryFolder(), 'tape')
  mkdirSync(path.join(dir, 'query.info'), { recursive: true })
  const manifest = {
    describesItself: false,
    format: 1,
    upstream: 'http://wiki.example/w/api.php'
  }
  writeFileSync(path.join(dir, 'cassette.json'), JSON.stringify(manifest))
  const request = { action: 'query', prop: 'info', titles: 'A' }
  const file = path.join(
    dir,
    'query.info',
    `${requestKey(new Map(Object.entries(request)))}.json`
  )
  writeFileSync(
    file,
    JSON.stringify({
      request,
      responses: [{ headers: {}, json: { says }, status: 200 }]
    })
  )
  return dir
}

it('compares, and wraps what it says, as it is written', async () => {
  const args = ['diff', written('one'), written('other'), '--fail-on', 'none']
  const built = await spawned(args)
  expect(built.stdout).toContain('1 request')
  expect(built).toEqual(await run(args))
})

it('reads its standard input', async () => {
  const { api } = await fakeWiki()
  const cassette = path.join(temporaryFolder(), 'tape')
  const args = ['capture', api, '--cassette', cassette, '--requests', '-']
  const { code, stderr } = await spawned(args, {
    stdin: 'action=query&prop=info&titles=A\n'
  })
  expect([code, stderr]).toEqual([0, expect.stringContaining('1 of 1 request done')])
})

it.each(['20.18.3', '18.20.8', '12.22.12'])(
  'says on Node.js %s which one it needs',
  async (version) => {
    const older = path.join(temporaryFolder(), 'older.mjs')
    const versions = `{ ...process.versions, node: '${version}' }`
    writeFileSync(
      older,
      `Object.defineProperty(process, 'versions', { value: ${versions} })`
    )
    expect(await spawned(['--version'], { preload: [older] })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `wikitape: this is Node.js ${version}; wikitape needs Node.js 20.19 or newer: https://nodejs.org/en/download\n`
    })
  }
)

/** As in Node.js 22 and later, where `util._extend` warns. */
function deprecating(): string {
  const file = path.join(temporaryFolder(), 'deprecating.mjs')
  writeFileSync(
    file,
    "import util from 'node:util'\nutil._extend = util.deprecate(Object.assign, 'old', 'DEP0060')\n"
  )
  return file
}

it('records without a warning of a deprecated function', async () => {
  const { api } = await fakeWiki()
  const cassette = path.join(temporaryFolder(), 'tape')
  const args = ['capture', api, '--cassette', cassette, '--requests', '-']
  const { code, stderr } = await spawned(args, {
    stdin: 'action=query&prop=info&titles=A\n',
    preload: [deprecating()]
  })
  expect([code, stderr]).toEqual([0, expect.stringContaining('1 of 1 request done')])
  expect(stderr).not.toContain('DEP0060')
})

it('records in a test that requires it without a warning of a deprecated function', async () => {
  const { api } = await fakeWiki()
  const module = fileURLToPath(
    new URL('../../dist/commonjs/testing.cjs', import.meta.url)
  )
  const options = JSON.stringify({ name: 'tape', apiUrl: api, mode: 'all' })
  const script = `require(${JSON.stringify(module)}).withCassette(${options}, async () => {
    console.log((await fetch(${JSON.stringify(`${api}?action=query&format=json&prop=info&titles=A`)})).status)
  })()`
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--import', pathToFileURL(deprecating()).href, '--eval', script],
    { cwd: temporaryFolder(), env: { ...process.env, CI: '' } }
  )
  expect([stdout, stderr]).toEqual(['200\n', expect.not.stringContaining('DEP0060')])
})
