/** The formats that `export` writes. */
import type { ExportFormat } from './exported.ts'
import { har } from './har.ts'
import { nock } from './nock.ts'
import { talkback } from './talkback.ts'
import { vcr } from './vcr.ts'
import { vcrpy } from './vcrpy.ts'

export const exportFormats: readonly ExportFormat[] = [har, nock, vcrpy, vcr, talkback]
