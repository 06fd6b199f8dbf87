/** The public interface of the package: a replaying or recording server for a program's own tests. */
export { type Mode, modes } from './playback/mode.ts'
export type { Difference, MissReason, NearMiss } from './playback/near-miss.ts'
export {
  type RecordOptions,
  type ServeOptions,
  type Serving,
  startRecording,
  startReplay,
} from './program/start.ts'
export type { Miss } from './proxy/miss.ts'
export type { Counts } from './proxy/summary.ts'
export { StoreError, type StoreFault } from './store/errors.ts'
