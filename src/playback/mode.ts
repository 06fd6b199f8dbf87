/** VCR's words for when a cassette is recorded into. */
export const modes = ['none', 'once', 'new_episodes', 'all', 'update', 'passthrough'] as const

export type Mode = (typeof modes)[number]

export const asMode = (text: string | undefined): Mode | undefined => modes.find((mode) => mode === text)

/** True where the mode may ask the wiki. */
export const goesOut = (mode: Mode): boolean => mode !== 'none'
