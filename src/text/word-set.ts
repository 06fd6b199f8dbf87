/** A set of words, for tables: `wordSet('red green blue')`; any white space separates. */
export const wordSet = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))
