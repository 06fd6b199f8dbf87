/** The public interface of the package: a replaying or recording server for a program's own tests. */

import './supported-node.ts'

export {
  type RecordOptions,
  type ServeOptions,
  type Serving,
  startRecording,
  startReplay
} from './integrations/program/start.ts'
export type { Miss } from './recorder/engine/miss/miss-reply.ts'
export type { Counts } from './recorder/engine/run-summary.ts'
export { type Mode, modes } from './recorder/playback/decide.ts'
export type {
  Difference,
  MissReason,
  NearMiss
} from './recorder/playback/lookup/near-miss.ts'
export { StoreError, type StoreFault } from './recorder/store/store-error.ts'
