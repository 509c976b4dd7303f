import type { IncomingHttpHeaders } from 'node:http'
import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
  type OperationTypeNode,
} from 'graphql'
import type { Clock } from '../../clock/clock.ts'
import { limitWork } from '../../clock/deadline.ts'
import { createSignal, type Signal } from '../../clock/signal.ts'
import { createTimeouts } from '../../clock/timeouts.ts'
import type { SharedContext } from '../../graphql/builder.ts'
import { badInput } from '../../upstream/error.ts'
import {
  createRequestScope,
  type RequestScope,
  type ScopeOptions,
} from '../../upstream/requestScope.ts'
import type { OperationEvent, Telemetry } from '../observability/telemetry.ts'
import type { OperationTrace, Tracing } from '../observability/tracing/tracing.ts'
import { createDocuments } from './documents.ts'
import {
  createDocumentTexts,
  type DocumentRequest,
  type TrustedDocuments,
} from './documentTexts.ts'
import type { Executor, ExecutorArgs } from './executor.ts'
import type { FormatError } from './formatError.ts'
import { createKeepableCheck, type KeepableResult } from './keepable.ts'
import { createLimitCheck } from './limits.ts'
import { isAsyncIterable, mapEvents } from './mapEvents.ts'
import { isPromise } from './run.ts'

/** An operation as a client sends it, whatever the transport. */
export interface OperationRequest extends DocumentRequest {
  readonly operationName?: string | null | undefined
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined
}

/** The client of one operation, and what its transport allows. */
export interface Client {
  /**
   * Tells clients apart. Requests to upstreams take turns by it, and it has one budget of cost points.
   */
  readonly key: string
  /** Aborts when the client leaves or cancels the operation. */
  readonly signal: Signal
  /** Repeated in errors, in the log, and to upstreams. */
  readonly requestId?: string
  /** The headers of its request, which can name a trace. */
  readonly headers?: IncomingHttpHeaders
  /** Whether results tell in `extensions.cost` what the operation cost. */
  readonly wantsCost?: boolean
  /** The error for an operation type that the transport does not allow. Called before validation. */
  readonly refuse?: (type: OperationTypeNode) => GraphQLError | undefined
  /**
   * Reserves what an open stream takes up, such as a place in a quota, or gives the error that there is
   * none left. Called before a subscription opens its source. The transport frees what it reserved.
   */
  readonly reserve?: () => GraphQLError | undefined
  /** Called before a run ends whose result stays the same for a while. */
  readonly onKeepable?: (result: KeepableResult) => void
}

/** A client, with the trace of its operation if there is one. */
interface TracedClient extends Client {
  readonly trace?: OperationTrace
}

/** The cost points that each client may spend. */
export interface CostBudget {
  /**
   * Takes the cost of an operation from what the client may spend. Takes nothing and gives an error if
   * too little is left. Called once per operation, when its cost is known to be within the limit.
   */
  charge(client: string, points: number): GraphQLError | undefined
  /** Takes what has been used already. The client then waits the longer for its next operation. */
  spend(client: string, points: number): void
  /** The points that the client may spend now. */
  left(client: string): number
}

/** The result of a query or mutation, or those of a subscription's events. Errors are formatted. */
export type OperationResult = ExecutionResult | AsyncIterableIterator<ExecutionResult>

/** A valid operation. */
export interface Operation {
  readonly type: OperationTypeNode
  readonly document: DocumentNode
  /** Never rejects. The iterator rejects with a formatted error when the source of events fails. */
  run(): Promise<OperationResult>
}

/** The errors that refuse an operation. */
export interface Refused {
  readonly errors: readonly GraphQLError[]
}

/** What becomes known about an operation while it runs. */
interface Measured {
  cost?: number
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
  repeat(result: KeepableResult, client: Client): boolean
}

export interface PipelineOptions extends SharedContext, TrustedDocuments {
  readonly schema: GraphQLSchema
  readonly executor: Executor
  readonly introspection: boolean
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly formatError: FormatError
  /** Left out, operations are not traced. */
  readonly tracing?: Tracing | undefined
  /** Left out, clients may spend without limit. */
  readonly budget?: CostBudget
}

/** The pipeline of HTTP, server-sent events and WebSocket. Each transport is an adapter around it. */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { schema, executor, introspection, clock, telemetry, tracing, formatError } = options
  const { service, network, cache, poller, feeds, limits, signer, budget } = options
  const shared: SharedContext = {
    ...{ service, network, cache, poller, feeds, limits, signer },
  }
  const texts = createDocumentTexts(options)
  const documents = createDocuments({ schema, cache, introspection, maxTokens: limits.maxTokens })
  const startTimeout = createTimeouts(clock, limits.timeoutMs)
  const isKeepable = createKeepableCheck(schema)
  const checkLimits = createLimitCheck({ schema, limits, context: shared })

  const requestBounds = {
    maxRequests: limits.maxRequestsPerOperation,
    maxBytes: limits.maxBytesPerOperation,
  }

  const scopeOf = ({ key, requestId, trace }: TracedClient): ScopeOptions => ({
    client: key,
    trace,
    budget: requestBounds,
    ...(requestId !== undefined && { requestId }),
  })

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
      throwIfSet(budget?.charge(client.key, 0))
      const parsed = documents.parse(texts.find(request))
      const operation = selectOperation(parsed.document, request.operationName)
      throwIfSet(client.refuse?.(operation.operation))
      documents.validate(parsed)
      texts.keep(request)
      return {
        type: operation.operation,
        document: parsed.document,
        async run() {
          const measured: Measured = {}
          const traced = trace ? { ...client, trace } : client
          const result = await run(request, parsed.document, operation, traced, measured)
          report(result, operation, measured.cost)
          return result
        },
      }
    } catch (error) {
      const refused = refuse(error, client)
      report(refused)
      return refused
    }
  }

  const run = async (
    request: OperationRequest,
    document: DocumentNode,
    operation: OperationDefinitionNode,
    client: TracedClient,
    measured: Measured,
  ): Promise<OperationResult> => {
    const { operationName } = request
    const variables = request.variables ?? {}
    try {
      const { cost, coerced } = checkLimits({ document, operation, variables })
      measured.cost = cost.complexity
      throwIfSet(budget?.charge(client.key, cost.complexity))
      const args = { document, operationName, variables, coerced }
      if (operation.operation !== 'subscription') {
        let scope: RequestScope | undefined
        const result = await execute(args, client, (opened) => {
          scope = opened
        })
        const freshUntil = result.errors || !isKeepable(document, operation) ? 0 : scope?.freshUntil
        if (client.wantsCost) return withCost(result, scope, client, cost.complexity)
        if (freshUntil && freshUntil > clock.now()) {
          client.onKeepable?.({ name: operation.name?.value, points: cost.complexity, freshUntil })
        }
        return result
      }
      throwIfSet(client.reserve?.())
      return await subscribe(args, client, Math.ceil(cost.complexity / eventShare))
    } catch (error) {
      return refuse(error, client)
    }
  }

  /** Formats the errors of an operation that does not run. The client pays for the work on it. */
  const refuse = (error: unknown, client: Client): Refused => {
    const isPaid = error instanceof GraphQLError && error.extensions.code === 'RATE_LIMITED'
    if (!isPaid) budget?.spend(client.key, refusalCost)
    return { errors: formatAll(errorsOf(error), client) }
  }

  /** Runs a query, a mutation or one event, each with a scope and a deadline of its own. */
  const execute = async (
    args: Omit<ExecutorArgs, 'context'>,
    client: TracedClient,
    onScope?: (scope: RequestScope) => void,
  ): Promise<ExecutionResult> => {
    const ending = createSignal()
    if (client.signal.aborted) ending.abort(client.signal.reason)
    // Only the scope has the deadline: fields that are resolved by then are still in the result.
    const context = { ...shared, scope: createRequestScope(ending, scopeOf(client)) }
    onScope?.(context.scope)
    const result = executor.execute({ ...args, context })
    if (!isPromise(result)) return format(result, client)
    const close = limitWork(ending, startTimeout, { signal: client.signal })
    try {
      return format(await result, client)
    } finally {
      close()
    }
  }

  /** Adds what the operation cost, and what its client has left. */
  const withCost = (
    result: ExecutionResult,
    scope: RequestScope | undefined,
    { key }: Client,
    points: number,
  ): ExecutionResult => {
    const left = budget?.left(key) ?? Number.POSITIVE_INFINITY
    const cost = {
      points,
      maxPoints: limits.maxCost,
      ...(Number.isFinite(left) && { pointsLeft: Math.floor(left) }),
      upstreamRequests: scope?.budget.requests ?? 0,
      upstreamBytes: scope?.budget.bytes ?? 0,
    }
    return { ...result, extensions: { ...result.extensions, cost } }
  }

  const subscribe = async (
    args: Omit<ExecutorArgs, 'context'>,
    client: TracedClient,
    eventCost: number,
  ): Promise<OperationResult> => {
    const context = { ...shared, scope: createRequestScope(client.signal, scopeOf(client)) }
    const source = await executor.subscribe({ ...args, context })
    if (!isAsyncIterable(source)) return format(source, client)
    return mapEvents(source, {
      signal: client.signal,
      run(event) {
        budget?.spend(client.key, eventCost)
        return execute({ ...args, rootValue: event }, client)
      },
      onEnd: telemetry.onSubscription(),
      formatError: (error) => formatError(error, client.requestId),
    })
  }

  /** Formats errors. A client that has left reads none, so none are logged. */
  const formatAll = (errors: readonly unknown[], { signal, requestId }: Client) =>
    signal.aborted ? [] : errors.map((error) => formatError(error, requestId))

  const format = (result: ExecutionResult, client: Client): ExecutionResult => {
    if (client.signal.aborted) return { errors: [] }
    return result.errors ? { ...result, errors: formatAll(result.errors, client) } : result
  }

  return {
    prepare,
    async run(request, client) {
      const operation = prepare(request, client)
      return 'errors' in operation ? operation : operation.run()
    },

    repeat({ name, points }, { key, requestId, wantsCost, headers = {} }) {
      if (wantsCost) return false
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

/** An event costs the operation's cost divided by this: most of its fields are loaded with the event. */
const eventShare = 10

function selectOperation(
  document: DocumentNode,
  name: string | null | undefined,
): OperationDefinitionNode {
  const operation = getOperationAST(document, name)
  if (!operation) throw badInput(noOperation)
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
