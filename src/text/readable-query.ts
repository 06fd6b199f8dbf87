/** Letters of other scripts as they are; what means something in a URL stays encoded. */
export const readableQuery = (query: string): string =>
  query.replace(/(?:%[0-9A-F]{2})+/g, (bytes) => {
    const text = Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8')
    if (text.includes('\ufffd')) return bytes
    return [...text]
      .map((letter) => (/[\p{L}\p{N}\p{M}]/u.test(letter) ? letter : encodeURIComponent(letter)))
      .join('')
  })
