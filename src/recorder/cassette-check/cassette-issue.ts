/** One issue of a cassette, as `check` reports it; `kind` is for programs. */
export interface CassetteIssue {
  readonly kind:
    | 'unreadable'
    | 'misnamed'
    | 'doubled'
    | 'secret'
    | 'conflict'
    | 'unused'
    | 'expired'
    | 'orphan'
  readonly file: string
  readonly what: string
  /** Of a text that only looks like a secret: what a person may judge to be harmless. */
  readonly judgeable?: {
    readonly file: string
    readonly where: string
    readonly digest: string
  }
}
