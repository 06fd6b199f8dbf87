/** The code of a system error, e.g. `ECONNRESET`, or its message. Not by `instanceof`: test runners have realms with another `Error`. */
export function failureCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error)
  if ('code' in error) return String(error.code)
  return 'message' in error ? String(error.message) : String(error)
}
