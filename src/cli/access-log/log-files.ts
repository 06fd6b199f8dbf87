/** The lines of access logs, gzipped or not; streamed, since logs may be larger than the memory. */
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { errorText } from '../../text/error-text.ts'
import { UsageError } from '../args/command.ts'

/** Longer lines are no request: web servers refuse long before. */
const maxLineLength = 65_536

/** Many lines at a time, one character a byte; one that is too long is empty. @param name for messages. @throws UsageError */
export async function* logLines(
  input: AsyncIterable<Buffer>,
  name: string,
): AsyncGenerator<readonly string[]> {
  let rest = ''
  let isTooLong = false
  try {
    for await (const chunk of unpacked(input[Symbol.asyncIterator]())) {
      const lines = (rest + chunk.toString('latin1')).split('\n')
      rest = lines.pop() ?? ''
      if (isTooLong && lines.length > 0) lines[0] = ''
      isTooLong = (isTooLong && lines.length === 0) || rest.length > maxLineLength
      if (isTooLong) rest = ''
      yield lines
    }
  } catch (error) {
    const isPacked = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
    const why = isPacked ? 'its gzip data is cut or damaged: ' : ''
    throw new UsageError(`cannot read ${name}: ${why}${errorText(error)}`)
  }
  if (rest !== '' || isTooLong) yield [rest]
}

/** Gzip is seen by its first bytes, whatever the name says. */
async function* unpacked(chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  const first = await chunks.next()
  async function* all(): AsyncGenerator<Buffer> {
    for (let next = first; next.done !== true; next = await chunks.next()) yield next.value
  }
  const isPacked = first.done !== true && first.value[0] === 0x1f && first.value[1] === 0x8b
  yield* isPacked ? pipeline(all, createGunzip(), () => undefined) : all()
}
