/** The code of a system error, e.g. `ENOSPC`. Not `instanceof`: test runners run modules in a realm with another `Error`. */
export const systemErrorCode = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : ''
