/** What a wiki says of itself, read without trusting its shape: the guards that its decoders share. */

import { isPlainObject } from '../json/plain-json.ts'

export const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** formatversion 1 marks true by `""`, formatversion 2 by `true`. */
export const asFlag = (value: unknown): boolean => value === '' || value === true

/** The items of an array, or of the numbered object that formatversion 1 writes for some. */
export const asItems = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isPlainObject(value) ? Object.values(value) : []
