/** The formats that `export` writes. */
import type { ExportFormat } from '../exchange/exported-exchange.ts'
import { har } from './har/write.ts'
import { nock } from './nock/write.ts'
import { talkback } from './talkback/write.ts'
import { vcr } from './vcr/write.ts'
import { vcrpy } from './vcrpy/write.ts'

export const exportFormats: readonly ExportFormat[] = [har, nock, vcrpy, vcr, talkback]
