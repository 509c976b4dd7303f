import type { IncomingMessage } from 'node:http'
import { SignalSource } from '../../kit/clock/signal.ts'
import type { Client } from '../clients/client.ts'
import { limitError } from '../clients/limitError.ts'
import { requestError } from '../operation/formatError.ts'
import { costHeader, type Sender } from '../operation/sender.ts'
import type { ConnectionQuota } from './connections.ts'
import { acceptedRanges } from './mediaType.ts'
import type { Reply } from './reply.ts'
import type { TransportServices } from './transportServices.ts'
import type { RequestStep, SentExchange, WholeExchange } from './way.ts'

/** Names the sender of the operation. Its time begins now. */
export const nameSender =
  ({ quota, clock }: Pick<TransportServices, 'quota' | 'clock'>): RequestStep<WholeExchange, SentExchange> =>
  ({ request, reply, client, body }, next) =>
    next({ request, reply, body, sender: createSender(request, reply, { client, quota, arrivedAt: clock.now() }) })

/** The sender of the operation in an HTTP request: what it may run, and what its streams count towards. */
export function createSender(
  request: IncomingMessage,
  { response, requestId }: Reply,
  options: { client: Client; quota: ConnectionQuota; arrivedAt: number },
): Sender {
  const { client, quota, arrivedAt } = options
  const signal = new SignalSource()
  response.on('close', () => {
    if (!response.writableFinished) signal.abort()
  })
  return {
    client,
    signal,
    arrivedAt,
    headers: request.headers,
    requestId,
    lastEventId: lastEventIdOf(request),
    wantsCost: request.headers[costHeader] === '1',

    refuse(type) {
      if (type === 'mutation' && request.method === 'GET') {
        return requestError('Use POST for mutations.', 'BAD_USER_INPUT', {
          status: 405,
          headers: { allow: 'POST' },
        })
      }
      if (type === 'subscription' && !acceptsEvents(request.headers.accept)) {
        return requestError('Use `Accept: text/event-stream` or a WebSocket for subscriptions.', 'BAD_USER_INPUT', {
          status: 406,
        })
      }
      return undefined
    },

    reserve() {
      const release = quota.acquire(client.key)
      if (!release) {
        return limitError('open_per_client', 'Too many open streams for this client.', {
          code: 'RATE_LIMITED',
          http: { status: 429 },
        })
      }
      if (signal.aborted) release()
      else response.once('close', release)
      return undefined
    },
  }
}

/** Browsers send it by themselves when they open an event stream again. */
function lastEventIdOf({ headers }: IncomingMessage): string | undefined {
  const id = headers['last-event-id']
  return typeof id === 'string' && id !== '' ? id : undefined
}

/** Whether an `Accept` header allows server-sent events, in UTF-8. */
const acceptsEvents = (accept = '*/*'): boolean =>
  acceptedRanges(accept).some((range) => {
    const [type = '', ...parameters] = range.split(';')
    const charset = parameters.find((parameter) => parameter.startsWith('charset='))
    return (
      ['text/event-stream', 'text/*', '*/*'].includes(type) && (charset === undefined || charset === 'charset=utf-8')
    )
  })
