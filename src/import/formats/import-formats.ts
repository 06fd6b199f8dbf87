/** The formats that `import` reads. */
import type { FormatReader } from '../exchange/imported-exchange.ts'
import { exvcrReader } from './exvcr/read.ts'
import { harReader } from './har/read.ts'
import { nockReader } from './nock/read.ts'
import { talkbackReader } from './talkback/read.ts'
import { vcrpyReader, vcrReader } from './vcr/read.ts'
import { wiremockReader } from './wiremock/read.ts'

export const formatReaders: readonly FormatReader[] = [
  harReader,
  vcrpyReader,
  vcrReader,
  exvcrReader,
  nockReader,
  talkbackReader,
  wiremockReader,
]
