/** Programs that were answered wrongly once. */
import { inOrder } from './in-order.ts'
import type { Known } from './known.ts'
import { whileRecording } from './recording.ts'
import { rights } from './rights.ts'
import { inVariants } from './varied.ts'

/** Those that need an extension run on the versions that have it; elsewhere they are refused, which is compared as well. */
export const knownPrograms: readonly Known[] = [
  ...rights,
  ...whileRecording,
  ...inVariants,
  ...inOrder
]
