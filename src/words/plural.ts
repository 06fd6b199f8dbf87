/** Counted things in messages. */

/** `1 request`, `2,000 requests`. @param nouns where they are not made with an s */
export const plural = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? noun : nouns}`
