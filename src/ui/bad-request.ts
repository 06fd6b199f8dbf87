/** A request of a page that fails: its HTTP status, and a message that says what was expected. */
export class BadRequest extends Error {
  readonly status: 400 | 404 | 405 | 413 | 503
  readonly code: string

  constructor(status: BadRequest['status'], code: string, info: string) {
    super(info)
    this.status = status
    this.code = code
  }
}
