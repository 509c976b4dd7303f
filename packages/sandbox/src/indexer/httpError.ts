/** A response with a status other than 200. The message is the plain-text body. */
export class HttpError extends Error {
  readonly status: number

  constructor(status: number, body: string) {
    super(body)
    this.status = status
  }
}

/** The response of the indexer to any internal error. */
export function internalError(): HttpError {
  return new HttpError(500, 'Internal Server Error')
}
