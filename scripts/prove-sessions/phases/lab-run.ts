/** What a run works with: a wiki with its gate, and the functions of the wikitape that is tried. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Gate } from '../wiki/gate.ts'
import type { Wiki } from '../wiki/wiki.ts'
import type { Highest } from './compare.ts'

type Program = typeof import('../../../src/integrations/program/start.ts')

export interface Bench {
  readonly wiki: Wiki
  readonly gate: Gate
  readonly wikitape: Program
  readonly highest: Highest
}

/** Of which there may be another, such as an older one: its folder. */
export async function wikitapeOf(folder: string): Promise<Program> {
  const start = ['src/integrations/program/start.ts', 'src/program/start.ts']
    .map((file) => path.join(folder, file))
    .find((file) => existsSync(file))
  if (start === undefined) throw new Error(`${folder} holds no wikitape`)
  return (await import(pathToFileURL(start).href)) as Program
}

export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wikitape-prove-'))
  try {
    return await work(path.join(folder, 'tape'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** An answer that is not what it should be, or is missed. */
export interface Fault {
  readonly phase: 'recording' | 'in order' | 'variant'
  readonly at: number
  readonly what: string
  readonly detail: string
  /** And not for an earlier miss. */
  readonly missed?: true
}
