/** Cassettes inserted into the running test, closed with it. */
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import {
  type InsertedCassette,
  type InsertOptions,
  insertCassette
} from '../../../src/integrations/nock/insert-cassette.ts'

/** The folder of the shipped cassettes. */
export const shipped: string = fileURLToPath(
  new URL('../../../cassettes', import.meta.url)
)

/** The wiki that the shipped cassettes stand for in these tests; no test may reach it. */
export const publicWiki = 'https://ru.wikipedia.org/w/api.php'

export interface Inserted extends InsertedCassette {
  /** What a person would have read. */
  readonly reports: string[]
}

export function inserted(name: string, options: InsertOptions = {}): Inserted {
  const reports: string[] = []
  const cassette = insertCassette(name, {
    mode: 'none',
    report: (line) => void reports.push(line),
    ...options
  })
  onTestFinished(() => cassette.close().then(() => undefined))
  return { ...cassette, reports }
}
