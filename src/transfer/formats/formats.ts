/** The formats that `import` reads, and those that `export` writes. */
import type { FormatReader, FormatWriter } from '../exchange/exchanges.ts'
import { harReader, harWriter } from './har.ts'
import { nockReader, nockWriter } from './nock.ts'
import { talkbackReader, talkbackWriter } from './talkback.ts'
import { exvcrReader, vcrpyReader, vcrReader } from './vcr-reader.ts'
import { vcrpyWriter, vcrWriter } from './vcr-writer.ts'
import { wiremockReader } from './wiremock.ts'

const jsonReaders = [exvcrReader, nockReader, talkbackReader, wiremockReader]
export const formatReaders: readonly FormatReader[] = [
  harReader,
  vcrpyReader,
  vcrReader,
  ...jsonReaders
]

export const formatWriters: readonly FormatWriter[] = [
  harWriter,
  nockWriter,
  vcrpyWriter,
  vcrWriter,
  talkbackWriter
]
