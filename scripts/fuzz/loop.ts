/** Fuzzing in a thread of its own, so that the other one can tell a hang. */
import { parentPort, workerData } from 'node:worker_threads'
import { Coverage } from './coverage.ts'
import { drawFrom, mutate } from './mutate.ts'
import { rawHttp } from './raw-http.ts'
import { lateReaders, readers } from './readers.ts'
import { seeds } from './seeds.ts'

/** What the thread tells: where it is, and what it has found. */
export type Told =
  | {
      readonly kind: 'round'
      readonly inputs: number
      readonly corpus: number
      readonly blocks: number
      /** Inputs of each reader. */
      readonly tries: readonly number[]
    }
  | {
      readonly kind: 'crash'
      readonly reader: string
      readonly input: string
      readonly why: string
    }

export interface Task {
  readonly seed: number
  readonly until: number
  readonly most: number
  /** Shared: the reader that is at work, and since how many inputs. */
  readonly place: SharedArrayBuffer
}

const tell = (told: Told): void => parentPort?.postMessage(told)
/** Inputs between two looks at the counters; fewer for the two that cost ten times as much, sockets and YAML. */
const roundOf = (reader: string): number =>
  reader === 'raw HTTP' || reader === 'import' ? 25 : 250

async function fuzz({ seed, until, most, place }: Task): Promise<void> {
  const draw = drawFrom(seed)
  const at = new Int32Array(place)
  const coverage = new Coverage()
  const all = [...readers, ...lateReaders, ['raw HTTP', await rawHttp()] as const]
  const corpora = all.map(() => [...seeds])
  const tries = all.map(() => 0)
  let inputs = 0
  const tryOne = async (which: number, input: string): Promise<void> => {
    const [name = '', read] = all[which] ?? []
    inputs += 1
    tries[which] = (tries[which] ?? 0) + 1
    Atomics.store(at, 0, which)
    Atomics.add(at, 1, 1)
    try {
      await read?.(input)
    } catch (error) {
      tell({
        kind: 'crash',
        reader: name,
        input,
        why: error instanceof Error ? (error.stack ?? '') : String(error)
      })
    }
  }
  while (Date.now() < until && inputs < most) {
    // Sockets are slow: the other readers have ten rounds for one of theirs.
    const which = draw(12) === 0 ? all.length - 1 : draw(all.length - 1)
    const corpus = corpora[which] ?? []
    const pick = (): string => corpus[draw(corpus.length)] ?? ''
    const length = roundOf(all[which]?.[0] ?? '')
    const tried = Array.from({ length }, () => mutate(pick(), pick(), draw))
    for (const input of tried) await tryOne(which, input)
    if (coverage.hasGrown()) corpus.push(...tried.filter((_, index) => index % 5 === 0))
    if (corpus.length > 3000) corpus.splice(seeds.length, 1000)
    tell({
      kind: 'round',
      inputs,
      corpus: corpora.reduce((sum, one) => sum + one.length, 0),
      blocks: coverage.blocks,
      tries
    })
  }
}

await fuzz(workerData as Task)
process.exit(0)
