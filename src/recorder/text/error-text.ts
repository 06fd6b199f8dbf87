/** The message and the code of whatever was thrown; and what is given in its place. */
export const errorText = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

/** Whatever was thrown, as an Error. */
export const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error))

export const systemErrorCode = (error: unknown): string =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  typeof error.code === 'string'
    ? error.code
    : ''

/** What was read, or something else where reading throws. */
export function readOrElse<T>(fallback: T, read: () => T): T {
  try {
    return read()
  } catch {
    return fallback
  }
}
