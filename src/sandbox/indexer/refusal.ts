/** An answer other than 200; the message is the whole plain-text body. */
export class Refusal extends Error {
  readonly status: number

  constructor(status: number, body: string) {
    super(body)
    this.status = status
  }
}

/** What the indexer says to every fault of its own. */
export function serverFault(): Refusal {
  return new Refusal(500, 'Internal Server Error')
}
