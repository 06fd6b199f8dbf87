/** Counted things in messages. */

/** `1 request`, `2,000 requests`. @param nouns where they are not made with an s */
export const plural = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${formatCount(count)} ${count === 1 ? noun : nouns}`

/**
 * `2,000`: English, whatever the machine's language.
 * Not by `toLocaleString`, whose tables take a tenth of a short verb's time to load.
 * @param count a whole number
 */
export const formatCount = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
