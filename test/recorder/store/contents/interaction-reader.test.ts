/** What is read one by one: in memory that is used again, along a way that may be another the next time. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  bodyJson,
  cachedBodyText,
  type RecordedBody
} from '../../../../src/recorder/cassette/interaction.ts'
import { writeCompact } from '../../../../src/recorder/json/write-json.ts'
import { CassetteStore } from '../../../../src/recorder/store/cassette-store.ts'
import { racyWindow } from '../../../../src/recorder/store/files/change-detector.ts'
import { temporaryFolder } from '../../../helpers/folders.ts'
import { interactionOf, response, treeOf } from '../../../helpers/recorded.ts'

/** Bodies of every kind, and one beyond the room for all; each says in all of its bytes which it is. */
const bodies = ['a', 'b', 'c'].flatMap((one): readonly RecordedBody[] => [
  { kind: 'json', tree: treeOf(`{"said":"${one.repeat(5000)}"}`), spelling: 'utf8' },
  {
    kind: 'json',
    tree: treeOf(`{"said":"${`ä${one}`.repeat(3000)}"}`),
    spelling: 'ascii'
  },
  { kind: 'json', tree: treeOf(`{"said":"${one.repeat(200_000)}"}`), spelling: 'utf8' },
  { kind: 'text', text: `${one.repeat(4000)}\n${one.repeat(2000)}` },
  { kind: 'binary', bytes: Buffer.from(one.repeat(6000)) }
])
const recorded = bodies.map((body, at) =>
  interactionOf({ action: 'query', titles: `Page ${at}` }, [response(body)])
)

const said = (body: RecordedBody) => {
  if (body.kind === 'binary') return Buffer.from(body.bytes).toString()
  return body.kind === 'text'
    ? body.text
    : Buffer.from(cachedBodyText(body, 'utf8') ?? []).toString()
}

function cassette(): { readonly dir: string; readonly store: CassetteStore } {
  const dir = path.join(temporaryFolder(), 'tape')
  const writing = CassetteStore.openOrCreate(dir, 'http://wiki.example/w/api.php')
  for (const one of recorded) writing.put(one)
  racyWindow.ms = 0
  return { dir, store: CassetteStore.open(dir) }
}

const bodyOf = (store: CassetteStore, at: number): RecordedBody => {
  const found = store.get(recorded[at]?.key ?? expect.fail())
  return found.kind === 'found'
    ? found.interaction.responses[0].body
    : expect.fail(found.kind)
}

describe('a recording that is read by itself', () => {
  it('stays what it is when others are read into the same memory', () => {
    const { store } = cassette()
    const read = recorded.map((_, at) => bodyOf(store, at))
    const whole = read.map(said)
    for (const at of recorded.keys()) bodyOf(store, recorded.length - 1 - at)
    expect(read.map(said)).toEqual(whole)
    expect(
      read.map((body) => (body.kind === 'json' ? bodyJson(body) : said(body)))
    ).toEqual(bodies.map((body) => (body.kind === 'json' ? body.tree : said(body))))
  })

  it('says the same as when it is read with the others of its folder, however large it is', () => {
    const { store } = cassette()
    const [folder = expect.fail()] = store.folders()
    const together = new Map(
      [...store.interactionsIn(folder)].map((one) => [one.key, one.responses[0].body])
    )
    const texts = recorded.map(
      ({ key }) => together.get(key) ?? expect.fail('it was not read')
    )
    expect(
      texts.map((body) =>
        body.kind === 'json' ? writeCompact(body.tree, 'utf8') : said(body)
      )
    ).toEqual(
      bodies.map((body) =>
        body.kind === 'json' ? writeCompact(body.tree, 'utf8') : said(body)
      )
    )
  })

  it('is told from what it has become between its reading and the question what marks it', async () => {
    const { dir, store } = cassette()
    const [{ key } = expect.fail()] = recorded
    const file = path.join(dir, store.pathFor(recorded[0] ?? expect.fail()))
    await setTimeout(20)
    const since = Date.now()
    bodyOf(store, 0)
    const before = store.signaturesOf(key, since) ?? expect.fail('it was left alone')
    expect(store.isUnchanged(before)).toBe(true)
    await setTimeout(20)
    bodyOf(store, 0)
    appendFileSync(file, ' ')
    const after =
      store.signaturesOf(key, since) ?? expect.fail('it was left alone when it was read')
    expect(store.isUnchanged(after)).toBe(false)
  })

  it('is not read through a link or out of a pipe that has taken the place of its file or its folder', async () => {
    const { dir, store } = cassette()
    const [first = expect.fail()] = recorded
    const file = path.join(dir, store.pathFor(first))
    const folder = path.dirname(file)
    const away = path.join(temporaryFolder(), 'away')
    bodyOf(store, 0)
    mkdirSync(away)
    renameSync(file, path.join(away, path.basename(file)))
    symlinkSync(path.join(away, path.basename(file)), file)
    expect(store.get(first.key)).toMatchObject({
      kind: 'broken',
      fault: { message: /leads out/ }
    })
    rmSync(file)
    execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', file])
    expect(store.get(first.key)).toMatchObject({
      kind: 'broken',
      fault: { message: /not a regular file/ }
    })
    rmSync(folder, { recursive: true })
    symlinkSync(away, folder)
    await setImmediate()
    expect(store.get(first.key)).toMatchObject({
      kind: 'broken',
      fault: { message: /leads out/ }
    })
    rmSync(folder)
    await setImmediate()
    expect(store.get(first.key)).toEqual({ kind: 'absent' })
  })
})
