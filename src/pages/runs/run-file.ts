/** A run in a file, for later: one line of JSON a request, as the pages show it. No bodies, which are in the cassettes. */
import { appendFileSync } from 'node:fs'
import type { EngineRegistry } from '../../recorder/engine/registry/engine-registry.ts'
import type { NumberedEntry } from '../../recorder/engine/request-log.ts'
import { isPlainObject, tryParsePlain } from '../../recorder/json/plain-json.ts'
import { escapeControls } from '../../recorder/text/escape-control-characters.ts'
import type { RunLine } from '../run-views.ts'
import { requestView, sentRequestView } from '../sent-request.ts'
import { missView } from './miss-view.ts'
import type { ShownRun } from './shown-run.ts'

/** Appends each request of the engines to the file. @param test whose requests these are. @returns stops writing */
export function writeRun(
  file: string,
  engines: EngineRegistry,
  { test = '', report }: { readonly test?: string; report: (line: string) => void }
): () => void {
  const stop = engines.feed.subscribe((one) => {
    try {
      appendFileSync(file, `${textOf(lineOf(one, engines, test))}\n`, { mode: 0o600 })
    } catch (error) {
      // A full disk must not keep the client from its answer.
      stop()
      report(`the run is no longer written: cannot write ${file}: ${String(error)}`)
    }
  })
  return stop
}

const textOf = (line: RunLine) => escapeControls(JSON.stringify(line))

function lineOf(one: NumberedEntry, engines: EngineRegistry, test: string) {
  const line = { ...requestView(one), test, sent: sentRequestView(one.entry) }
  const { key } = one.entry.reply
  if (line.outcome !== 'miss' || key === undefined) return line
  const views = engines.all().flatMap(({ store, summary }) => {
    const miss = store.dir === one.entry.cassette ? summary.misses.get(key) : undefined
    return miss ? missView(miss, line.cassette, store) : []
  })
  return { ...line, miss: views[0] }
}

/** The requests of a file in order, numbered from 1 on; instead the number of a line that is none. What a run that was killed has not written to its end is left out. */
export function readRun(text: string): readonly RunLine[] | number {
  const lines = text.split('\n').slice(0, -1)
  const read = lines.map((line, at) => readLine(line, at + 1))
  const wrong = read.indexOf(undefined)
  return wrong < 0 ? read.filter((one) => one !== undefined) : wrong + 1
}

/** Its members may be anything: the pages look at each. */
function readLine(text: string, id: number) {
  const value = tryParsePlain(text)
  const isRead = isPlainObject(value) && isPlainObject(value['sent'])
  return isRead ? ({ ...value, id } as unknown as RunLine) : undefined
}

/** @param name of the file */
export function runOfFile(name: string, lines: readonly RunLine[]): ShownRun {
  const misses = new Map(
    lines.flatMap(({ miss }) => (miss ? [[`${miss.cassette} ${miss.key}`, miss]] : []))
  )
  return {
    name,
    since: (id) => lines.slice(id),
    sent: (id) => lines[id - 1]?.sent,
    misses: () => [...misses.values()],
    used: (cassette) =>
      lines.flatMap(({ cassette: own, key, from, test, outcome }) =>
        own === cassette && outcome !== 'miss' ? { keys: [key, ...from], test } : []
      )
  }
}
