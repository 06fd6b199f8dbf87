/** What a wiki says of itself, read without trusting its shape: the guards that its decoders share. */

/** A JSON object as `JSON.parse` gives it. */
export type Json = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** formatversion 1 marks true by `""`, formatversion 2 by `true`. */
export const flag = (value: unknown): boolean => value === '' || value === true

/** The items of an array, or of the numbered object that formatversion 1 writes for some. */
export const list = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []
