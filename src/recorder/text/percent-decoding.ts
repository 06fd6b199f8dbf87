/** Percent-decoding that never throws: a text with a broken escape stays unchanged. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The same for forms and query strings, where a plus sign is a space. */
export const decodeQuery = (text: string): string =>
  decodePercent(text.replaceAll('+', ' '))

/** Decodes letters of any script in a query string; what has a meaning in a URL stays encoded. */
export const readableQuery = (query: string): string =>
  query.replace(/(?:%[0-9A-F]{2})+/g, (bytes) => {
    const text = Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8')
    if (text.includes('\ufffd')) return bytes
    return [...text]
      .map((letter) =>
        /[\p{L}\p{N}\p{M}]/u.test(letter) ? letter : encodeURIComponent(letter)
      )
      .join('')
  })
