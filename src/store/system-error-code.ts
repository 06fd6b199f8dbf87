/** The code of a system error, e.g. `ENOSPC`, else an empty text. Not by `instanceof`: in test runners `Error` is of another realm. */
export const systemErrorCode = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : ''
