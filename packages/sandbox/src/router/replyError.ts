import type { Reply } from '../http.ts'

/** An error with the reply to send. */
export class ReplyError extends Error {
  readonly reply: Reply

  constructor(reply: Reply) {
    super(`status ${reply.status}`)
    this.reply = reply
  }
}

/** The error body of the router: a gRPC code, a message and, for rejected prices, a machine-readable reason. */
export function rpcError(status: number, code: number, message: string, reason?: string): ReplyError {
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

/** A well-formed request that the router rejects: status 400 with code 3 (INVALID_ARGUMENT). */
export function invalidArgument(message: string): ReplyError {
  return rpcError(400, 3, message)
}

/** A body with missing or malformed fields: status 400 with one message for each. */
export function validationError(messages: readonly string[]): ReplyError {
  return new ReplyError({
    status: 400,
    json: { statusCode: 400, message: messages, error: 'Bad Request' },
  })
}
