/** A place for a recording that is looked at once. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A folder that is not there yet, alone in a new one; the caller deletes that one. */
export const temporaryCassette = (): string =>
  path.join(mkdtempSync(path.join(tmpdir(), 'wikitape-')), 'cassette')
