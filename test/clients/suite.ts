/** The tests of one wiki: every session through wikitape gives what it gives without, and goes out only to record. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LabVersion, labAccounts } from '../../scripts/wiki/lab.ts'
import { allTextIn } from '../helpers/folders.ts'
import { limitations } from './limitations.ts'
import { type Difference, differences, outcomesOf, rowsOf } from './outcome.ts'
import {
  cassetteIn,
  nameOf,
  type Outcomes,
  type PassName,
  runPasses,
  type Session,
  sessions,
  takesPartTogether
} from './passes.ts'
import type { Outcome } from './run-session.ts'

export function testClients(wiki: LabVersion): void {
  describe(`MediaWiki ${wiki}`, () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'wikitape-clients-'))
    let outcomes: Outcomes = new Map()
    let reports: readonly string[] = []
    const of = (session: Session, pass: PassName): Outcome =>
      outcomesOf(outcomes, session, pass)[0]
    /** Of every run of the pass. */
    const against = (session: Session, pass: PassName): readonly Difference[] =>
      outcomesOf(outcomes, session, pass).flatMap((one) =>
        differences(of(session, 'direct'), one)
      )

    beforeAll(async () => {
      ;({ outcomes, reports } = await runPasses(wiki, folder))
    }, 1_200_000)
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    describe.each(sessions.map((session) => [nameOf(session), session] as const))(
      '%s',
      (name, session) => {
        it('runs straight at the wiki', () => {
          const { code, steps, stderr } = of(session, 'direct')
          expect([code, steps.size > 0], stderr).toEqual([0, true])
        })

        it('gives the same through record', () => {
          expect(against(session, 'record')).toEqual([])
          expect(of(session, 'record').code).toBe(0)
        })

        it('gives the same offline, and asks nothing that was not recorded', () => {
          expect(against(session, 'replay')).toEqual([])
          expectOffline(of(session, 'replay'))
        })

        it('gives the same offline in other batches, known limitations aside', () => {
          const known = limitations.filter(
            (one) => one.session === name && one.wikis.includes(wiki)
          )
          const found = against(session, 'other batches')
          expect(found.map(({ step }) => step)).toEqual(known.map(({ step }) => step))
          for (const { here } of found) expect(here).toContain('cassette-miss')
          if (known.length === 0) expectOffline(of(session, 'other batches'))
        })

        if (!takesPartTogether(session)) return

        it('gives the same twice at once, while all others ask the same server', () => {
          expect(outcomesOf(outcomes, session, 'twice')).toHaveLength(2)
          expect(against(session, 'twice')).toEqual([])
        })
      }
    )

    it('finds no conflict between the sessions, though none has a name', () => {
      expect(reports.filter((one) => one.startsWith('conflict'))).toEqual([])
    })

    it('leaves no password on disk', () => {
      const text = allTextIn(cassetteIn(folder))
      const found = ['"lgname"', labAccounts.admin.password].map((one) =>
        text.includes(one)
      )
      expect(found).toEqual([true, false])
    })

    it('gives what docs/clients.md was written from', async () => {
      const rows = rowsOf(outcomes, wiki).map((row) => JSON.stringify(row))
      await expect(`[\n${rows.join(',\n')}\n]\n`).toMatchFileSnapshot(
        `results/${wiki}.json`
      )
    })
  })
}

function expectOffline({ code, counts, stderr }: Outcome): void {
  expect(counts, stderr).toMatchObject({ missed: 0, liveRequests: 0 })
  expect(code).toBe(0)
}
