/** Values of the API's JSON in either formatversion, of unknown shape. */
import { isPlainObject } from '../json/plain-json.ts'

export const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** True is `""` in formatversion 1, and `true` in formatversion 2. */
export const asFlag = (value: unknown): boolean => value === '' || value === true

/** The items of an array, or of the numbered object that formatversion 1 writes for some. */
export const asItems = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isPlainObject(value) ? Object.values(value) : []
