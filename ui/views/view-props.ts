/** What a view of cassettes is given: the one that is open, all that are there, and the parameters of its address. */
export interface ViewProps {
  readonly cassette: string
  readonly cassettes: readonly string[]
  readonly params: URLSearchParams
}
