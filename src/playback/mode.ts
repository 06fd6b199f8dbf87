/** The modes of VCR: when the cassette answers, and when the wiki's answers are recorded. */
export const modes = ['none', 'once', 'new_episodes', 'all', 'update', 'passthrough'] as const

export type Mode = (typeof modes)[number]

export const parseMode = (text: string | undefined): Mode | undefined => modes.find((mode) => mode === text)

/** From the one that changes nothing to the one that deletes. */
const byReach: readonly Mode[] = ['none', 'passthrough', 'once', 'new_episodes', 'all', 'update']

/** The mode of a request that names its own: it can narrow the run's mode, not widen it. */
export const narrowMode = (run: Mode, requested: Mode): Mode =>
  byReach.indexOf(requested) <= byReach.indexOf(run) ? requested : run

export const mayAskWiki = (mode: Mode): boolean => mode !== 'none'

/** What replay does with a request that was not recorded. (Its HTTP status: `missStatus` in engine/engine-options.ts.) */
export const missPolicies = ['synthesize', 'error'] as const

export type MissPolicy = (typeof missPolicies)[number]
