/** The code of a system error, e.g. `ECONNRESET`; its message where it has none. Not `instanceof`: test runners run modules in a realm with another `Error`. */
export function failureCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error)
  if ('code' in error) return String(error.code)
  return 'message' in error ? String(error.message) : String(error)
}
