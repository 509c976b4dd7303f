import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql'
import type { SharedContext } from '../../../graphql/builder.ts'
import type { Clock } from '../../../kit/clock/clock.ts'
import type { OperationEvent, Telemetry } from '../../../telemetry/telemetry.ts'
import type { Tracing } from '../../../telemetry/tracing/tracing.ts'
import { badInput } from '../../../upstream/error.ts'
import type { RequestScope } from '../../../upstream/requestScope.ts'
import type { Client, CostBudget, TracedClient } from '../client.ts'
import type { Executor } from '../compiled/executor.ts'
import { createCostCheck } from '../cost/checkCost.ts'
import { createDocuments } from '../documents/documents.ts'
import {
  createDocumentTexts,
  type DocumentRequest,
  type TrustedDocuments,
} from '../documents/documentTexts.ts'
import type { FormatError } from '../formatError.ts'
import { isPromise } from '../isPromise.ts'
import type { HeavyOperations } from './heavyOperations.ts'
import { createRunner, type ScopedResult, tooBusy } from './runner.ts'
import { checkServiceAccess } from './serviceAccess.ts'
import type { WaitingAnswers } from './waitingAnswers.ts'

/** An operation as a client sends it, whatever the transport. */
export interface OperationRequest extends DocumentRequest {
  readonly operationName?: string | null | undefined
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined
}

/** The result of a query or mutation, or those of a subscription's events. Errors are formatted. */
export type OperationResult = ExecutionResult | AsyncIterableIterator<ExecutionResult>

/** The result of a query without errors, which its transport may send again until it is no longer fresh. */
export interface CacheableResult {
  /** The name of its operation. */
  readonly name: string | undefined
  /** What the operation costs. */
  readonly points: number
  /** The result stays the same until this time of the clock. Infinity if it always does. */
  readonly freshUntil: number
  /** The epoch of its settings. The result is of no other one. */
  readonly epoch: number
}

/** A valid operation. */
export interface Operation {
  readonly type: OperationTypeNode
  readonly document: DocumentNode
  /**
   * Never rejects. The iterator rejects with a formatted error when the source of events fails. With
   * `isText`, the data of a result may be a `JsonText`.
   */
  run(isText?: boolean): OperationResult | Promise<OperationResult>
  /** Its result once it has run, if that may be sent again. */
  readonly cacheable: CacheableResult | undefined
}

/** The errors that refuse an operation. */
export interface Refused {
  readonly errors: readonly GraphQLError[]
}

/** A valid operation while it runs. */
interface OpenOperation extends Operation {
  readonly request: OperationRequest
  readonly definition: OperationDefinitionNode
  readonly client: TracedClient
  /** Whether its result is for its client alone. */
  readonly isPrivate: boolean
  cacheable: CacheableResult | undefined
  /** Undefined until it is known. */
  cost: number | undefined
}

/** What every operation goes through. */
export interface Pipeline {
  /** Parses and validates. For transports that report such errors in another way than a result. */
  prepare(request: OperationRequest, client: Client): Operation | Refused
  /** Prepares and runs. */
  run(request: OperationRequest, client: Client): Promise<OperationResult>
  /**
   * Charges and reports an operation whose result is sent again. False if it has to be run: the client
   * may not spend its cost, or wants to know it.
   */
  serveCached(result: CacheableResult, client: Client): boolean
}

/** What a pipeline runs operations with. */
export interface PipelineOptions extends SharedContext, TrustedDocuments {
  readonly schema: GraphQLSchema
  readonly executor: Executor
  readonly introspection: boolean
  readonly clock: Clock
  /** The answers that clients have not read yet. */
  readonly waiting: WaitingAnswers
  /** What heavy operations wait for. */
  readonly heavy?: HeavyOperations | undefined
  readonly telemetry: Telemetry
  readonly formatError: FormatError
  /** Left out, operations are not traced. */
  readonly tracing?: Tracing | undefined
  /** Left out, clients may spend without limit. */
  readonly budget?: CostBudget
}

/** The pipeline of HTTP, server-sent events and WebSocket. Each transport is an adapter around it. */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { schema, introspection, clock, telemetry, tracing } = options
  const {
    service,
    network,
    cache,
    poller,
    feeds,
    backplane,
    limits,
    turns,
    signer,
    media,
    budget,
  } = options
  const shared: SharedContext = {
    ...{ service, network, clock, cache, poller, feeds, backplane, limits, turns, signer, media },
  }
  const texts = createDocumentTexts(options)
  const documents = createDocuments({ schema, cache, introspection, maxTokens: limits.maxTokens })
  const checkCost = createCostCheck({ schema, limits, context: shared })
  const { waiting } = options
  const runner = createRunner({ shared, ...options })

  const prepare = (request: OperationRequest, client: Client): Operation | Refused => {
    const started = clock.now()
    const trace = tracing?.startOperation(client.headers ?? {})
    const report = (
      result: OperationResult,
      operation?: OperationDefinitionNode,
      cost?: number,
    ) => {
      const event: OperationEvent = {
        type: operation?.operation ?? 'none',
        name: operation?.name?.value,
        requestId: client.requestId,
        outcome: outcomeOf(result, client),
        cost,
        seconds: (clock.now() - started) / 1000,
      }
      telemetry.onOperation(event)
      trace?.end(event)
    }
    try {
      const { arrivedAt = started } = client
      if (started - arrivedAt >= limits.timeoutMs) throw tooBusy()
      throwIfSet(budget?.charge(client.key, 0))
      const parsed = documents.parse(texts.find(request))
      const operation = selectOperation(parsed.document, request.operationName)
      throwIfSet(client.refuse?.(operation.operation))
      documents.validate(parsed)
      const isPrivate = !introspection && checkServiceAccess(parsed, client)
      texts.keep(request)
      const open: OpenOperation = {
        type: operation.operation,
        document: parsed.document,
        definition: operation,
        request,
        client: trace ? { ...client, trace } : client,
        isPrivate,
        cacheable: undefined,
        cost: undefined,
        run(isText = false) {
          const result = run(open, isText)
          return isPromise(result) ? result.then(end) : end(result)
        },
      }
      const end = (result: OperationResult) => {
        report(result, operation, open.cost)
        return result
      }
      return open
    } catch (error) {
      const refused = refuse(error, client)
      report(refused)
      return refused
    }
  }

  // An async function would cost an operation several promises that it need not wait for.
  const run = (
    open: OpenOperation,
    isText: boolean,
  ): OperationResult | Promise<OperationResult> => {
    const { request, document, definition, client } = open
    const variables = request.variables ?? {}
    const onError = (error: unknown) => refuse(error, client)
    const { epoch } = network
    try {
      const { cost, coerced } = checkCost({ document, operation: definition, variables })
      open.cost = cost.complexity
      throwIfSet(waiting.refuse(client.key))
      throwIfSet(budget?.charge(client.key, cost.complexity))
      const { operationName } = request
      const args = { document, operationName, variables, coerced, isText }
      if (definition.operation === 'subscription') {
        throwIfSet(client.reserve?.())
        const eventCost = Math.ceil(cost.complexity / eventShare)
        const on = {
          onEvent: () => budget?.spend(client.key, eventCost),
          onAnswer: (bytes: number) => chargeBytes(client, bytes),
          onFault: () => budget?.spend(client.key, refusalCost),
        }
        return runner.subscribe(args, client, on).catch(onError)
      }
      const scoped = runner.execute(args, client, cost.complexity)
      return isPromise(scoped)
        ? scoped.then((value) => finish(open, value, epoch)).catch(onError)
        : finish(open, scoped, epoch)
    } catch (error) {
      return onError(error)
    }
  }

  /** Charges what a large answer costs besides its fields. */
  const chargeBytes = ({ key }: Client, bytes: number) => {
    if (bytes >= bytesOfPoint) budget?.spend(key, Math.floor(bytes / bytesOfPoint))
  }

  /** `epoch` is the one in which the operation began. */
  const finish = (
    open: OpenOperation,
    { result, bytes, scope }: ScopedResult,
    epoch: number,
  ): ExecutionResult => {
    const { definition, client, cost: points = 0 } = open
    chargeBytes(client, bytes)
    if (client.wantsCost) return withCost(result, scope, client, points)
    const { freshUntil } = scope
    const isShared = definition.operation === OperationTypeNode.QUERY && !open.isPrivate
    if (isShared && !result.errors && freshUntil > clock.now()) {
      open.cacheable = { name: definition.name?.value, points, freshUntil, epoch }
    }
    return result
  }

  /** Adds what the operation cost, and what its client has left. */
  const withCost = (
    result: ExecutionResult,
    scope: RequestScope,
    { key }: Client,
    points: number,
  ): ExecutionResult => {
    const left = budget?.left(key) ?? Number.POSITIVE_INFINITY
    const cost = {
      points,
      maxPoints: limits.maxCost,
      ...(Number.isFinite(left) && { pointsLeft: Math.floor(left) }),
      upstreamRequests: scope.budget.requests,
      upstreamBytes: scope.budget.bytes,
    }
    return { ...result, extensions: { ...result.extensions, cost } }
  }

  /** Formats the errors of an operation that does not run. The client pays for the work on it. */
  const refuse = (error: unknown, client: Client): Refused => {
    const isPaid = error instanceof GraphQLError && error.extensions.code === 'RATE_LIMITED'
    if (!isPaid) budget?.spend(client.key, refusalCost)
    return { errors: runner.formatErrors(errorsOf(error), client) }
  }

  return {
    prepare,
    async run(request, client) {
      const operation = prepare(request, client)
      return 'errors' in operation ? operation : operation.run()
    },

    serveCached({ name, points }, { key, requestId, wantsCost, headers = {} }) {
      if (wantsCost || waiting.refuse(key)) return false
      if (budget?.charge(key, points)) return false
      const event: OperationEvent = { type: 'query', name, requestId, outcome: 'ok', seconds: 0 }
      telemetry.onOperation(event)
      tracing?.startOperation(headers).end(event)
      return true
    },
  }
}

/** The cost of an operation that is refused, in points. Its document was parsed and validated. */
const refusalCost = 20

/** An answer costs one more point for each of so many bytes. */
const bytesOfPoint = 16 * 1024

/** An event costs the operation's cost divided by this: most of its fields are loaded with the event. */
const eventShare = 10

function selectOperation(
  document: DocumentNode,
  name: string | null | undefined,
): OperationDefinitionNode {
  const operation = getOperationAST(document, name)
  if (!operation) throw badInput(noOperation, 'INVALID_REQUEST')
  return operation
}

const noOperation =
  'Cannot determine which operation to run. Set `operationName` to the name of an operation in the document.'

function throwIfSet(error: GraphQLError | undefined): void {
  if (error) throw error
}

const errorsOf = (error: unknown): readonly unknown[] =>
  error instanceof AggregateError ? error.errors : [error]

function outcomeOf(result: OperationResult, { signal }: Client): string {
  if (signal.aborted) return 'CANCELLED'
  const error = 'errors' in result ? result.errors?.[0] : undefined
  return error ? String(error.extensions.code) : 'ok'
}
