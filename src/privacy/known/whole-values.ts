/** The whole values of a text: what stands between quotes, tags, signs of query strings, and line ends. */

/** What may stand before and after a value that is one by itself. */
const wholeValue =
  /(?<=^|["'=>:[,(|]|[:,[=]\s|\n\s{0,64})[^\s"'<>&;,=:()[\]{}|\\]{4,512}(?=={0,2}(?:$|["'<&;,)\]}|])|\s*[\n\]}])/g

/** Values of four characters and more. Numbers inside of prose are none. */
export function* wholeValues(text: string): Generator<string> {
  for (const [value] of text.matchAll(wholeValue)) yield value
}
