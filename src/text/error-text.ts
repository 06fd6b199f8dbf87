/** The message and the code of whatever was thrown. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export const systemErrorCode = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : ''
