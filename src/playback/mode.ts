/** VCR's words for when a cassette is recorded into. */
export const modes = ['none', 'once', 'new_episodes', 'all', 'update', 'passthrough'] as const

export type Mode = (typeof modes)[number]

export const parseMode = (text: string | undefined): Mode | undefined => modes.find((mode) => mode === text)

/** From what touches nothing to what deletes. */
const byReach: readonly Mode[] = ['none', 'passthrough', 'once', 'new_episodes', 'all', 'update']

/** The mode for one request that wishes for another than the run's: it can only be narrower, or the run's own. */
export const narrowMode = (run: Mode, requested: Mode): Mode =>
  byReach.indexOf(requested) <= byReach.indexOf(run) ? requested : run

/** True where the mode may ask the wiki. */
export const mayAskWiki = (mode: Mode): boolean => mode !== 'none'
