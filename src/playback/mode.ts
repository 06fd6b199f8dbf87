/** VCR's words for when a cassette is recorded into. */
export const modes = ['none', 'once', 'new_episodes', 'all', 'update', 'passthrough'] as const

export type Mode = (typeof modes)[number]

export const asMode = (text: string | undefined): Mode | undefined => modes.find((mode) => mode === text)

/** From what touches nothing to what deletes. */
const reach: readonly Mode[] = ['none', 'passthrough', 'once', 'new_episodes', 'all', 'update']

/** The mode for one request that wishes for another than the run's: it can only be narrower, or the run's own. */
export const narrowed = (run: Mode, wish: Mode): Mode =>
  reach.indexOf(wish) <= reach.indexOf(run) ? wish : run

/** True where the mode may ask the wiki. */
export const goesOut = (mode: Mode): boolean => mode !== 'none'
