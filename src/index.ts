/** The public interface of the package: a replaying or recording server for a program's own tests. */

export type { Miss } from './engine/miss/miss-reply.ts'
export type { Counts } from './engine/run-summary.ts'
export { type Mode, modes } from './playback/decide.ts'
export type { Difference, MissReason, NearMiss } from './playback/lookup/near-miss.ts'
export {
  type RecordOptions,
  type ServeOptions,
  type Serving,
  startRecording,
  startReplay,
} from './program/start.ts'
export { StoreError, type StoreFault } from './store/store-error.ts'
