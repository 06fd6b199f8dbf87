/** The formats that `import` reads, and those that `export` writes. */
import type { FormatWriter } from '../exchange/exported-exchange.ts'
import type { FormatReader } from '../exchange/imported-exchange.ts'
import { exvcrReader } from './exvcr/read.ts'
import { harReader } from './har/read.ts'
import { harWriter } from './har/write.ts'
import { nockReader } from './nock/read.ts'
import { nockWriter } from './nock/write.ts'
import { talkbackReader } from './talkback/read.ts'
import { talkbackWriter } from './talkback/write.ts'
import { vcrpyReader, vcrReader } from './vcr/read.ts'
import { vcrpyWriter, vcrWriter } from './vcr/write.ts'
import { wiremockReader } from './wiremock/read.ts'

const jsonReaders = [exvcrReader, nockReader, talkbackReader, wiremockReader]
export const formatReaders: readonly FormatReader[] = [harReader, vcrpyReader, vcrReader, ...jsonReaders]

export const formatWriters: readonly FormatWriter[] = [
  harWriter,
  nockWriter,
  vcrpyWriter,
  vcrWriter,
  talkbackWriter,
]
