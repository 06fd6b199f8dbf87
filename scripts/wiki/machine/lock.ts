/** One command line at a time works on a wiki; a second waits, and one that was killed is no hindrance. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { markOf, readLiveMark } from './process.ts'

export async function withLock<T>(
  file: string,
  waiting: (pid: number) => void,
  work: () => Promise<T>
): Promise<T> {
  await mkdir(dirname(file), { recursive: true })
  let told = false
  while (!(await take(file))) {
    const holder = await readLiveMark(file)
    if (holder === undefined) {
      // Left by a process that was killed; the moment lets one that is just being written be finished.
      await new Promise((settle) => setTimeout(settle, 200))
      if ((await readLiveMark(file)) === undefined) await rm(file, { force: true })
      continue
    }
    if (!told) waiting(holder.pid)
    told = true
    await new Promise((settle) => setTimeout(settle, 300))
  }
  try {
    return await work()
  } finally {
    await rm(file, { force: true })
  }
}

async function take(file: string): Promise<boolean> {
  const mark = JSON.stringify(await markOf(process.pid))
  return writeFile(file, mark, { flag: 'wx' }).then(
    () => true,
    () => false
  )
}
