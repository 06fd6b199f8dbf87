/** A question that a page may not ask, or asks wrongly: its status, and what was expected. */
export class BadRequest extends Error {
  readonly status: 400 | 404 | 405 | 413 | 503
  readonly code: string

  constructor(status: BadRequest['status'], code: string, info: string) {
    super(info)
    this.status = status
    this.code = code
  }
}
