/** Whole values in a text: between quotes, tags, separators of query strings, and line ends. */
const wholeValue =
  /(?<=^|["'=>:[,(|]|[:,[=]\s|\n\s{0,64})[^\s"'<>&;,=:()[\]{}|\\]{4,512}(?=={0,2}(?:$|["'<&;,)\]}|])|\s*[\n\]}])/g

/** Values of four characters and more, not numbers inside of prose. */
export function* wholeValues(text: string): Generator<string> {
  for (const [value] of text.matchAll(wholeValue)) yield value
}
