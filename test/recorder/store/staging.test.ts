/** Recordings of a test lie apart until it has passed. */
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { StagedCassette } from '../../../src/recorder/store/staging.ts'
import { filesIn, temporaryFolder } from '../../helpers/folders.ts'

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
}

const entries = (folder: string): unknown => Object.fromEntries(filesIn(folder))

it('moves in what is new or changed, takes out what was dropped, and leaves the rest untouched', async () => {
  const home = path.join(temporaryFolder(), 'tape')
  write(home, {
    'cassette.json': '1',
    'a/same.json': 'same',
    'a/old.json': 'old',
    'a/gone.json': 'x'
  })
  const untouched = statSync(path.join(home, 'a/same.json')).mtimeMs
  const staging = new StagedCassette(home)
  write(staging.folder, {
    'a/old.json': 'new',
    'b/fresh.json': 'fresh',
    'b/half.json.1.tmp': 'torn'
  })
  rmSync(path.join(staging.folder, 'a/gone.json'))
  expect(filesIn(home).get('a/old.json')).toBe('old')
  // Another worker has recorded meanwhile.
  write(home, { 'c/other.json': 'other' })
  staging.commit()
  expect(entries(home)).toEqual({
    'cassette.json': '1',
    'a/same.json': 'same',
    'a/old.json': 'new',
    'b/fresh.json': 'fresh',
    'c/other.json': 'other'
  })
  expect(statSync(path.join(home, 'a/same.json')).mtimeMs).toBe(untouched)
  expect(statSync(staging.folder, { throwIfNoEntry: false })).toBeUndefined()
})

it('leaves no trace where the test has failed', () => {
  const home = path.join(temporaryFolder(), 'tape')
  const staging = new StagedCassette(home)
  write(staging.folder, { 'cassette.json': '1' })
  staging.discard()
  expect(statSync(home, { throwIfNoEntry: false })).toBeUndefined()
  expect(
    statSync(path.dirname(staging.folder), { throwIfNoEntry: false })
  ).toBeUndefined()
})

it('writes the manifest first: a disk that then refuses leaves a cassette that can be read', () => {
  const home = path.join(temporaryFolder(), 'tape')
  write(home, { a: 'a file where a folder has to be' })
  const staging = new StagedCassette(path.join(home))
  rmSync(path.join(staging.folder, 'a'))
  write(staging.folder, { 'cassette.json': '1', 'a/x.json': 'x' })
  expect(() => staging.commit()).toThrow('cannot write')
  expect(filesIn(home).get('cassette.json')).toBe('1')
  staging.discard()
})

it('says what the disk refuses', () => {
  const place = temporaryFolder()
  write(place, { tape: 'a file' })
  const staging = new StagedCassette(path.join(place, 'other'))
  write(staging.folder, { 'cassette.json': '1' })
  writeFileSync(path.join(place, 'other'), 'a file too')
  expect(() => staging.commit()).toThrow(/cannot write .*cassette\.json/)
  staging.discard()
})
