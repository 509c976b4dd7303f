import type { Reply } from '../http.ts'

/** Ends a request with the reply it carries. */
export class ReplyError extends Error {
  readonly reply: Reply

  constructor(reply: Reply) {
    super('refused')
    this.reply = reply
  }
}

/** The router's own error body: a gRPC code, a text and, for refused prices, a machine-readable reason. */
export function rpcError(
  status: number,
  code: number,
  message: string,
  reason?: string,
): ReplyError {
  const details =
    reason === undefined
      ? []
      : [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason,
            domain: 'skip.build',
            metadata: {},
          },
        ]
  return new ReplyError({ status, json: { code, message, details } })
}

/** A well-formed request the router will not do: 400 with code 3. */
export function invalidArgument(message: string): ReplyError {
  return rpcError(400, 3, message)
}

/** A body whose fields are missing or of the wrong form, one complaint per field. */
export function validationError(complaints: readonly string[]): ReplyError {
  return new ReplyError({
    status: 400,
    json: { statusCode: 400, message: complaints, error: 'Bad Request' },
  })
}
