/** The formats that `export` writes. */
import type { FormatWriter } from '../exchange/exported-exchange.ts'
import { harWriter } from './har/write.ts'
import { nockWriter } from './nock/write.ts'
import { talkbackWriter } from './talkback/write.ts'
import { vcrpyWriter, vcrWriter } from './vcr/write.ts'

export const formatWriters: readonly FormatWriter[] = [
  harWriter,
  nockWriter,
  vcrpyWriter,
  vcrWriter,
  talkbackWriter,
]
