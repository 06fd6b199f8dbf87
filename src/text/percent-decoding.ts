/** Percent-decoding that never throws: a text with a broken escape stays as it is. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The same for forms and query strings, where a plus sign is a space. */
export const decodeQuery = (text: string): string => decodePercent(text.replaceAll('+', ' '))
