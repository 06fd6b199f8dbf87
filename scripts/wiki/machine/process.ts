/** Processes by id and start time: an id alone may have been given to another process since. */
import { readFile } from 'node:fs/promises'

export interface ProcessMark {
  readonly pid: number
  readonly started: string
  /** The port that it serves, for a server. */
  readonly port?: number
}

export async function markOf(pid: number): Promise<ProcessMark> {
  return { pid, started: (await startOf(pid)) ?? '' }
}

export async function isAlive(mark: ProcessMark): Promise<boolean> {
  return (await startOf(mark.pid)) === mark.started
}

/** The process that a file of JSON names, when it is still alive. */
export async function readLiveMark(file: string): Promise<ProcessMark | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  const mark = text === undefined ? undefined : parseMark(text)
  return mark !== undefined && (await isAlive(mark)) ? mark : undefined
}

/** A file that was cut off by a kill names no process. */
function parseMark(text: string): ProcessMark | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isMark(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isMark(value: unknown): value is ProcessMark {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    typeof value.pid === 'number' &&
    'started' in value &&
    typeof value.started === 'string' &&
    (!('port' in value) || typeof value.port === 'number')
  )
}

/** In clock ticks since boot, field 22 of its stat line; undefined when the process is no more. */
async function startOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat === undefined) return undefined
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' ? undefined : fields[19]
}
