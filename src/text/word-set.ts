/** The words of a text, each once: how long lists of names are written down. */
export const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))
