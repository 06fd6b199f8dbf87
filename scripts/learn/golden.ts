/** The walks of a 1.25.4 and what it says of itself, as they were kept: one JSON object a line. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

export interface Golden {
  readonly version: string
  /** Descriptions of all modules, as its `action=paraminfo` gave them. */
  readonly modules: readonly Readonly<Record<string, unknown>>[]
  readonly site: unknown
  /** Answers by query string. */
  readonly answers: ReadonlyMap<string, string>
}

/** Undefined where no folder is named. @throws Error where it lacks the files */
export function readGolden(folder: string | undefined): Golden | undefined {
  if (folder === undefined || folder === '') return undefined
  const [self, walks] = ['self', 'walks'].map((name) =>
    linesOf(join(folder, `mw-1.25.4.${name}.ndjson.gz`))
  )
  return {
    version: '1.25',
    modules: (self ?? []).flatMap(({ kind, module }) =>
      kind === 'paraminfo' && isObject(module) ? [module] : []
    ),
    site: (self ?? []).find(
      ({ kind, siprop }) => kind === 'siteinfo' && String(siprop).includes('namespaces')
    )?.['body'],
    answers: new Map((walks ?? []).map(({ q, body }) => [String(q), String(body)]))
  }
}

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null

function linesOf(file: string): readonly Json[] {
  if (!existsSync(file))
    throw new Error(`There is no ${file}. Name the folder of the 1.25.4 walks: --golden.`)
  const lines = gunzipSync(readFileSync(file)).toString('utf8').trim().split('\n')
  return lines.map((line): unknown => JSON.parse(line)).filter(isObject)
}
