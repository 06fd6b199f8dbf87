/** What V8 made of the command line is kept from call to call, and never believed when in doubt. */
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { Compiled } from '../../src/cli/compiled.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { spawned, spawnServing } from '../helpers/processes.ts'

interface Exports {
  double?: (value: number) => unknown
}

/** Loads a part as the program does. */
function loaded(compiled: Compiled, file: string): { readonly exports: Exports; readonly rejected: unknown } {
  const script = compiled.script(file)
  const exports: Exports = {}
  script.runInThisContext()(exports, () => undefined, { exports }, file, path.dirname(file))
  return { exports, rejected: script.cachedDataRejected }
}

/** Also what was written within this millisecond. */
const atOnce = -1

const doubling = (by: number): string => `exports.double = (value) => value * ${by}\n`

/** A part in a folder, compiled and kept. */
function keptPart(): { readonly file: string; readonly cache: string; readonly kept: () => string } {
  const dir = temporaryFolder()
  const [file, cache] = [path.join(dir, 'part-one.cjs'), path.join(dir, 'cache')]
  writeFileSync(file, doubling(2))
  const first = new Compiled(cache, atOnce)
  expect(loaded(first, file).exports.double?.(21)).toBe(42)
  first.keep(true)
  const folder = path.join(cache, 'compiled')
  const kept = (): string => path.join(folder, readdirSync(folder)[0] ?? 'nothing')
  return { file, cache, kept }
}

describe('what is kept of a part', () => {
  it('serves the next call, and only this user can read it', () => {
    const { file, cache, kept } = keptPart()
    const again = loaded(new Compiled(cache, atOnce), file)
    expect(again.rejected).toBe(false)
    expect(again.exports.double?.(21)).toBe(42)
    expect([statSync(kept()).mode & 0o777, statSync(path.dirname(kept())).mode & 0o777]).toEqual([
      0o600, 0o700,
    ])
  })

  it('is not taken for a file that was changed, however its length and its time of writing look', () => {
    const { file, cache } = keptPart()
    const { atime, mtime } = statSync(file)
    writeFileSync(file, doubling(3))
    utimesSync(file, atime, mtime)
    const again = loaded(new Compiled(cache, atOnce), file)
    expect(again.rejected).toBeUndefined()
    expect(again.exports.double?.(21)).toBe(63)
  })

  it('is neither made nor used of a file that was written a moment ago', () => {
    const { file, cache } = keptPart()
    expect(loaded(new Compiled(cache), file).rejected).toBeUndefined()
    const dir = temporaryFolder()
    const young = new Compiled(dir)
    loaded(young, file)
    young.keep(true)
    expect(readdirSync(dir)).toEqual([])
  })

  const doubts: Readonly<Record<string, (kept: string) => void>> = {
    'torn off': (kept) => writeFileSync(kept, readFileSync(kept).subarray(0, 100)),
    empty: (kept) => writeFileSync(kept, ''),
    'a few bytes': (kept) => writeFileSync(kept, 'abc'),
    'with a bit turned over': (kept) => {
      const bytes = readFileSync(kept)
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
      writeFileSync(kept, bytes)
    },
    'readable by others': (kept) => chmodSync(kept, 0o644),
    'a link': (kept) => {
      renameSync(kept, `${kept}.other`)
      symlinkSync(`${kept}.other`, kept)
    },
    'a folder': (kept) => {
      rmSync(kept)
      mkdirSync(kept)
    },
    'in a folder that others may write to': (kept) => chmodSync(path.dirname(kept), 0o777),
    'in a cache that others may write to': (kept) => chmodSync(path.dirname(path.dirname(kept)), 0o777),
  }
  it.each(Object.entries(doubts))('is not looked at where it is %s', (_, spoil) => {
    const { file, cache, kept } = keptPart()
    spoil(kept())
    const compiled = new Compiled(cache, atOnce)
    const again = loaded(compiled, file)
    expect(again.rejected).toBeUndefined()
    expect(again.exports.double?.(21)).toBe(42)
    expect(() => compiled.keep(true)).not.toThrow()
  })

  it('is made anew once answers have been compiled as well, and then no more', () => {
    const { file, cache, kept } = keptPart()
    rmSync(kept())
    const versions = [false, false, true, true, false].map((answered) => {
      const compiled = new Compiled(cache, atOnce)
      loaded(compiled, file)
      compiled.keep(answered)
      return statSync(kept()).ino
    })
    const [first, second, third, fourth, fifth] = versions
    expect(second).toBe(first)
    expect(third).not.toBe(first)
    expect([fourth, fifth]).toEqual([third, third])
  })

  it('is nothing where it cannot lie', () => {
    const { file } = keptPart()
    const compiled = new Compiled(file, atOnce)
    expect(loaded(compiled, file).exports.double?.(21)).toBe(42)
    expect(() => compiled.keep(true)).not.toThrow()
  })
})

it('a part is read as UTF-8, and a stack says where in it something went wrong', () => {
  const file = path.join(temporaryFolder(), 'part-one.cjs')
  writeFileSync(file, "exports.double = () => { throw new Error('за') }\n")
  const { double } = loaded(new Compiled(undefined), file).exports
  expect(double).toThrow('за')
  const stack = ((): string => {
    try {
      return String(double?.(1))
    } catch (error) {
      return (error as Error).stack ?? ''
    }
  })()
  expect(stack).toContain(`${file}:1:32`)
})

/** V8's mark of its own version lies behind our head and a mark of the format; the sum is right. */
function ofAnotherEngine(bytes: Buffer): Buffer {
  const other = Buffer.from(bytes)
  other.writeUInt32LE(0xdead_beef, 12)
  other.writeUInt32LE(crc32(other.subarray(4)), 0)
  return other
}

const isOfAnotherEngine = (cache: string, name: string): boolean =>
  readFileSync(path.join(cache, 'compiled', name)).readUInt32LE(12) === 0xdead_beef

describe('the program', () => {
  const filesIn = (cache: string): readonly string[] => {
    try {
      return readdirSync(path.join(cache, 'compiled'))
    } catch {
      return []
    }
  }

  it('keeps what it compiled when it ends, and says the same with whatever lies there then', async () => {
    const cache = temporaryFolder()
    const env = { WIKITAPE_CACHE: cache }
    const said = await spawned(['replay', '--help'], { env })
    await vi.waitFor(
      async () => {
        await Promise.all([1, 2, 3].map(() => spawned(['replay', '--help'], { env })))
        expect(filesIn(cache).some((name) => name.startsWith('part-main.cjs-'))).toBe(true)
      },
      { timeout: 20_000 },
    )
    expect(filesIn(cache).filter((name) => name.endsWith('.tmp'))).toEqual([])
    for (const spoil of [
      (bytes: Buffer) => bytes,
      (bytes: Buffer) => bytes.subarray(0, 99),
      ofAnotherEngine,
    ]) {
      for (const name of filesIn(cache)) {
        const file = path.join(cache, 'compiled', name)
        writeFileSync(file, spoil(readFileSync(file)))
      }
      expect(await spawned(['replay', '--help'], { env })).toEqual(said)
      // What could not be used was made anew.
      expect(filesIn(cache).filter((name) => isOfAnotherEngine(cache, name))).toEqual([])
    }
  })

  it.each([
    ['WIKITAPE_CACHE', 'off'],
    ['NODE_DISABLE_COMPILE_CACHE', '1'],
    ['NODE_V8_COVERAGE', 'coverage'],
  ])('keeps nothing with %s=%s', async (name, value) => {
    const home = temporaryFolder()
    const env = { HOME: home, XDG_CACHE_HOME: '', WIKITAPE_CACHE: '', [name]: value }
    const { code } = await spawned(['--version'], { env, cwd: home })
    expect(code).toBe(0)
    expect(filesIn(path.join(home, '.cache/wikitape'))).toEqual([])
  })

  it('says the same on Node.js that cannot require ES modules', async () => {
    const env = { NODE_OPTIONS: '--no-experimental-require-module' }
    const cassette = path.resolve('cassettes/ru-1.43')
    for (const args of [['replay', '--help'], ['ls', cassette], ['nothing']])
      expect(await spawned(args, { env })).toEqual(await spawned(args))
  })

  it('keeps what its first answers compiled, though it is killed then', async () => {
    const cache = temporaryFolder()
    const cassette = path.resolve('cassettes/ru-1.43')
    const { api } = await spawnServing(['replay', '--cassette', cassette], { env: { WIKITAPE_CACHE: cache } })
    await ask(`${api}?action=query&meta=siteinfo&format=json`)
    const afterAnswers = (): boolean =>
      filesIn(cache).some((name) => readFileSync(path.join(cache, 'compiled', name)).readUInt32LE(4) === 1)
    await vi.waitFor(() => expect(afterAnswers()).toBe(true), { timeout: 20_000 })
  })
})
