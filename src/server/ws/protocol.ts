import { type ExecutionArgs, GraphQLError } from 'graphql'
import { type Context, makeServer, type Server, type SubscribePayload } from 'graphql-ws'
import { createRequestId } from '../../engine/telemetry/requestId.ts'
import { SignalSource } from '../../kit/clock/signal.ts'
import type { Client } from '../clients/client.ts'
import { limitError } from '../clients/limitError.ts'
import type { TransportServices } from '../http/transportServices.ts'
import { requestError, withoutHttp } from '../operation/formatError.ts'
import type { Operation, OperationResult } from '../operation/operation.ts'
import type { Pipeline } from '../operation/pipeline.ts'
import { resultText } from '../operation/result.ts'
import { payloadElsewhere, withDocumentId } from './messages.ts'

/** The client of a new socket. */
export interface SocketClient {
  readonly client: Client
  /** Counts the socket as one of another client. False if that client has too many. */
  readonly moveTo: (other: Client) => boolean
}

/** An operation that is open on a socket. */
interface OpenOperation {
  readonly signal: SignalSource
  /** Ends the count of it among what its client has open. */
  readonly release: () => void
}

/** The client of one socket, and its open operations. */
export interface SocketState {
  client: Client
  readonly moveTo: SocketClient['moveTo']
  readonly operations: Map<string, OpenOperation>
  /** The ids that the protocol has open. An operation that its client has ended is not among them. */
  open: Readonly<Record<string, unknown>>
  /** The texts of results that the protocol is about to send, by the id of their operation. */
  readonly payloads: Map<string, string>
  readonly close: (code: number, reason: string) => void
}

type ProtocolServices = Pick<TransportServices, 'schema' | 'identify' | 'onRefusal' | 'formatError' | 'clock' | 'quota'>

type Params = Record<string, unknown>
type SocketContext = Context<Params, SocketState>

/**
 * The graphql-transport-ws protocol. Each operation runs in the pipeline, with a signal of its own. No hook throws:
 * an error thrown there would close the socket with all its operations.
 */
export function createProtocol(services: ProtocolServices, pipeline: Pipeline): Server<SocketState> {
  // The protocol passes on the arguments that `onSubscribe` returned, as the same object.
  const operations = new WeakMap<object, Operation>()
  const run = async (args: object): Promise<OperationResult> => (await operations.get(args)?.run(true)) ?? {}

  return makeServer<Params, SocketState>({
    onConnect: (context) => identifyClient(context, services),
    onSubscribe({ subscriptions, extra }, id, payload) {
      extra.open = subscriptions
      const prepared = prepare(id, payload, extra, services, pipeline)
      if ('errors' in prepared) return prepared.errors
      const { operation, signal, release } = prepared
      extra.operations.set(id, { signal, release })
      const args: ExecutionArgs = {
        schema: services.schema,
        document: operation.document,
        operationName: payload.operationName ?? null,
      }
      operations.set(args, operation)
      return args
    },
    execute: run,
    subscribe: run,
    onNext({ extra }, id, _payload, _args, result) {
      const { errors } = result
      const sent = errors ? { ...result, errors: errors.map(withoutHttp) } : result
      extra.payloads.set(id, resultText(sent))
      return payloadElsewhere
    },
    // The protocol wraps an error that ends a stream in another one, which has no place.
    onError: (_context, _id, _payload, errors) =>
      errors.map((error) => withoutHttp(error.originalError instanceof GraphQLError ? error.originalError : error)),
    onComplete: ({ extra }, id) => void forget(extra, id),
  })
}

/** Identifies the client by its first message. False, and the end of the socket, for a client that is refused. */
function identifyClient(
  { connectionParams = {}, extra }: SocketContext,
  { identify, onRefusal }: ProtocolServices,
): boolean {
  const client = identify.ofPayload(extra.client, connectionParams)
  if (client === undefined) {
    // After this code, clients do not connect again.
    extra.close(4401, 'Invalid or missing API key')
    return false
  }
  if (client.key !== extra.client.key && !extra.moveTo(client)) {
    onRefusal('open_per_client')
    extra.close(1013, 'Too many open streams for this client')
    return false
  }
  extra.client = client
  return true
}

/** The most characters of the id of an operation. It is sent with each event. */
const maxIdLength = 1_000

/** Prepares an operation, unless its id is too long or its client has too much open. */
function prepare(
  id: string,
  payload: SubscribePayload,
  { client }: SocketState,
  { formatError, clock, quota, identify }: ProtocolServices,
  pipeline: Pipeline,
) {
  const requestId = createRequestId()
  if (id.length > maxIdLength) {
    const message = `The id of an operation must have at most ${maxIdLength} characters.`
    return { errors: [formatError(requestError(message, 'BAD_USER_INPUT'), requestId)] }
  }
  // The keys can have changed since the socket was opened.
  const refusal = identify.refusalOf(client)
  if (refusal !== undefined) return { errors: [formatError(requestError(refusal, 'UNAUTHENTICATED'), requestId)] }
  const release = quota.acquire(client.key)
  if (!release) {
    const message = 'This client has too many operations and streams open. End one of them first.'
    const error = limitError('open_per_client', message, { code: 'RATE_LIMITED' })
    return { errors: [formatError(error, requestId)] }
  }
  const signal = new SignalSource()
  const operation = pipeline.prepare(withDocumentId(payload), {
    client,
    arrivedAt: clock.now(),
    signal,
    requestId,
  })
  if (!('errors' in operation)) return { operation, signal, release }
  release()
  return operation
}

/** Aborts the operations that the client has ended. The protocol itself stops only streams. */
export function abortEnded(state: SocketState): void {
  for (const id of state.operations.keys()) if (!(id in state.open)) forget(state, id)?.signal.abort()
}

/** Forgets an operation that has ended, and gives it if it was open. */
function forget({ operations }: Pick<SocketState, 'operations'>, id: string): OpenOperation | undefined {
  const ended = operations.get(id)
  operations.delete(id)
  ended?.release()
  return ended
}
