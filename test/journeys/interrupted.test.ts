/** A command that a signal ends says so in one way: 130 or 143, what is left, and how to go on. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { filesIn, temporaryFolder } from '../helpers/folders.ts'
import { spawnStarted } from '../helpers/processes.ts'
import { run, start } from '../helpers/program.ts'
import { partOf, shipped } from '../helpers/shipped.ts'

const signals = ['SIGINT', 'SIGTERM'] as const

/** A cassette of the shipped ones, large enough that no command is finished at once. */
const copy = (): string => {
  const dir = path.join(temporaryFolder(), 'tape')
  cpSync(shipped('1.43'), dir, { recursive: true })
  return dir
}

const part = partOf('1.43', ['query.allpages', 'query.allrevisions'])
let shippedHar: string | undefined

/** A HAR of a part of a shipped cassette, which is exported once. */
async function harText(): Promise<string> {
  if (shippedHar !== undefined) return shippedHar
  const file = path.join(temporaryFolder(), 'shipped.har')
  await run(['export', part, '--to', 'har', '--output', file])
  shippedHar = readFileSync(file, 'utf8')
  return shippedHar
}

/** What each command works at when it is ended, by name. */
const commands: Readonly<Record<string, (folder: string) => Promise<readonly string[]>>> =
  {
    normalize: async () => ['normalize', copy()],
    push: async (folder) => ['push', copy(), path.join(folder, 'pushed')],
    pull: async (folder) => ['pull', copy(), path.join(folder, 'pulled')],
    export: async (folder) => [
      ...['export', shipped('1.43'), '--to', 'har'],
      ...['--output', path.join(folder, 'out.har')]
    ],
    import: async (folder) => {
      const har = path.join(folder, 'in.har')
      writeFileSync(har, await harText())
      return ['import', har, '--cassette', path.join(folder, 'imported')]
    }
  }
const cases = Object.keys(commands).flatMap((name) =>
  signals.map((signal) => [name, signal] as const)
)

it.each(cases)('%s, ended by %s', async (name, signal) => {
  const folder = temporaryFolder()
  const args = (await commands[name]?.(folder)) ?? []
  const started = start(args)
  await wait(1)
  started.kill(signal)
  const { code, stderr } = await started.ended
  expect(code).toBe(128 + constants.signals[signal])
  expect(stderr).toMatch(new RegExp(`wikitape: ended by ${signal}; .+(again|goes on)\n$`))
})

describe('a command that waits for a wiki', () => {
  const query = 'action=query&list=allpages&apfrom='

  it.each(
    ['capture', 'refresh', 'diff'].flatMap((name) =>
      signals.map((signal) => [name, signal] as const)
    )
  )('%s, ended by %s', async (name, signal) => {
    let asked = 0
    let onAsked: () => void = () => undefined
    const isAsked = new Promise<void>((resolve) => {
      onAsked = resolve
    })
    let isSlow = name === 'capture'
    const wiki = await fakeWiki(() => {
      asked += 1
      if (isSlow && asked > 1) onAsked()
      return JSON.stringify({ query: { allpages: [] }, asked })
    })
    const folder = temporaryFolder()
    const requests = path.join(folder, 'requests.txt')
    writeFileSync(
      requests,
      Array.from({ length: 20 }, (_, at) => `${query}${at}\n`).join('')
    )
    const dir = path.join(folder, 'tape')
    const capture = ['capture', wiki.api, '--cassette', dir, '--requests', requests]
    if (name !== 'capture') await run(capture)
    const before = name === 'refresh' ? filesIn(dir) : undefined
    asked = 0
    isSlow = true
    const args = { capture, refresh: ['refresh', dir], diff: ['diff', dir, wiki.api] }[
      name
    ]
    const started = start(args ?? [])
    await isAsked
    started.kill(signal)
    const { code, stderr } = await started.ended
    expect(code).toBe(128 + constants.signals[signal])
    expect(stderr).toContain(`wikitape: ended by ${signal}; `)
    expect(stderr).not.toContain('--retries')
    if (before) expect(filesIn(dir)).toEqual(before)
  })
})

it('import --dry-run, ended as a process, leaves no folder in the temporary one', async () => {
  const folder = temporaryFolder()
  const har = path.join(folder, 'in.har')
  const log = JSON.parse(await harText())
  // Long enough that it is ended in the middle.
  log.log.entries = Array.from({ length: 8 }, () => log.log.entries).flat()
  writeFileSync(har, JSON.stringify(log))
  const own = path.join(folder, 'tmp')
  mkdirSync(own)
  const args = ['import', har, '--cassette', path.join(folder, 'new'), '--dry-run']
  const started = spawnStarted(args, { env: { TMPDIR: own } })
  while (readdirSync(own).length === 0) await wait(5)
  started.kill('SIGINT')
  const { code, signal } = await started.ended
  expect([code, signal]).toEqual([130, null])
  expect(readdirSync(own)).toEqual([])
})
