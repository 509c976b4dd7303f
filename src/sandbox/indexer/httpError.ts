/** An answer other than 200; the message is the whole plain-text body. */
export class HttpError extends Error {
  readonly status: number

  constructor(status: number, body: string) {
    super(body)
    this.status = status
  }
}

/** What the indexer says to every fault of its own. */
export function internalError(): HttpError {
  return new HttpError(500, 'Internal Server Error')
}
